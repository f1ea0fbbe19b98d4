//! The board of a request, and the limits of its search.

use crate::RequestError;
use clearway_rush::Metric;
use clearway_rush::formats::{Puzzle, ReadOptions, Reader};
use clearway_search::Limits;
use serde::Deserialize;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;
use utoipa::ToSchema;

/// A board as text; part of many requests.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct BoardText {
    /// The board, in any text format.
    #[schema(example = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")]
    pub board: String,
    /// The format of the text: line, grid, van-dijk, it3105, course, traffic-jam, json or tsv. Detected by default.
    #[serde(default)]
    pub format: Option<String>,
    /// The size of the board, such as 6x6 or 7x5, for formats that do not contain it.
    #[serde(default)]
    #[schema(example = "6x6")]
    pub size: Option<String>,
    /// The exit, which overrides that of the text: right, left, top or bottom for the target, or with a line counted from 0,
    /// such as top:5, for any vehicle in that line.
    #[serde(default)]
    #[schema(example = "right")]
    pub exit: Option<String>,
}

impl BoardText {
    /// Parses the text, which must contain exactly one board.
    pub fn read(&self) -> Result<Puzzle, RequestError> {
        let options = ReadOptions {
            format: self.format.as_deref().map(parse_field).transpose()?,
            size: self.size.as_deref().map(parse_field).transpose()?,
            exit: self.exit.as_deref().map(parse_field).transpose()?,
            source_name: "board".to_owned(),
        };
        let mut boards = Reader::new(self.board.as_bytes(), options);
        let Some(first) = boards.next() else {
            return Err(RequestError::bad_request("the text contains no board")
                .with_help("GET /api/v1/suites/cards returns examples"));
        };
        let first = first.map_err(|error| RequestError::from_parse(&error))?;
        match boards.next() {
            None => Ok(first),
            Some(_) => Err(RequestError::bad_request("the text contains more than one board")),
        }
    }
}

/// Only the text; format, size and exit are detected.
impl From<String> for BoardText {
    fn from(board: String) -> BoardText {
        BoardText { board, format: None, size: None, exit: None }
    }
}

/// Limits of a search. The server has limits of its own; the lower one applies.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
pub struct SearchLimits {
    /// Maximum number of states to expand.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub node_limit: Option<u64>,
    /// Time limit in seconds.
    #[serde(default)]
    #[schema(exclusive_minimum = 0)]
    pub time_limit: Option<f64>,
    /// Memory limit in bytes.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub memory: Option<usize>,
}

impl SearchLimits {
    /// Validates the limits.
    pub fn to_limits(self) -> Result<Limits, RequestError> {
        let not_positive = |name: &str| RequestError::bad_request(format!("{name} must be greater than 0"));
        if self.node_limit == Some(0) {
            return Err(not_positive("node_limit"));
        }
        if self.memory == Some(0) {
            return Err(not_positive("memory"));
        }
        let time = match self.time_limit {
            // A time beyond the range of `Duration` does not limit anything.
            Some(seconds) if seconds > 0.0 => Duration::try_from_secs_f64(seconds).ok(),
            Some(_) => return Err(not_positive("time_limit")),
            None => None,
        };
        Ok(Limits { nodes: self.node_limit, time, memory: self.memory, cancel: None })
    }
}

/// A board to search, with limits, a metric, and the options of the call.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardRequest<O> {
    /// Board to search, as text, and its format.
    #[serde(flatten)]
    pub board: BoardText,
    /// Limits of the search; those of the server apply as well.
    #[serde(flatten)]
    pub limits: SearchLimits,
    /// Metric to minimise, and of all lengths and distances.
    #[serde(default)]
    pub metric: Metric,
    /// The options of the call.
    #[serde(flatten)]
    pub options: O,
}

/// The options of a call that has none.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NoOptions {}

/// Parses a field of a request: a format, a size, an exit.
pub fn parse_field<T: FromStr<Err: Display>>(text: &str) -> Result<T, RequestError> {
    text.parse().map_err(|error: T::Err| RequestError::bad_request(error.to_string()))
}
