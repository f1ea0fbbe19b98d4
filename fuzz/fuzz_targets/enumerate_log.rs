//! Fuzz target for the property [`clearway_properties::logs::enumerate`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::logs::enumerate(bytes));
