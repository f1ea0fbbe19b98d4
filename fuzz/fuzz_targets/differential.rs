//! Fuzz target for the property [`clearway_properties::differential::differential`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::differential::differential(bytes));
