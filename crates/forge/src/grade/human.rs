//! Model that predicts the time people need for a board.

use clearway_rush::Board;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Coefficients of the model: it is linear in the logarithm of the time, with a constant and coefficients for moves, depth and
/// vehicles moved. It was fitted to the mean logarithms of the times that 86 people took for 70 puzzles of 6x6 (data published
/// by Bao, Li, Ma and others, New York University).
const CONSTANT: f64 = 1.401;
const PER_MOVE: f64 = 0.0962;
const PER_DEPTH: f64 = 0.0348;
const PER_VEHICLE: f64 = 0.1101;
/// Standard deviation of the residuals, in logarithms of seconds.
const RESIDUAL: f64 = 0.24;
/// The same for a model with the logarithm of the moves alone, for boards whose component is too large to explore.
const MOVES_CONSTANT: f64 = 0.0571;
const PER_LOG_MOVES: f64 = 1.584;
const MOVES_RESIDUAL: f64 = 0.264;
/// Number of standard deviations around the mean that contain 95 % of a normal distribution.
const WITHIN: f64 = 1.96;
/// Maximum prediction, in logarithms of seconds: its exponential must be finite.
const LONGEST: f64 = 700.0;

/// Ranges of the puzzles that the model was fitted to.
const MOVES: RangeInclusive<u32> = 6..=15;
const DEPTH: RangeInclusive<u32> = 6..=35;
const VEHICLES: RangeInclusive<f64> = 5.0..=9.0;
const SIDE: u8 = 6;

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

impl HumanTime {
    /// Predicts the time for a board from the moves of its shortest solution, the depth of its component, and the number of
    /// vehicles that shortest solutions move on average.
    pub fn predict(board: &Board, moves: u32, depth: u32, vehicles: f64) -> HumanTime {
        let logarithm = CONSTANT + PER_MOVE * f64::from(moves) + PER_DEPTH * f64::from(depth) + PER_VEHICLE * vehicles;
        let known = [(Beyond::Depth, DEPTH.contains(&depth)), (Beyond::Vehicles, VEHICLES.contains(&vehicles))];
        HumanTime::new(board, moves, logarithm, RESIDUAL, &known)
    }

    /// Predicts the time for a board from the moves of its shortest solution alone.
    pub fn from_moves(board: &Board, moves: u32) -> HumanTime {
        let logarithm = MOVES_CONSTANT + PER_LOG_MOVES * f64::from(moves).ln();
        HumanTime::new(board, moves, logarithm, MOVES_RESIDUAL, &[])
    }

    /// Creates a prediction. Each property of `known` comes with whether it is inside of its range.
    fn new(board: &Board, moves: u32, logarithm: f64, residual: f64, known: &[(Beyond, bool)]) -> HumanTime {
        let logarithm = logarithm.min(LONGEST);
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
