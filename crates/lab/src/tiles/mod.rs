//! Runs that breed programs for sliding tiles, kept in folders as [all runs](crate::runs) are.
//!
//! - `settings`: all that a run depends on
//! - `run`: generation after generation, so that nothing is lost that was done
//! - `champion`: what was bred, examined; `report`: the page about a run

mod champion;
mod report;
mod run;
mod settings;

pub use champion::{Champion, Examined, HELD_OUT, Left, Optimum, summary};
pub use report::LoggedGeneration;
pub use run::{Run, RunError};
pub use settings::Settings;
