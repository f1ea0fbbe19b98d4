//! Fuzz target for the property [`clearway_properties::moves::plans`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::moves::plans(bytes));
