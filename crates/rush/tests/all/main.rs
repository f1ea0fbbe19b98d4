//! Tests of boards, formats, pictures and heuristics, and comparisons of all solvers with each other.

mod agreement;
mod common;
mod formats;
mod formats_errors;
mod formats_reading;
mod fuzz_findings;
mod heuristics;
mod heuristics_values;
mod pddl;
mod pictures;
mod portfolio;
mod relaxed_plans;
mod solver;
mod solver_golden;
mod solver_limits;
mod solver_wide;
mod tree_searches;
