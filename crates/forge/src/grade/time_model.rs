//! Models of the time that people need for a board, fitted to measured times.

use super::human::{Beyond, HumanTime};
use clearway_rush::Board;
use serde::{Deserialize, Serialize};

/// Number of standard deviations around the mean that contain 95 % of a normal distribution.
const WITHIN: f64 = 1.96;

/// Power law for the time that people need: the logarithm of the time is linear in the logarithms of moves, depth and vehicles
/// moved. The default is the model of all grades, unless another one is given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeModel {
    /// Natural logarithm of the time in seconds if moves, depth and vehicles are all 1.
    pub constant: f64,
    /// Exponent of the moves of a shortest solution.
    pub moves: f64,
    /// Exponent of the depth.
    pub depth: f64,
    /// Exponent of the mean number of vehicles that shortest solutions move.
    pub vehicles: f64,
    /// Standard deviation of the residuals, in natural logarithms of seconds.
    pub residual: f64,
    /// Model for boards whose depth and vehicles are unknown.
    pub moves_only: MovesModel,
    /// Ranges of the boards that the model was fitted to.
    pub range: DataRange,
}

/// Power law in the moves alone, with the same units as [`TimeModel`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the fields are those of `TimeModel`
pub struct MovesModel {
    pub constant: f64,
    pub moves: f64,
    pub residual: f64,
}

/// Lowest and highest values of the boards that a model was fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataRange {
    /// Moves of a shortest solution.
    pub moves: [u32; 2],
    /// Depth.
    pub depth: [u32; 2],
    /// Mean number of vehicles that shortest solutions move.
    pub vehicles: [f64; 2],
    /// Width and height.
    pub side: [u8; 2],
    /// Whether some boards had walls.
    pub walls: bool,
}

/// The model fitted to the mean logarithms of the times that 86 people took for 70 puzzles of 6x6 (data published by Bao, Li, Ma
/// and others, New York University).
impl Default for TimeModel {
    fn default() -> TimeModel {
        TimeModel {
            constant: -1.0114,
            moves: 0.9067,
            depth: 0.6018,
            vehicles: 0.5463,
            residual: 0.238,
            moves_only: MovesModel { constant: 0.0571, moves: 1.584, residual: 0.264 },
            range: DataRange { moves: [6, 15], depth: [6, 35], vehicles: [5.0, 9.0], side: [6, 6], walls: false },
        }
    }
}

impl TimeModel {
    /// Predicts the time for a board from the moves of its shortest solution, the depth of its component, and the number of
    /// vehicles that shortest solutions move on average. It is 0 for a solved board, which needs no moves.
    pub fn predict(&self, board: &Board, moves: u32, depth: u32, vehicles: f64) -> HumanTime {
        let logarithm = self.constant
            + self.moves * f64::from(moves).ln()
            + self.depth * f64::from(depth).ln()
            + self.vehicles * vehicles.ln();
        let [least, most] = self.range.vehicles;
        let known = [
            (Beyond::Depth, is_within(depth, self.range.depth)),
            (Beyond::Vehicles, (least..=most).contains(&vehicles)),
        ];
        self.prediction(board, moves, logarithm, self.residual, &known)
    }

    /// Predicts the time for a board from the moves of its shortest solution alone. It is 0 for a solved board.
    pub fn predict_from_moves(&self, board: &Board, moves: u32) -> HumanTime {
        let model = self.moves_only;
        self.prediction(board, moves, model.logarithm(moves), model.residual, &[])
    }

    /// Creates a prediction. Each property of `known` comes with whether it is inside of its range. The logarithm of 0 is minus
    /// infinity, whose exponential is 0 again.
    fn prediction(
        &self,
        board: &Board,
        moves: u32,
        logarithm: f64,
        residual: f64,
        known: &[(Beyond, bool)],
    ) -> HumanTime {
        let margin = WITHIN * residual;
        let of_board = [
            (Beyond::Size, [board.width(), board.height()].iter().all(|&side| is_within(side, self.range.side))),
            (Beyond::Walls, self.range.walls || board.walls().is_empty()),
        ];
        let properties = [&[(Beyond::Moves, is_within(moves, self.range.moves))], known, &of_board].concat();
        HumanTime {
            seconds: logarithm.exp(),
            low: (logarithm - margin).exp(),
            high: (logarithm + margin).exp(),
            beyond: properties.into_iter().filter(|(_, inside)| !inside).map(|(property, _)| property).collect(),
        }
    }

    /// Returns the exponents of moves, depth and vehicles.
    pub fn exponents(&self) -> [f64; 3] {
        [self.moves, self.depth, self.vehicles]
    }

    /// Returns whether every number has a plausible size and the ranges are in order, as in every model that was fitted to data.
    pub fn is_plausible(&self) -> bool {
        let MovesModel { constant, moves, residual } = self.moves_only;
        let numbers = [self.constant, self.moves, self.depth, self.vehicles, constant, moves];
        let DataRange { moves: lengths, depth, vehicles, side, .. } = self.range;
        numbers.iter().all(|number| number.abs() <= 100.0)
            && [self.residual, residual].iter().all(|residual| (0.0..=10.0).contains(residual))
            && [lengths, depth].iter().all(|[least, most]| least <= most)
            && vehicles[0] <= vehicles[1]
            && side[0] <= side[1]
    }
}

impl MovesModel {
    /// Returns the mean time in seconds for a puzzle with this number of moves.
    pub fn seconds(&self, moves: u32) -> f64 {
        self.logarithm(moves).exp()
    }

    fn logarithm(&self, moves: u32) -> f64 {
        self.constant + self.moves * f64::from(moves).ln()
    }
}

impl DataRange {
    /// Returns the range of a property in words, such as "boards of 6x6".
    pub fn in_words(&self, property: Beyond) -> String {
        let DataRange { moves, depth, vehicles, side: [least, most], .. } = self;
        match property {
            Beyond::Moves => format!("{} to {} moves", moves[0], moves[1]),
            Beyond::Depth => format!("a depth of {} to {}", depth[0], depth[1]),
            Beyond::Vehicles => format!("{} to {} vehicles moved", decimal(vehicles[0]), decimal(vehicles[1])),
            Beyond::Size if least == most => format!("boards of {least}x{least}"),
            Beyond::Size => format!("boards of {least}x{least} to {most}x{most}"),
            Beyond::Walls => "boards without walls".to_owned(),
        }
    }
}

/// Rounds to one decimal, which is omitted if it is zero.
fn decimal(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn is_within<T: PartialOrd + Copy>(value: T, [least, most]: [T; 2]) -> bool {
    (least..=most).contains(&value)
}
