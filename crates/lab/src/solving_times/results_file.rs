//! The files of results that the page exports. The page reads and writes them in `crates/web/page/js/results-file.js`.

use super::SolvingTime;
use clearway_rush::formats::{self, Format, ParseError};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use thiserror::Error;

/// Maximum size of a file of results, in bytes, as in the page.
pub const MAX_RESULTS_BYTES: usize = 20_000_000;
const FORMAT: &str = "clearway results";
const VERSION: u64 = 1;
/// Longest time, in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;
/// Latest time that JavaScript can represent, in milliseconds since 1970.
const MAX_AT: f64 = 8.64e15;

/// The results of a player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerResults {
    /// Measured times of games without help, at most one for each puzzle.
    pub times: Vec<SolvingTime>,
    /// Number of puzzles in whose first game the player had help.
    pub with_help: usize,
    /// Number of puzzles without a measured time, other than those.
    pub unmeasured: usize,
}

/// Error of a file of results.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The file is too large.
    #[error("the file is too large; at most {} MB are read", MAX_RESULTS_BYTES / 1_000_000)]
    TooLarge,
    /// The file is not JSON.
    #[error("the file is not JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    /// The file is JSON, but not a file of results.
    #[error("the file does not contain clearway results")]
    NotResults,
    /// The version is unknown.
    #[error("the file has version {0}; expected {VERSION}")]
    UnknownVersion(Value),
    /// A puzzle is not valid.
    #[error("puzzle {number} of the file: {fault}")]
    InvalidPuzzle {
        /// Number of the puzzle, from 1.
        number: usize,
        /// Fault.
        fault: PuzzleEntryError,
    },
}

/// Fault of a puzzle in a file of results.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PuzzleEntryError {
    /// A field is missing or has the wrong type.
    #[error("{0}")]
    Field(#[source] serde_json::Error),
    /// The board is not valid.
    #[error("{0}")]
    Board(#[source] Box<ParseError>),
    /// There are no games.
    #[error("no games")]
    NoGames,
    /// An earlier puzzle has the same board.
    #[error("the board is that of puzzle {0}")]
    Repeated(usize),
    /// A game has a value outside of its range.
    #[error("game {number}: {field} is out of range")]
    OutOfRange {
        /// Number of the game, from 1.
        number: usize,
        /// Name of the field.
        field: &'static str,
    },
}

#[derive(Deserialize)]
struct PuzzleJson {
    board: String,
    games: Vec<GameJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GameJson {
    at: f64,
    moves: u32,
    hints: u32,
    solution_shown: bool,
    /// Time that the puzzle was visible and in use, in seconds, with all attempts before; only with the player's consent.
    active_seconds: Option<f64>,
}

/// Reads the results of a player. Of each puzzle, only the first game can have a time: later ones are known to the player.
///
/// ```
/// let text = r#"{"format": "clearway results", "version": 1, "puzzles": [{"board": "....AA.B...B....", "games": [
///     {"at": 1770000000000, "moves": 2, "seconds": 5, "hints": 0, "solutionShown": false, "activeSeconds": 7.5}]}]}"#;
/// let results = clearway_lab::solving_times::read_results(text.as_bytes())?;
/// assert_eq!((results.times[0].seconds, results.with_help), (7.5, 0));
/// # Ok::<(), clearway_lab::solving_times::ResultsError>(())
/// ```
pub fn read_results(text: &[u8]) -> Result<PlayerResults, ResultsError> {
    if text.len() > MAX_RESULTS_BYTES {
        return Err(ResultsError::TooLarge);
    }
    let mut file: Value = serde_json::from_slice(text).map_err(ResultsError::NotJson)?;
    if file.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(ResultsError::NotResults);
    }
    if file.get("version").and_then(Value::as_u64) != Some(VERSION) {
        return Err(ResultsError::UnknownVersion(file["version"].take()));
    }
    let Value::Array(puzzles) = file["puzzles"].take() else { return Err(ResultsError::NotResults) };
    let mut results = PlayerResults::default();
    let mut numbers = BTreeMap::new();
    for (number, puzzle) in (1..).zip(puzzles) {
        read_puzzle(puzzle, number, &mut numbers, &mut results)
            .map_err(|fault| ResultsError::InvalidPuzzle { number, fault })?;
    }
    Ok(results)
}

/// Reads a puzzle. `numbers` are those of the boards so far.
fn read_puzzle(
    puzzle: Value,
    number: usize,
    numbers: &mut BTreeMap<String, usize>,
    results: &mut PlayerResults,
) -> Result<(), PuzzleEntryError> {
    let PuzzleJson { board, games } = serde_json::from_value(puzzle).map_err(PuzzleEntryError::Field)?;
    let board =
        formats::read_one(&board, Some(Format::Line)).map_err(|error| PuzzleEntryError::Board(Box::new(error)))?;
    let board = board.board;
    if let Some(&before) = numbers.get(&formats::line(&board)) {
        return Err(PuzzleEntryError::Repeated(before));
    }
    numbers.insert(formats::line(&board), number);
    for (number, game) in (1..).zip(&games) {
        game.check().map_err(|field| PuzzleEntryError::OutOfRange { number, field })?;
    }
    let first = games.iter().min_by(|a, b| a.at.total_cmp(&b.at)).ok_or(PuzzleEntryError::NoGames)?;
    match first.active_seconds {
        _ if first.hints > 0 || first.solution_shown => results.with_help += 1,
        None => results.unmeasured += 1,
        Some(seconds) => {
            results.times.push(SolvingTime { board, at: first.at as u64, moves: first.moves, seconds });
        }
    }
    Ok(())
}

impl GameJson {
    /// Returns the name of a field that is out of range, if there is one.
    fn check(&self) -> Result<(), &'static str> {
        let is_time = |seconds: f64| seconds > 0.0 && seconds <= MAX_SECONDS;
        if !(0.0..=MAX_AT).contains(&self.at) {
            return Err("at");
        }
        if self.active_seconds.is_some_and(|seconds| !is_time(seconds)) {
            return Err("activeSeconds");
        }
        Ok(())
    }
}
