//! The board that a request is about, and how much its search may take.

use crate::error::ApiError;
use clearway_rush::formats::{Format, Puzzle, ReadOptions, Reader};
use clearway_rush::{Exit, MAX_SIDE, MIN_SIDE, Metric};
use clearway_search::Limits;
use serde::Deserialize;
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
            format: self.format.as_deref().map(format).transpose()?,
            size: self.size.as_deref().map(size).transpose()?,
            exit: self.exit.as_deref().map(exit).transpose()?,
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

/// A format by its name.
pub fn format(name: &str) -> Result<Format, ApiError> {
    Format::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        ApiError::bad_request(format!("there is no format '{name}'"))
            .with_help(format!("formats: {}", known.join(", ")))
    })
}

/// A size such as 6x6.
pub fn size(text: &str) -> Result<(u8, u8), ApiError> {
    let side = |text: &str| text.parse().ok().filter(|side| (MIN_SIDE..=MAX_SIDE).contains(side));
    let size = text.split_once(['x', 'X']).and_then(|(width, height)| Some((side(width)?, side(height)?)));
    size.ok_or_else(|| {
        ApiError::bad_request(format!("'{text}' is not a size"))
            .with_help(format!("width and height from {MIN_SIDE} to {MAX_SIDE} are expected, such as 6x6 or 7x5"))
    })
}

/// An exit such as right or top:5.
pub fn exit(text: &str) -> Result<Exit, ApiError> {
    Exit::parse(text).ok_or_else(|| {
        ApiError::bad_request(format!("'{text}' is not an exit"))
            .with_help("right, left, top or bottom is expected, or one with a line, such as top:5")
    })
}
