//! Runs that evolve policies on training boards and test the champion on others; see [`runs`](crate::runs) for the common part.
//!
//! - `settings`: everything that the result of a run depends on; `board_sets`: its boards, `generated`: those that are generated;
//!   `folder`: the boards in its folder
//! - `run`: the run, generation by generation; `memory`: the memory of the boards and their searches; `cost`: an estimate of both
//! - `evaluator`: evaluation of individuals apart from their run; `coevolve`: boards that evolve against the policies
//! - `telemetry`: diversity, heuristics in use, and times of generations
//! - `champion`: the best policy and its tests; `report` and `population_plots`: the page about a run; [`seeds`]: the same run with several seeds

mod board_sets;
mod champion;
mod coevolve;
mod cost;
mod evaluator;
mod folder;
mod generated;
mod memory;
mod population_plots;
mod report;
mod run;
pub mod seeds;
mod settings;
mod telemetry;

pub use crate::runs::RunError;
pub use board_sets::{BoardSets, TestSet};
pub use champion::{PolicyChampion, summary};
pub use cost::CostEstimate;
pub use evaluator::{Evaluator, EvaluatorData};
pub use generated::{GeneratedSet, Purpose, UnknownSet};
pub use report::{LoggedGeneration, PolicyReport};
pub use run::{PolicyRun, Run, RunContext};
pub use settings::{Coevolution, DirectSearch, GROUPS, Settings, Starts};
