//! Files of cluster jobs: written atomically, with checksums, in folders that are locked.

use crate::errors::input_error;
use clearway_util::{atomic, lock, seal as sealing};
use pyo3::prelude::*;
use std::path::PathBuf;

/// An exclusive lock on a folder, held until `release` is called or the object is deleted.
#[pyclass(module = "clearway._native")]
pub struct FolderLock(Option<lock::FolderLock>);

#[pymethods]
impl FolderLock {
    #[new]
    fn new(path: PathBuf) -> PyResult<FolderLock> {
        lock::FolderLock::acquire(&path)
            .map(|lock| FolderLock(Some(lock)))
            .map_err(|error| input_error(&error.to_string()))
    }

    /// Releases the lock; releasing it again has no effect.
    fn release(&mut self) {
        self.0 = None;
    }
}

/// Writes a file atomically: it is either complete or unchanged.
#[pyfunction]
pub fn write_file(py: Python<'_>, path: PathBuf, data: &[u8]) -> PyResult<()> {
    py.detach(|| Ok(atomic::write(&path, data)?))
}

/// Adds a checksum to a JSON object.
#[pyfunction]
pub fn seal(object: &str) -> String {
    sealing::seal(object, "")
}

/// Returns a sealed JSON object without its checksum, or None if the checksum is missing or wrong.
#[pyfunction]
pub fn unseal(text: &str) -> Option<String> {
    sealing::unseal(text.trim_end(), "").ok()
}
