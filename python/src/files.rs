//! Files of cluster jobs: written whole, with checksums, and for one process at a time.

use crate::errors::bad_words;
use clearway_util::{atomic, lock, seal as sealing};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A folder that this process alone writes to, until `release` is called or the object is gone.
#[pyclass(module = "clearway._native")]
pub struct FolderLock(Option<lock::FolderLock>);

#[pymethods]
impl FolderLock {
    #[new]
    fn new(path: PathBuf) -> PyResult<FolderLock> {
        lock::FolderLock::acquire(&path)
            .map(|held| FolderLock(Some(held)))
            .map_err(|error| bad_words(&error.to_string()))
    }

    /// Lets others have the folder.
    fn release(&mut self) {
        self.0 = None;
    }
}

/// Writes a file that appears whole or not at all.
#[pyfunction]
pub fn write_file(py: Python<'_>, path: PathBuf, data: &[u8]) -> PyResult<()> {
    py.detach(|| Ok(atomic::write(&path, data)?))
}

/// A JSON object with a checksum.
#[pyfunction]
pub fn seal(object: &str) -> String {
    sealing::seal(object, "")
}

/// The JSON object that was sealed; None if it is not what was written.
#[pyfunction]
pub fn unseal(text: &str) -> Option<String> {
    sealing::unseal(text.trim_end(), "").ok()
}
