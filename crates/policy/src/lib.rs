//! Policies: ordered rules IF condition THEN value over heuristics of Rush Hour, as in GP-Rush (Hauptman, Elyasaf,
//! Sipper, Karmon: "GP-Rush: using genetic programming to evolve solvers for the Rush Hour puzzle", 2009).

mod cache;
mod compile;
mod draw;
mod explain;
mod firing;
mod genome;
mod heuristic;
mod library;
mod part;
mod policy;
pub mod terminals;
mod text;
pub mod training;

pub use compile::{Program, Source};
pub use draw::svg;
pub use explain::{Explained, explain};
pub use firing::Firing;
pub use genome::{GenomeError, layout};
pub use heuristic::PolicyHeuristic;
pub use library::{NamedPolicy, OpenError, SHIPPED};
pub use policy::{MOST_NODES, MOST_RULES, Policy, Rule};
pub use text::{LONGEST_TEXT, MOST_NUMBER, PolicyError};
