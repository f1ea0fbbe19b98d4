//! Fuzz target for the property [`clearway_properties::tiles::boards`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::tiles::boards(bytes));
