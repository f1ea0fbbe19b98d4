//! The predicted time that people need for a board.

use super::time_model::TimeModel;
use clearway_rush::Board;
use serde::{Deserialize, Serialize};
use std::fmt;

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3_600.0;

/// Predicted mean time that people need for a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HumanTime {
    /// Predicted time, in seconds.
    pub seconds: f64,
    /// Lower end of the 95 % interval, in seconds.
    pub low: f64,
    /// Upper end of the 95 % interval, in seconds.
    pub high: f64,
    /// Properties in which the board is outside of the range of the puzzles that the model was fitted to. If there are any, the
    /// prediction is an extrapolation, for which the interval does not account.
    pub beyond: Vec<Beyond>,
}

/// Property in which a board is outside of the range that the model was fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum Beyond {
    /// The shortest solution is shorter or longer: the default model knows 6 to 15 moves.
    Moves,
    /// The depth is lower or higher: the default model knows 6 to 35.
    Depth,
    /// Shortest solutions move fewer or more vehicles on average: the default model knows 5 to 9.
    Vehicles,
    /// The board is smaller or larger: the default model knows 6x6.
    Size,
    /// The board has walls, and the default model knows none.
    Walls,
}

impl HumanTime {
    /// Predicts the time for a board with the default model; see [`TimeModel::predict`].
    pub fn predict(board: &Board, moves: u32, depth: u32, vehicles: f64) -> HumanTime {
        TimeModel::default().predict(board, moves, depth, vehicles)
    }

    /// Predicts the time for a board from the moves alone with the default model; see [`TimeModel::predict_from_moves`].
    pub fn from_moves(board: &Board, moves: u32) -> HumanTime {
        TimeModel::default().predict_from_moves(board, moves)
    }

    /// Returns whether the board is outside of the range that the model was fitted to.
    pub fn extrapolates(&self) -> bool {
        !self.beyond.is_empty()
    }

    /// Returns the numbers to show, rounded.
    pub(crate) fn parts(&self) -> TimeParts {
        if self.seconds >= HOUR {
            return TimeParts::AboveAnHour;
        }
        if self.extrapolates() {
            let (time, unit) = match self.seconds {
                seconds if seconds < 1.5 * MINUTE => (rounded(seconds, 5.0), "s"),
                seconds if seconds < 10.0 * MINUTE => (rounded(seconds / MINUTE, 1.0), "min"),
                // From 57.5 minutes on, rounding would yield a full hour.
                seconds => (rounded((seconds / MINUTE).min(55.0), 5.0), "min"),
            };
            return TimeParts::Extrapolated { time, unit };
        }
        // Inside the range of the default model, no end of an interval is above 200 seconds; other models know longer times.
        let (unit, length) = if self.high < 10.0 * MINUTE { ("s", 1.0) } else { ("min", MINUTE) };
        let [time, low, high] = [self.seconds, self.low, self.high].map(|seconds| rounded(seconds / length, 1.0));
        TimeParts::Interval { time, low, high, unit }
    }
}

/// A predicted time as it is shown, in any language.
pub(crate) enum TimeParts {
    AboveAnHour,
    Extrapolated { time: f64, unit: &'static str },
    Interval { time: f64, low: f64, high: f64, unit: &'static str },
}

/// Formats the time for people, as precisely as the model knows it: with the 95 % interval inside the range that the model was
/// fitted to, rounded outside of it, and from one hour on without a number. The alternate form `{:#}` names the interval. The
/// page has a function with the same rules: `timeNeeded` in `crates/web/page/js/levels.js`.
///
/// ```
/// use clearway_forge::grade::HumanTime;
/// use clearway_rush::formats;
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let inside = HumanTime::predict(&board, 8, 9, 8.0);
/// assert_eq!(inside.to_string(), "about 28 s (18 to 45 s)");
/// assert_eq!(format!("{inside:#}"), "about 28 s (95 % interval: 18 to 45 s)");
/// assert_eq!(HumanTime::predict(&board, 50, 50, 10.0).to_string(), "about 8 min (extrapolated)");
/// assert_eq!(HumanTime::predict(&board, 500, 500, 10.0).to_string(), "more than an hour");
/// ```
impl fmt::Display for HumanTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.parts() {
            TimeParts::AboveAnHour => "more than an hour".to_owned(),
            TimeParts::Extrapolated { time, unit } => format!("about {time} {unit} (extrapolated)"),
            TimeParts::Interval { time, low, high, unit } => {
                let name = if f.alternate() { "95 % interval: " } else { "" };
                format!("about {time} {unit} ({name}{low} to {high} {unit})")
            }
        };
        f.pad(&text)
    }
}

/// Rounds to a multiple of `step`, at least `step` itself.
fn rounded(value: f64, step: f64) -> f64 {
    ((value / step).round() * step).max(step)
}
