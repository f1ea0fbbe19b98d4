//! `clearway forge pack` in rounds of attempts.

use super::code;
use crate::errors::refused;
use clearway_cli::{Interrupt, cluster};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::ffi::OsString;

/// A pack that comes together, from the words of its command line.
#[pyclass(module = "clearway._native")]
pub struct Pack(cluster::Pack);

#[pymethods]
impl Pack {
    #[new]
    fn new(words: Vec<OsString>) -> PyResult<Pack> {
        cluster::Pack::new(&words, &Interrupt::default()).map(Pack).map_err(|refusal| refused(&refusal))
    }

    /// Refuses files that cannot be written.
    fn check_outputs(&self) -> PyResult<()> {
        self.0.check_outputs().map_err(|refusal| refused(&refusal))
    }

    /// The seconds that it may take, or None.
    #[getter]
    fn time_limit(&self) -> Option<f64> {
        self.0.time_limit().map(|limit| limit.as_secs_f64())
    }

    /// How many puzzles are asked for.
    #[getter]
    fn count(&self) -> usize {
        self.0.count()
    }

    /// The attempts made, and the different puzzles found.
    #[getter]
    fn progress(&self) -> (u64, usize) {
        self.0.progress()
    }

    /// The number of the next attempt and what each of the next ones aims at; None if there is enough.
    fn next_round(&self) -> Option<(u64, Vec<u32>)> {
        self.0.next_round()
    }

    /// Makes attempts, the first of which has that number: the bytes of a Parquet file.
    fn attempt(&self, py: Python<'_>, first: u64, aims: Vec<u32>) -> PyResult<Cow<'static, [u8]>> {
        let done = py.detach(|| self.0.attempt(first, &aims)).map_err(|refusal| refused(&refusal))?;
        Ok(done.unwrap_or_default().into())
    }

    /// Refuses bytes that do not hold so many attempts from that one on. If they were damaged, says how.
    fn check(&self, py: Python<'_>, first: u64, count: usize, bytes: &[u8]) -> PyResult<Option<String>> {
        py.detach(|| self.0.check(first, count, bytes)).map_err(|refusal| refused(&refusal))
    }

    /// Takes what came of the next round, in pieces: how many attempts each has, and its bytes.
    fn take(&mut self, py: Python<'_>, pieces: Vec<(usize, Vec<u8>)>) -> PyResult<()> {
        py.detach(|| self.0.take(&pieces)).map_err(|refusal| refused(&refusal))
    }

    /// Gives up, since the time is up.
    fn stop(&mut self) {
        self.0.stop();
    }

    /// Writes the pack and tells what is in it; gives the exit code.
    fn finish(&mut self, py: Python<'_>) -> PyResult<i32> {
        code(py.detach(|| self.0.finish()))
    }
}
