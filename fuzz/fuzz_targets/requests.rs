//! Fuzz target for the property [`clearway_properties::requests::requests`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::requests::requests(bytes));
