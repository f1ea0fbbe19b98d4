//! `clearway forge enumerate` in shards.

use super::exit_code;
use crate::errors::exception_from;
use clearway_cli::{Interrupt, cluster};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::ffi::OsString;

/// An enumeration, created from the arguments of its command line.
#[pyclass(module = "clearway._native")]
pub struct Enumerate(cluster::Enumerate);

#[pymethods]
impl Enumerate {
    #[new]
    fn new(args: Vec<OsString>) -> PyResult<Enumerate> {
        cluster::Enumerate::new(&args, &Interrupt::default()).map(Enumerate).map_err(|refusal| exception_from(&refusal))
    }

    /// Fails if an output file cannot be written.
    fn check_outputs(&self) -> PyResult<()> {
        self.0.check_outputs().map_err(|refusal| exception_from(&refusal))
    }

    /// Number of tasks of the plan, which bounds the number of shards.
    #[getter]
    fn tasks(&self) -> u64 {
        self.0.tasks()
    }

    /// Default number of shards for a cluster with this number of CPUs.
    fn default_shards(&self, cpus: u64) -> u64 {
        self.0.default_shards(cpus)
    }

    /// Time limit in seconds, or None.
    #[getter]
    fn budget(&self) -> Option<f64> {
        self.0.budget().map(|budget| budget.as_secs_f64())
    }

    /// Computes one of several shards, numbered from 1; returns the bytes of a Parquet file, empty if interrupted.
    fn shard(&self, py: Python<'_>, shard: u64, shards: u64) -> PyResult<Cow<'static, [u8]>> {
        let done = py.detach(|| self.0.shard(shard, shards)).map_err(|refusal| exception_from(&refusal))?;
        Ok(done.unwrap_or_default().into())
    }

    /// Checks the bytes of a shard: returns a description of the damage if they are damaged, and fails if they are not this
    /// shard.
    fn check(&self, py: Python<'_>, shard: u64, shards: u64, bytes: &[u8]) -> PyResult<Option<String>> {
        py.detach(|| self.0.check(shard, shards, bytes)).map_err(|refusal| exception_from(&refusal))
    }

    /// Adds the puzzles of a shard.
    fn add(&mut self, py: Python<'_>, shard: u64, shards: u64, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| self.0.add(shard, shards, bytes)).map_err(|refusal| exception_from(&refusal))
    }

    /// Writes and prints all puzzles; returns the exit code.
    fn finish(&mut self, py: Python<'_>) -> PyResult<i32> {
        exit_code(py.detach(|| self.0.finish()))
    }
}
