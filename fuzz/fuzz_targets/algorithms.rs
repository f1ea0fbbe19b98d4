//! Fuzz target for the property [`clearway_properties::algorithms::algorithms`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::algorithms::algorithms(bytes));
