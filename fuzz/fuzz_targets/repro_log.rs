//! Fuzz target for the property [`clearway_properties::logs::reproductions`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::logs::reproductions(bytes));
