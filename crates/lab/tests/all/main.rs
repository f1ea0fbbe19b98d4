//! Experiments: comparisons, traces, evolution, reproductions.

mod algorithm;
mod common;
mod compare;
mod daily;
mod evolve;
mod evolve_report;
mod frames;
mod graph;
mod hint;
mod policies;
mod records;
mod repro;
mod tiles_evolve;
mod trace;
