//! Policies: their text, their compiled form, those that are shipped, their training.

mod common;
mod fuzz_findings;
mod programs;
mod shipped;
mod text;
mod training;
