//! Cluster jobs, one file each: thin wrappers around `clearway_cli::cluster`.

mod compare;
mod enumerate;
mod evolve;
mod pack;

pub use compare::{Compare, ComparePart};
pub use enumerate::Enumerate;
pub use evolve::{Evaluator, SeedRun, distributed_evolve, prepare_run};
pub use pack::Pack;

use crate::errors::exception_from;
use clearway_cli::{CommandError, ExitCode};
use pyo3::prelude::*;

/// Converts the result of a job into its exit code or an exception.
fn exit_code(result: Result<ExitCode, CommandError>) -> PyResult<i32> {
    match result {
        Ok(code) => Ok(code as i32),
        // The reader of its output closed the pipe.
        Err(refusal) if refusal.code == ExitCode::Done => Ok(ExitCode::Done as i32),
        Err(refusal) => Err(exception_from(&refusal)),
    }
}
