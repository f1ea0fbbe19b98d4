//! Fuzz target for the property [`clearway_properties::solving_times::solving_times`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::solving_times::solving_times(bytes));
