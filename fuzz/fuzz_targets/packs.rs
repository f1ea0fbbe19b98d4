//! Fuzz target for the property [`clearway_properties::packs::packs`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::packs::packs(bytes));
