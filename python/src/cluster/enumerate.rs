//! `clearway forge enumerate` in shards.

use super::code;
use crate::errors::refused;
use clearway_cli::{Interrupt, cluster};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::ffi::OsString;

/// An enumeration, from the words of its command line.
#[pyclass(module = "clearway._native")]
pub struct Enumerate(cluster::Enumerate);

#[pymethods]
impl Enumerate {
    #[new]
    fn new(words: Vec<OsString>) -> PyResult<Enumerate> {
        cluster::Enumerate::new(&words, &Interrupt::default()).map(Enumerate).map_err(|refusal| refused(&refusal))
    }

    /// Refuses files that cannot be written.
    fn check_outputs(&self) -> PyResult<()> {
        self.0.check_outputs().map_err(|refusal| refused(&refusal))
    }

    /// How many tasks there are to do.
    #[getter]
    fn tasks(&self) -> u64 {
        self.0.tasks()
    }

    /// How many shards to make for a cluster of so many CPUs.
    fn usual_shards(&self, cpus: u64) -> u64 {
        self.0.usual_shards(cpus)
    }

    /// The seconds after which it is to stop, or None.
    #[getter]
    fn budget(&self) -> Option<f64> {
        self.0.budget().map(|budget| budget.as_secs_f64())
    }

    /// Does one of several shards, counted from 1: the bytes of a Parquet file.
    fn shard(&self, py: Python<'_>, shard: u64, shards: u64) -> PyResult<Cow<'static, [u8]>> {
        let done = py.detach(|| self.0.shard(shard, shards)).map_err(|refusal| refused(&refusal))?;
        Ok(done.unwrap_or_default().into())
    }

    /// Refuses bytes that are not those of a shard. If they were damaged, says how.
    fn check(&self, py: Python<'_>, shard: u64, shards: u64, bytes: &[u8]) -> PyResult<Option<String>> {
        py.detach(|| self.0.check(shard, shards, bytes)).map_err(|refusal| refused(&refusal))
    }

    /// Takes what was found in a shard.
    fn add(&mut self, py: Python<'_>, shard: u64, shards: u64, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| self.0.add(shard, shards, bytes)).map_err(|refusal| refused(&refusal))
    }

    /// Writes and prints what was found; gives the exit code.
    fn finish(&mut self, py: Python<'_>) -> PyResult<i32> {
        code(py.detach(|| self.0.finish()))
    }
}
