//! `clearway compare` in parts of several boards.

use super::exit_code;
use crate::errors::{exception_from, input_error};
use clearway_cli::{Interrupt, cluster};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::ffi::OsString;

/// A comparison on the driver, created from the arguments of its command line.
#[pyclass(module = "clearway._native")]
pub struct Compare(cluster::Compare);

#[pymethods]
impl Compare {
    #[new]
    fn new(args: Vec<OsString>) -> PyResult<Compare> {
        cluster::Compare::new(&args, &Interrupt::default()).map(Compare).map_err(|refusal| exception_from(&refusal))
    }

    /// The boards, algorithms and limits as text, from which workers create a `ComparePart`.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// Number of boards.
    #[getter]
    fn boards(&self) -> usize {
        self.0.boards()
    }

    /// Checks the bytes of a part: returns a description of the damage if they are damaged, and fails if they are not the runs
    /// of these boards.
    fn check(&self, py: Python<'_>, first: usize, end: usize, bytes: &[u8]) -> PyResult<Option<String>> {
        py.detach(|| self.0.check(first..end, bytes)).map_err(|refusal| exception_from(&refusal))
    }

    /// Adds the runs of a part.
    fn add(&mut self, py: Python<'_>, first: usize, end: usize, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| self.0.add(first..end, bytes)).map_err(|refusal| exception_from(&refusal))
    }

    /// Writes and prints all runs; returns the exit code.
    fn finish(&mut self, py: Python<'_>) -> PyResult<i32> {
        exit_code(py.detach(|| self.0.finish()))
    }
}

/// A comparison on a worker.
#[pyclass(module = "clearway._native")]
pub struct ComparePart(cluster::ComparePart);

#[pymethods]
impl ComparePart {
    #[new]
    fn new(text: &str) -> PyResult<ComparePart> {
        let part = cluster::ComparePart::new(text, &Interrupt::default());
        part.map(ComparePart).map_err(|error| input_error(&error.to_string()))
    }

    /// Runs all algorithms on a range of boards; returns the bytes of a Parquet file, empty if interrupted.
    fn boards(&self, py: Python<'_>, first: usize, end: usize) -> PyResult<Cow<'static, [u8]>> {
        let done = py.detach(|| self.0.boards(first..end)).map_err(|error| input_error(&error.to_string()))?;
        Ok(done.unwrap_or_default().into())
    }
}
