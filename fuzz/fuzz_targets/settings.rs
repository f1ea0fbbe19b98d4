//! Fuzz target for the property [`clearway_properties::settings::settings`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::settings::settings(bytes));
