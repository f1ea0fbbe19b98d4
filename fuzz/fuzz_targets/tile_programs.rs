//! Fuzz target for the property [`clearway_properties::tiles::programs`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::tiles::programs(bytes));
