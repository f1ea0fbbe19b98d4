//! `clearway forge pack` in rounds of attempts.

use super::exit_code;
use crate::errors::exception_from;
use clearway_cli::{Interrupt, cluster};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::ffi::OsString;

/// A pack under construction, created from the arguments of its command line.
#[pyclass(module = "clearway._native")]
pub struct Pack(cluster::Pack);

#[pymethods]
impl Pack {
    #[new]
    fn new(args: Vec<OsString>) -> PyResult<Pack> {
        cluster::Pack::new(&args, &Interrupt::default()).map(Pack).map_err(|refusal| exception_from(&refusal))
    }

    /// Fails if an output file cannot be written.
    fn check_outputs(&self) -> PyResult<()> {
        self.0.check_outputs().map_err(|refusal| exception_from(&refusal))
    }

    /// Time limit in seconds, or None.
    #[getter]
    fn time_limit(&self) -> Option<f64> {
        self.0.time_limit().map(|limit| limit.as_secs_f64())
    }

    /// Requested number of puzzles.
    #[getter]
    fn count(&self) -> usize {
        self.0.count()
    }

    /// Number of attempts made, and of different puzzles found.
    #[getter]
    fn progress(&self) -> (u64, usize) {
        self.0.progress()
    }

    /// Returns the number of the first attempt of the next round, and the target number of moves of each attempt; None if the
    /// search for puzzles has ended.
    fn next_round(&self) -> Option<(u64, Vec<u32>)> {
        self.0.next_round()
    }

    /// Makes attempts, numbered from `first`; returns the bytes of a Parquet file, empty if interrupted.
    fn attempt(&self, py: Python<'_>, first: u64, aims: Vec<u32>) -> PyResult<Cow<'static, [u8]>> {
        let done = py.detach(|| self.0.attempt(first, &aims)).map_err(|refusal| exception_from(&refusal))?;
        Ok(done.unwrap_or_default().into())
    }

    /// Checks the bytes of attempts: returns a description of the damage if they are damaged, and fails if they are not
    /// `count` attempts numbered from `first`.
    fn check(&self, py: Python<'_>, first: u64, count: usize, bytes: &[u8]) -> PyResult<Option<String>> {
        py.detach(|| self.0.check(first, count, bytes)).map_err(|refusal| exception_from(&refusal))
    }

    /// Adds the results of the next round, in pieces: the number of attempts of each, and its bytes.
    fn take(&mut self, py: Python<'_>, pieces: Vec<(usize, Vec<u8>)>) -> PyResult<()> {
        py.detach(|| self.0.take(&pieces)).map_err(|refusal| exception_from(&refusal))
    }

    /// Ends the search for puzzles because the time limit is reached.
    fn stop(&mut self) {
        self.0.stop();
    }

    /// Writes the pack and prints a summary; returns the exit code.
    fn finish(&mut self, py: Python<'_>) -> PyResult<i32> {
        exit_code(py.detach(|| self.0.finish()))
    }
}
