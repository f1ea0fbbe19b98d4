//! Model that predicts the time people need for a board.

use clearway_rush::Board;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// Coefficients of the model, a power law: the logarithm of the time is linear in the logarithms of moves, depth and vehicles
/// moved. It was fitted to the mean logarithms of the times that 86 people took for 70 puzzles of 6x6 (data published by Bao,
/// Li, Ma and others, New York University).
const CONSTANT: f64 = -1.0114;
const MOVES_EXPONENT: f64 = 0.9067;
const DEPTH_EXPONENT: f64 = 0.6018;
const VEHICLES_EXPONENT: f64 = 0.5463;
/// Standard deviation of the residuals, in logarithms of seconds.
const RESIDUAL: f64 = 0.238;
/// The same for a model with the moves alone, for boards whose component is too large to explore.
const MOVES_ONLY_CONSTANT: f64 = 0.0571;
const MOVES_ONLY_EXPONENT: f64 = 1.584;
const MOVES_ONLY_RESIDUAL: f64 = 0.264;
/// Number of standard deviations around the mean that contain 95 % of a normal distribution.
const WITHIN: f64 = 1.96;

/// Ranges of the puzzles that the model was fitted to.
const MOVES: RangeInclusive<u32> = 6..=15;
const DEPTH: RangeInclusive<u32> = 6..=35;
const VEHICLES: RangeInclusive<f64> = 5.0..=9.0;
const SIDE: u8 = 6;

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
    /// The shortest solution does not have 6 to 15 moves.
    Moves,
    /// The depth is not 6 to 35.
    Depth,
    /// Shortest solutions do not move 5 to 9 vehicles on average.
    Vehicles,
    /// The board is not 6x6.
    Size,
    /// The board has walls.
    Walls,
}

impl Beyond {
    /// Returns the range in words, such as "boards of 6x6".
    pub fn range(self) -> &'static str {
        match self {
            Beyond::Moves => "6 to 15 moves",
            Beyond::Depth => "a depth of 6 to 35",
            Beyond::Vehicles => "5 to 9 vehicles moved",
            Beyond::Size => "boards of 6x6",
            Beyond::Walls => "boards without walls",
        }
    }
}

impl HumanTime {
    /// Predicts the time for a board from the moves of its shortest solution, the depth of its component, and the number of
    /// vehicles that shortest solutions move on average. It is 0 for a solved board, which needs no moves.
    pub fn predict(board: &Board, moves: u32, depth: u32, vehicles: f64) -> HumanTime {
        let logarithm = CONSTANT
            + MOVES_EXPONENT * f64::from(moves).ln()
            + DEPTH_EXPONENT * f64::from(depth).ln()
            + VEHICLES_EXPONENT * vehicles.ln();
        let known = [(Beyond::Depth, DEPTH.contains(&depth)), (Beyond::Vehicles, VEHICLES.contains(&vehicles))];
        HumanTime::new(board, moves, logarithm, RESIDUAL, &known)
    }

    /// Predicts the time for a board from the moves of its shortest solution alone. It is 0 for a solved board.
    pub fn from_moves(board: &Board, moves: u32) -> HumanTime {
        let logarithm = MOVES_ONLY_CONSTANT + MOVES_ONLY_EXPONENT * f64::from(moves).ln();
        HumanTime::new(board, moves, logarithm, MOVES_ONLY_RESIDUAL, &[])
    }

    /// Creates a prediction. Each property of `known` comes with whether it is inside of its range. The logarithm of 0 is minus
    /// infinity, whose exponential is 0 again.
    fn new(board: &Board, moves: u32, logarithm: f64, residual: f64, known: &[(Beyond, bool)]) -> HumanTime {
        let margin = WITHIN * residual;
        let of_board = [
            (Beyond::Size, board.width() == SIDE && board.height() == SIDE),
            (Beyond::Walls, board.walls().is_empty()),
        ];
        let properties = [&[(Beyond::Moves, MOVES.contains(&moves))], known, &of_board].concat();
        HumanTime {
            seconds: logarithm.exp(),
            low: (logarithm - margin).exp(),
            high: (logarithm + margin).exp(),
            beyond: properties.into_iter().filter(|(_, inside)| !inside).map(|(property, _)| property).collect(),
        }
    }

    /// Returns whether the board is outside of the range that the model was fitted to.
    pub fn extrapolates(&self) -> bool {
        !self.beyond.is_empty()
    }
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
        let text = if self.seconds >= HOUR {
            "more than an hour".to_owned()
        } else if self.extrapolates() {
            let (time, unit) = match self.seconds {
                seconds if seconds < 1.5 * MINUTE => (rounded(seconds, 5.0), "s"),
                seconds if seconds < 10.0 * MINUTE => (rounded(seconds / MINUTE, 1.0), "min"),
                seconds => (rounded(seconds / MINUTE, 5.0), "min"),
            };
            format!("about {time} {unit} (extrapolated)")
        } else {
            // Inside the range, no end of an interval is above 200 seconds.
            let name = if f.alternate() { "95 % interval: " } else { "" };
            let [time, low, high] = [self.seconds, self.low, self.high].map(|seconds| rounded(seconds, 1.0));
            format!("about {time} s ({name}{low} to {high} s)")
        };
        f.pad(&text)
    }
}

/// Rounds to a multiple of `step`, at least `step` itself.
fn rounded(value: f64, step: f64) -> f64 {
    ((value / step).round() * step).max(step)
}
