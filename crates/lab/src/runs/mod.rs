//! The common part of all runs of evolution.
//!
//! - `run`: a run in its folder; `folder`: the folder; `log`: one line per generation
//! - `settings`: settings that all runs share; `command`: the command that repeats a run; `stop_criteria`: when a run ends
//! - `report`: the page about a run

mod command;
mod folder;
mod log;
pub(crate) mod report;
mod run;
mod settings;
mod stop_criteria;

pub use command::{with_option, with_options};
pub use folder::{Folder, FolderError};
pub use log::{LogLine, RunLog};
pub use run::{Run, RunError, RunKind, RunSettings, TooFewGenerations};
pub use settings::{Preset, SettingsError, VERSION, fit_to_population};
pub use stop_criteria::{BudgetError, RunBudget, StopCriteria};

pub(crate) use run::Interrupted;
pub(crate) use settings::check_ranges;
