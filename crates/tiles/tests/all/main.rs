//! Sliding tiles: exact tables, heuristics, programs and how they are bred.

mod exact;
mod fuzz_findings;
mod heuristics;
mod learning;
mod optimal;
mod paper;
mod program_run;
mod program_text;
mod shipped;
