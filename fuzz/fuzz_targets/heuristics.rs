//! Fuzz target for the property [`clearway_properties::algorithms::heuristics`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::algorithms::heuristics(bytes));
