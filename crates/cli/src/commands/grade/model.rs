//! Reads a model of the time, and other files that are read as a whole.

use crate::failure::Failure;
use clearway_forge::grade::TimeModel;
use clearway_lab::solving_times::model_from_json;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Maximum size of a file with a model, in bytes.
const MAX_MODEL_BYTES: usize = 1_000_000;

/// Reads a model of the time from a file.
pub fn read(path: &Path) -> Result<TimeModel, Failure> {
    let text = read_file(path, MAX_MODEL_BYTES)?;
    model_from_json(&text).map_err(|error| Failure::bad_input(miette::miette!("{}: {error}", path.display())))
}

/// Reads a file, but at most one byte more than `most`, so that a reader can refuse a file that is too large.
pub fn read_file(path: &Path, most: usize) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most as u64 + 1).read_to_end(&mut text));
    read.map_err(|error| Failure::bad_input(miette::miette!("cannot read {}: {error}", path.display())))?;
    Ok(text)
}
