//! Tests of experiments: algorithms, comparisons, evolution and reproductions.

mod algorithm;
#[path = "../../../rush/tests/all/common/boards.rs"]
#[expect(dead_code, reason = "the tests of clearway-rush use the rest")]
mod boards;
mod claims;
mod common;
mod compare;
mod evaluation;
mod evolve;
mod evolve_report;
mod fuzz_findings;
mod policies;
mod repro;
mod solving_times;
mod statistics;
mod tiles_evolve;
