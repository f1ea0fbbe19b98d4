//! Fuzz target for the property [`clearway_properties::certificates::certificates`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::certificates::certificates(bytes));
