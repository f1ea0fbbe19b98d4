//! The generators, the catalogue and the grader, against slow and simple counterparts.

mod canonical;
mod climb;
mod collection;
mod common;
mod enumerate;
mod fuzz_findings;
mod generators;
mod grade;
mod minimal;
mod pack;
mod pack_levels;
mod pack_records;
