//! The model of the time fitted to measured times, and its error compared with that of the default model.

use super::SolvingTimes;
use super::regression::{Fitted, Prior, Row};
use clearway_forge::grade::{DataRange, MovesModel, TimeModel};
use clearway_rush::{Board, formats};
use serde::Serialize;
use std::collections::BTreeMap;
use thiserror::Error;

/// Fewest times and boards that a model is fitted to: fewer determine the exponents too poorly.
const MIN_TIMES: usize = 30;
const MIN_BOARDS: usize = 20;
/// Fewest times of a player. With fewer, the player's speed would explain most of the times.
const MIN_TIMES_OF_PLAYER: usize = 5;
/// Standard deviation of an exponent around that of the default model, before any time is known. Moves, depth and vehicles grow
/// together, so that few times determine their sum well but not each of them.
const PRIOR_DEVIATION: f64 = 0.5;
/// Number of parts of the boards in the cross-validation.
const FOLDS: usize = 10;

/// Measures of a board that the time depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Moves of a shortest solution.
    pub moves: u32,
    /// Depth, and the mean number of vehicles that shortest solutions move; `None` if there are too many states to know.
    pub depth_and_vehicles: Option<(u32, f64)>,
}

/// A model fitted to measured times.
#[derive(Clone, Debug, Serialize)]
pub struct FitReport {
    /// Number of times that the model was fitted to.
    pub times: usize,
    /// Number of boards with such a time.
    pub boards: usize,
    /// Number of players.
    pub players: usize,
    /// Number of times that were left out, because their player has too few or the measures of their board are unknown.
    pub unused: usize,
    /// Fitted model.
    pub model: TimeModel,
    /// Errors of predictions.
    pub errors: PredictionErrors,
}

/// The mean factor between a measured and a predicted time, for boards that the model was not fitted to: the exponential of the
/// mean absolute difference of their logarithms. A factor of 1 means no error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PredictionErrors {
    /// Default model.
    pub default: f64,
    /// Default model with the speed of each player.
    pub default_with_speeds: f64,
    /// Model fitted to the times, with the speed of each player.
    pub fitted: f64,
}

/// Reason why no model was fitted.
#[derive(Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FitError {
    /// There are too few times.
    #[error(
        "too few solving times: {times} on {boards} different boards; at least {MIN_TIMES} on {MIN_BOARDS} boards are needed, \
         with at least {MIN_TIMES_OF_PLAYER} of each player"
    )]
    TooFew {
        /// Number of times that can be used.
        times: usize,
        /// Number of their boards.
        boards: usize,
    },
    /// A game is shorter than a shortest solution.
    #[error("the board {board} is solved in {moves} moves, but it needs {needed}")]
    Impossible {
        /// Board in line format.
        board: String,
        /// Number of moves of the game.
        moves: u32,
        /// Number of moves of a shortest solution.
        needed: u32,
    },
}

/// A time with everything known about its board.
struct Sample<'a> {
    player: usize,
    board: &'a Board,
    moves: f64,
    depth_and_vehicles: [f64; 2],
    time: f64,
}

/// Fits a model to times. `measures` returns the measures of a board, or `None` if they are unknown.
pub fn fit(times: &SolvingTimes, measures: impl Fn(&Board) -> Option<Measures>) -> Result<FitReport, FitError> {
    let first = times.first_times();
    let mut samples = Vec::new();
    for (player, time) in &first {
        let Some(known) = measures(&time.board) else { continue };
        if time.moves < known.moves {
            let board = formats::line(&time.board);
            return Err(FitError::Impossible { board, moves: time.moves, needed: known.moves });
        }
        let Some((depth, vehicles)) = known.depth_and_vehicles.filter(|_| known.moves > 0) else { continue };
        let depth_and_vehicles = [f64::from(depth), vehicles];
        let (moves, time, board) = (f64::from(known.moves), time.seconds.ln(), &time.board);
        samples.push(Sample { player: *player, board, moves, depth_and_vehicles, time });
    }
    let players = renumber(&mut samples);
    let boards = number_boards(&samples);
    let count = boards.iter().max().map_or(0, |&last| last + 1);
    if samples.len() < MIN_TIMES || count < MIN_BOARDS {
        return Err(FitError::TooFew { times: samples.len(), boards: count });
    }
    Ok(FitReport {
        times: samples.len(),
        boards: count,
        players,
        unused: first.len() - samples.len(),
        model: model(&samples),
        errors: errors(&samples, &boards),
    })
}

/// Removes the players with too few times, numbers the others from 0, and returns their number.
fn renumber(samples: &mut Vec<Sample>) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for sample in samples.iter() {
        *counts.entry(sample.player).or_default() += 1;
    }
    counts.retain(|_, count| *count >= MIN_TIMES_OF_PLAYER);
    samples.retain(|sample| counts.contains_key(&sample.player));
    for sample in samples.iter_mut() {
        sample.player = counts.range(..sample.player).count();
    }
    counts.len()
}

/// Numbers the boards of samples from the shortest to the longest, so that each fold has boards of all lengths.
fn number_boards(samples: &[Sample]) -> Vec<usize> {
    let key = |sample: &Sample| (sample.moves as u32, formats::line(sample.board));
    let mut keys: Vec<_> = samples.iter().map(key).collect();
    keys.sort();
    keys.dedup();
    samples.iter().map(|sample| keys.partition_point(|other| *other < key(sample))).collect()
}

/// Fits both power laws.
fn model(samples: &[Sample]) -> TimeModel {
    let default = TimeModel::default();
    let all: Vec<_> = samples.iter().map(row).collect();
    let Fitted { constant, coefficients: [moves, depth, vehicles], residual, .. } = Fitted::new(&all, &prior());
    let by_moves: Vec<_> = samples
        .iter()
        .map(|sample| Row { player: sample.player, measures: [sample.moves.ln()], time: sample.time })
        .collect();
    let moves_prior = Prior { coefficients: [default.moves_only.moves], deviation: PRIOR_DEVIATION };
    let alone = Fitted::new(&by_moves, &moves_prior);
    let moves_only = MovesModel { constant: alone.constant, moves: alone.coefficients[0], residual: alone.residual };
    TimeModel { constant, moves, depth, vehicles, residual, moves_only, range: range(samples) }
}

/// What is assumed about the exponents: they resemble those of the default model.
fn prior() -> Prior<3> {
    Prior { coefficients: TimeModel::default().exponents(), deviation: PRIOR_DEVIATION }
}

fn row(sample: &Sample) -> Row<3> {
    let [depth, vehicles] = sample.depth_and_vehicles;
    Row { player: sample.player, measures: [sample.moves.ln(), depth.ln(), vehicles.ln()], time: sample.time }
}

/// Returns the ranges of the boards.
fn range(samples: &[Sample]) -> DataRange {
    let ends = |value: &dyn Fn(&Sample) -> f64| {
        let values = samples.iter().map(value);
        [values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max)]
    };
    let sides = samples.iter().flat_map(|sample| [sample.board.width(), sample.board.height()]);
    DataRange {
        moves: ends(&|sample| sample.moves).map(|moves| moves as u32),
        depth: ends(&|sample| sample.depth_and_vehicles[0]).map(|depth| depth as u32),
        vehicles: ends(&|sample| sample.depth_and_vehicles[1]),
        side: [sides.clone().min().unwrap_or(0), sides.max().unwrap_or(0)],
        walls: samples.iter().any(|sample| !sample.board.walls().is_empty()),
    }
}

/// Measures the errors by cross-validation: each part of the boards is predicted from the others.
fn errors(samples: &[Sample], boards: &[usize]) -> PredictionErrors {
    let default = TimeModel::default();
    let default_law = Fitted {
        constants: vec![],
        constant: default.constant,
        coefficients: default.exponents(),
        residual: default.residual,
    };
    let fixed = Prior { deviation: 0.0, ..prior() };
    let mut sums = [0.0; 3];
    for fold in 0..FOLDS {
        let is_left_out = |board: usize| board % FOLDS == fold;
        let with_boards = || samples.iter().zip(boards);
        let mut rows: Vec<_> =
            with_boards().filter(|(_, board)| !is_left_out(**board)).map(|(one, _)| row(one)).collect();
        let players = number_players(&mut rows);
        let laws = [Fitted::new(&rows, &fixed), Fitted::new(&rows, &prior())];
        for (sample, _) in with_boards().filter(|(_, board)| is_left_out(**board)) {
            let Row { measures, time, player } = row(sample);
            let player = players.binary_search(&player).ok();
            let with_speed = laws.iter().map(|law| law.predict(player, &measures));
            let predictions = [default_law.predict(None, &measures)].into_iter().chain(with_speed);
            for (sum, prediction) in sums.iter_mut().zip(predictions) {
                *sum += (time - prediction).abs();
            }
        }
    }
    let [default, default_with_speeds, fitted] = sums.map(|sum| (sum / samples.len() as f64).exp());
    PredictionErrors { default, default_with_speeds, fitted }
}

/// Numbers players from 0, because all times of a player may be in the part that is left out; returns their numbers before, sorted.
fn number_players(rows: &mut [Row<3>]) -> Vec<usize> {
    let mut players: Vec<usize> = rows.iter().map(|row| row.player).collect();
    players.sort_unstable();
    players.dedup();
    for row in rows {
        row.player = players.partition_point(|&player| player < row.player);
    }
    players
}
