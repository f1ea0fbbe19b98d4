//! Experiments: comparisons, traces, evolution, reproductions.

mod algorithm;
#[path = "../../../rush/tests/all/common/boards.rs"]
#[expect(dead_code, reason = "the tests of clearway-rush use the rest")]
mod boards;
mod claims;
mod common;
mod compare;
mod daily;
mod evolve;
mod evolve_report;
mod frames;
mod fuzz_findings;
mod graph;
mod hint;
mod policies;
mod records;
mod repro;
mod tiles_evolve;
mod trace;
