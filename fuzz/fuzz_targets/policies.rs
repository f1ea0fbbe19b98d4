//! Fuzz target for the property [`clearway_properties::policies::policies`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::policies::policies(bytes));
