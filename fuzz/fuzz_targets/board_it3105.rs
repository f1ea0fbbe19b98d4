//! Fuzz target for the property [`clearway_properties::boards::it3105`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::boards::it3105(bytes));
