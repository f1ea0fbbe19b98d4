//! Trees, operators, selection and runs, on a small problem that is not a puzzle.

mod checkpoint;
mod common;
mod evolution;
mod places;
mod selection;
mod simplification;
mod trees;
mod variation;
