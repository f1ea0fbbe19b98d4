//! Fuzz target for the property [`clearway_properties::boards::traffic_jam`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| clearway_properties::boards::traffic_jam(bytes));
