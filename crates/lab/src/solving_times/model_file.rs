//! Models of the time as JSON files.

use super::FitReport;
use clearway_forge::grade::TimeModel;
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;

const FORMAT: &str = "clearway time model";
const VERSION: u64 = 1;

/// Error of a file with a model of the time.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// The file is not JSON.
    #[error("the file is not JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    /// The file is JSON, but not a model.
    #[error("the file does not contain a model of the time; clearway grade --fit RESULTS --out MODEL writes one")]
    NotModel,
    /// The version is unknown.
    #[error("the file has version {0}; expected {VERSION}")]
    UnknownVersion(Value),
    /// A field of the model is missing or has the wrong type.
    #[error("invalid model: {0}")]
    InvalidField(#[source] serde_json::Error),
    /// A number of the model is out of range.
    #[error("invalid model: a number is out of range")]
    OutOfRange,
}

impl FitReport {
    /// Returns the report with its model as a JSON object, which [`model_from_json`] reads.
    pub fn to_json(&self) -> Value {
        let mut file = json!({ "format": FORMAT, "version": VERSION });
        if let (Value::Object(file), Ok(Value::Object(report))) = (&mut file, serde_json::to_value(self)) {
            file.extend(report);
        }
        file
    }
}

/// Reads a model of the time.
pub fn model_from_json(text: &[u8]) -> Result<TimeModel, ModelFileError> {
    let file: Value = serde_json::from_slice(text).map_err(ModelFileError::NotJson)?;
    if file.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(ModelFileError::NotModel);
    }
    if file.get("version").and_then(Value::as_u64) != Some(VERSION) {
        return Err(ModelFileError::UnknownVersion(file.get("version").cloned().unwrap_or_default()));
    }
    let model = TimeModel::deserialize(&file["model"]).map_err(ModelFileError::InvalidField)?;
    if model.is_plausible() { Ok(model) } else { Err(ModelFileError::OutOfRange) }
}
