//! Policies: ordered rules IF condition THEN value over heuristics of Rush Hour, as in GP-Rush (Hauptman, Elyasaf,
//! Sipper, Karmon: "GP-Rush: using genetic programming to evolve solvers for the Rush Hour puzzle", 2009).
//!
//! [`Policy`] is parsed from and printed as text, [`CompiledPolicy`] is its compiled form, [`PolicyHeuristic`] evaluates it in a
//! search, and [`training`] evolves policies by genetic programming.

mod cache;
mod compile;
mod draw;
mod explain;
mod firing;
mod fold;
mod genome;
mod heuristic;
mod library;
mod policy;
mod subtree;
pub mod terminals;
mod text;
pub mod training;

pub use compile::{CompiledPolicy, Language, TerminalSource, export};
pub use draw::svg;
pub use explain::{RuleExplanation, explain};
pub use firing::FiringCounts;
pub use genome::{PolicyGenomeError, layout};
pub use heuristic::PolicyHeuristic;
pub use library::{NamedPolicy, OpenPolicyError, SHIPPED};
pub use policy::{MAX_NODES, MAX_RULES, Policy, Rule};
pub use text::{MAX_NUMBER, MAX_TEXT_LENGTH};
