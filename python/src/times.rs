//! Predicted times in words.

use crate::errors::input_error;
use clearway_forge::grade::HumanTime;
use pyo3::prelude::*;

/// Formats a predicted time, given as the JSON object of a grade, as the command line does.
#[pyfunction]
pub fn time_in_words(human: &str) -> PyResult<String> {
    let human: HumanTime = serde_json::from_str(human).map_err(|error| input_error(&error.to_string()))?;
    Ok(human.to_string())
}
