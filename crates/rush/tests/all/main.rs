//! Boards, formats, pictures and heuristics, and every solver against every other.

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
mod relaxed_plans;
mod solver;
mod solver_golden;
mod solver_limits;
mod solver_wide;
mod tree_searches;
