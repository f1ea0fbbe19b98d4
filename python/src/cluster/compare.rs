//! `clearway compare`, some boards at a time.

use super::code;
use crate::errors::{bad_words, refused};
use clearway_cli::{Interrupt, cluster};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::ffi::OsString;

/// A comparison, from the words of its command line.
#[pyclass(module = "clearway._native")]
pub struct Compare(cluster::Compare);

#[pymethods]
impl Compare {
    #[new]
    fn new(words: Vec<OsString>) -> PyResult<Compare> {
        cluster::Compare::new(&words, &Interrupt::default()).map(Compare).map_err(|refusal| refused(&refusal))
    }

    /// What is compared, for those who make the runs.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// How many boards there are.
    #[getter]
    fn boards(&self) -> usize {
        self.0.boards()
    }

    /// Refuses bytes that do not hold the runs of these boards. If they were damaged, says how.
    fn check(&self, py: Python<'_>, first: usize, end: usize, bytes: &[u8]) -> PyResult<Option<String>> {
        py.detach(|| self.0.check(first..end, bytes)).map_err(|refusal| refused(&refusal))
    }

    /// Takes the runs of some boards.
    fn add(&mut self, py: Python<'_>, first: usize, end: usize, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| self.0.add(first..end, bytes)).map_err(|refusal| refused(&refusal))
    }

    /// Writes and prints all runs; gives the exit code.
    fn finish(&mut self, py: Python<'_>) -> PyResult<i32> {
        code(py.detach(|| self.0.finish()))
    }
}

/// A comparison where its runs are made.
#[pyclass(module = "clearway._native")]
pub struct ComparePart(cluster::ComparePart);

#[pymethods]
impl ComparePart {
    #[new]
    fn new(text: &str) -> PyResult<ComparePart> {
        let part = cluster::ComparePart::new(text, &Interrupt::default());
        part.map(ComparePart).map_err(|error| bad_words(&error.to_string()))
    }

    /// Makes all runs of some of the boards: the bytes of a Parquet file.
    fn boards(&self, py: Python<'_>, first: usize, end: usize) -> PyResult<Cow<'static, [u8]>> {
        let done = py.detach(|| self.0.boards(first..end)).map_err(|error| bad_words(&error.to_string()))?;
        Ok(done.unwrap_or_default().into())
    }
}
