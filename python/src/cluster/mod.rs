//! The work of a cluster: one file a job, each a thin coat over what the program does.

mod compare;
mod enumerate;
mod evolve;
mod pack;

pub use compare::{Compare, ComparePart};
pub use enumerate::Enumerate;
pub use evolve::{Judge, SeedRun, lay_out, spread_evolve};
pub use pack::Pack;

use crate::errors::refused;
use clearway_cli::{ExitCode, Refusal};
use pyo3::prelude::*;

/// The exit code of a job that came to its end.
fn code(ended: Result<ExitCode, Refusal>) -> PyResult<i32> {
    match ended {
        Ok(code) => Ok(code as i32),
        // Whoever read its output went away.
        Err(refusal) if refusal.code == ExitCode::Done => Ok(ExitCode::Done as i32),
        Err(refusal) => Err(refused(&refusal)),
    }
}
