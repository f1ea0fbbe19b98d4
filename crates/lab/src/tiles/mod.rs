//! Runs that evolve programs for the sliding-tile puzzle; see [`runs`](crate::runs) for the common part.
//!
//! - `settings`: everything that the result of a run depends on; `run`: the run, generation by generation
//! - `champion`: the best program and its tests; `report`: the page about a run

mod champion;
mod report;
mod run;
mod settings;

pub use crate::runs::RunError;
pub use champion::{HELD_OUT, OptimalLengths, ProgramChampion, ProgramTestResult, TrainingResult, summary};
pub use report::LoggedProgramGeneration;
pub use run::{ProgramEvolution, ProgramRun};
pub use settings::ProgramSettings;
