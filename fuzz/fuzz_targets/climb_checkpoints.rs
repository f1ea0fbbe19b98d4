//! Fuzz target for the property [`clearway_properties::checkpoints::climb`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::checkpoints::climb(bytes));
