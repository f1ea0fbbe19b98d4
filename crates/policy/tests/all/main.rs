//! Tests of policies: text format, compiled programs, exported code, shipped policies, training.

mod common;
mod export;
mod fuzz_findings;
mod programs;
mod shipped;
mod text;
mod training;
