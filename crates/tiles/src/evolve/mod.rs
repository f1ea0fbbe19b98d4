//! Evolution of programs: the configuration of a run, the [problem](ProgramProblem) of genetic programming, and the champion.

mod champion;
mod config;
mod escape;
mod learning;
mod problem;

pub use champion::ProgramPerformance;
pub use config::{Config, Experiment, Learning};
pub use problem::{ConfigMismatch, ProgramEvolutionState, ProgramProblem};
