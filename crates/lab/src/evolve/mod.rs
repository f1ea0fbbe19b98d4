//! Runs of evolution: policies bred on training boards, and tested on boards that they never saw.
//!
//! - `settings`: all that a run depends on; `material`: its boards; `folder`: where it is kept
//! - `run`: generation after generation, so that nothing is lost that was done
//! - `coevolve`: boards that evolve against the policies
//! - `champion`: what was bred, tested; `report`: the page about a run

mod champion;
mod coevolve;
mod folder;
mod material;
mod report;
mod run;
mod settings;

pub use champion::{Champion, summary};
pub use folder::Folder;
pub use material::{Material, TestSet};
pub use report::{LoggedGeneration, Report, html};
pub use run::{Means, Run, RunError};
pub use settings::{Budget, Coevolution, GROUPS, Preset, Settings, SettingsError, Starts, VERSION};
