//! The time that people need for a board, as a model predicts it.

use clearway_rush::Board;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The model, fitted to the mean logarithms of the times that 86 people took for 70 puzzles of 6x6 (data published by
/// Bao, Li, Ma and others, New York University): a constant, and factors for moves, depth and vehicles moved.
const CONSTANT: f64 = 1.401;
const PER_MOVE: f64 = 0.0962;
const PER_DEPTH: f64 = 0.0348;
const PER_VEHICLE: f64 = 0.1101;
/// The standard deviation of what it leaves unexplained, in logarithms of seconds.
const RESIDUAL: f64 = 0.24;
/// 95 % of a normal distribution lie within so many standard deviations.
const WITHIN: f64 = 1.96;
/// No prediction is longer, in logarithms of seconds: a number must stay one.
const LONGEST: f64 = 700.0;

/// What the puzzles were like that the model was fitted to.
const MOVES: RangeInclusive<u32> = 6..=15;
const DEPTH: RangeInclusive<u32> = 6..=35;
const VEHICLES: RangeInclusive<f64> = 5.0..=9.0;
const SIDE: u8 = 6;

/// The time that people need for a board: the model's prediction of the mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HumanTime {
    /// The prediction.
    pub seconds: f64,
    /// The 95 % interval around it.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// In what the board lies outside of the puzzles that the model was fitted to. If in anything, the prediction
    /// extrapolates, and the interval is only what it would be inside.
    pub beyond: Vec<Beyond>,
}

/// A respect in which a board may lie outside of what the model was fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Beyond {
    /// Not 6 to 15 moves.
    Moves,
    /// Not a depth of 6 to 35.
    Depth,
    /// Not 5 to 9 vehicles moved.
    Vehicles,
    /// Not a board of 6x6.
    Size,
    /// A board with walls.
    Walls,
}

impl HumanTime {
    /// The prediction for a board of so many moves, such a depth, and so many different vehicles moved in the mean of its
    /// shortest solutions.
    pub fn predict(board: &Board, moves: u32, depth: u32, vehicles: f64) -> HumanTime {
        let logarithm = CONSTANT + PER_MOVE * f64::from(moves) + PER_DEPTH * f64::from(depth) + PER_VEHICLE * vehicles;
        let logarithm = logarithm.min(LONGEST);
        let margin = WITHIN * RESIDUAL;
        let respects = [
            (Beyond::Moves, MOVES.contains(&moves)),
            (Beyond::Depth, DEPTH.contains(&depth)),
            (Beyond::Vehicles, VEHICLES.contains(&vehicles)),
            (Beyond::Size, board.width() == SIDE && board.height() == SIDE),
            (Beyond::Walls, board.walls().is_empty()),
        ];
        HumanTime {
            seconds: logarithm.exp(),
            low: (logarithm - margin).exp(),
            high: (logarithm + margin).exp(),
            beyond: respects.into_iter().filter(|(_, inside)| !inside).map(|(respect, _)| respect).collect(),
        }
    }

    /// Whether the board lies outside of what the model was fitted to.
    pub fn extrapolates(&self) -> bool {
        !self.beyond.is_empty()
    }
}
