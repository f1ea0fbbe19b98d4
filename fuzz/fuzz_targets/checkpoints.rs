//! Fuzz target for the property [`clearway_properties::checkpoints::checkpoints`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::checkpoints::checkpoints(bytes));
