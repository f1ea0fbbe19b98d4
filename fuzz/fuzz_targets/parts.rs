//! Fuzz target for the property [`clearway_properties::parts::parts`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::parts::parts(bytes));
