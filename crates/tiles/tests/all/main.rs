//! Tests of sliding tiles: exact tables, heuristics, the solver, programs and their evolution.

mod best_first_options;
mod exact;
mod fuzz_findings;
mod heuristics;
mod learning;
mod optimal;
mod paper;
mod program_run;
mod program_text;
mod search_algorithms;
mod shipped;
