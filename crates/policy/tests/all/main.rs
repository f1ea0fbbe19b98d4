//! Tests of policies: text format, compiled programs, shipped policies, training.

mod common;
mod fuzz_findings;
mod programs;
mod shipped;
mod text;
mod training;
