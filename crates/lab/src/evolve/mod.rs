//! Runs of evolution: policies bred on training boards, and tested on boards that they never saw.
//!
//! - `settings`: all that a run depends on; `material`: its boards; `folder`: what its folder holds beside what [all runs](crate::runs) have
//! - `run`: generation after generation, so that nothing is lost that was done
//! - `memory`: how the memory is shared between the boards and their searches
//! - `judge`: individuals judged apart from their run
//! - `coevolve`: boards that evolve against the policies
//! - `champion`: what was bred, tested; `report`: the page about a run

mod champion;
mod coevolve;
mod folder;
mod judge;
mod material;
mod memory;
mod report;
mod run;
mod settings;

pub use champion::{Champion, summary};
pub use judge::{Brief, Judge};
pub use material::{Material, TestSet};
pub use report::{LoggedGeneration, Report, html};
pub use run::{Means, Run, RunError};
pub use settings::{Coevolution, GROUPS, Settings, Starts};
