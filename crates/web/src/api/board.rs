//! The board that a request is about, and how much its search may take.

use crate::error::ApiError;
use clearway_rush::Metric;
use clearway_rush::formats::{Puzzle, ReadOptions, Reader};
use clearway_search::Limits;
use serde::Deserialize;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;
use utoipa::ToSchema;

/// A board as text. Its fields are part of many requests.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct BoardText {
    /// The board, in any text format.
    #[schema(example = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")]
    pub board: String,
    /// The format of the text: line, grid, van-dijk, it3105, course, traffic-jam, json or tsv. Detected if it is not given.
    #[serde(default)]
    pub format: Option<String>,
    /// The size of boards in formats that do not carry it, such as 6x6 or 7x5.
    #[serde(default)]
    #[schema(example = "6x6")]
    pub size: Option<String>,
    /// The exit, whatever the text says: right, left, top or bottom for the target, or with a line counted from 0, such as
    /// top:5, for any vehicle there.
    #[serde(default)]
    #[schema(example = "right")]
    pub exit: Option<String>,
}

impl BoardText {
    /// The board, with what came with it. There has to be one, and only one.
    pub fn read(&self) -> Result<Puzzle, ApiError> {
        let options = ReadOptions {
            format: self.format.as_deref().map(word).transpose()?,
            size: self.size.as_deref().map(word).transpose()?,
            exit: self.exit.as_deref().map(word).transpose()?,
            source_name: "board".to_owned(),
        };
        let mut boards = Reader::new(self.board.as_bytes(), options);
        let Some(first) = boards.next() else {
            return Err(
                ApiError::bad_request("the text holds no board").with_help("GET /api/v1/suites/cards shows some")
            );
        };
        let first = first.map_err(|error| ApiError::of_report(&error))?;
        match boards.next() {
            None => Ok(first),
            Some(_) => Err(ApiError::bad_request("the text holds more than one board")),
        }
    }
}

/// A text alone.
impl From<String> for BoardText {
    fn from(board: String) -> BoardText {
        BoardText { board, format: None, size: None, exit: None }
    }
}

/// What is made shortest.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MetricName {
    /// A slide of any length counts 1.
    #[default]
    Moves,
    /// One cell counts 1.
    Steps,
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Metric {
        match name {
            MetricName::Moves => Metric::Moves,
            MetricName::Steps => Metric::Steps,
        }
    }
}

/// How much a search may take. The server has limits of its own, and the lower ones hold.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
pub struct Effort {
    /// Give up after expanding so many states.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub node_limit: Option<u64>,
    /// Give up after so many seconds.
    #[serde(default)]
    #[schema(exclusive_minimum = 0)]
    pub time_limit: Option<f64>,
    /// Give up before taking more than so many bytes.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub memory: Option<usize>,
}

impl Effort {
    /// As limits.
    pub fn limits(&self) -> Result<Limits, ApiError> {
        let none = |name: &str| ApiError::bad_request(format!("{name} has to be more than 0"));
        if self.node_limit == Some(0) {
            return Err(none("node_limit"));
        }
        if self.memory == Some(0) {
            return Err(none("memory"));
        }
        let time = match self.time_limit {
            // What is longer than any time that there is, is no limit.
            Some(seconds) if seconds > 0.0 => Duration::try_from_secs_f64(seconds).ok(),
            Some(_) => return Err(none("time_limit")),
            None => None,
        };
        Ok(Limits { nodes: self.node_limit, time, memory: self.memory, cancel: None })
    }
}

/// What a word of a request stands for: a format, a size, an exit.
pub fn word<T: FromStr<Err: Display>>(text: &str) -> Result<T, ApiError> {
    text.parse().map_err(|error: T::Err| ApiError::bad_request(error.to_string()))
}
