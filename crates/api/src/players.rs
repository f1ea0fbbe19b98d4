//! Results of players: the check of a game. Where they are stored is left to others.

use crate::RequestError;
use crate::board::BoardText;
use crate::request::{valid_name, within};
use crate::solve::limit_of;
use clearway_answers::TypedMoves;
use clearway_rush::formats::Puzzle;
use clearway_rush::{Board, Metric, Portfolio, Solution, Solver};
use clearway_search::{Limit, Limits, Verdict};
use serde::Deserialize;
use utoipa::ToSchema;

/// Maximum time of a game in seconds: a year.
const MAX_TIME: f64 = 365.0 * 86_400.0;

/// A completed game.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewResult {
    /// The initial board, in any text format.
    #[schema(example = "4x4:.B...BAA........")]
    board: String,
    /// The moves, from the first to the last.
    #[schema(example = json!(["A-1", "B+2", "A+2"]))]
    moves: Vec<String>,
    /// Time of the game in seconds, at most a year.
    #[schema(minimum = 0, maximum = 31_536_000, example = 12.5)]
    pub seconds: f64,
}

/// A game whose moves solve the board.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Board of the game.
    pub puzzle: Puzzle,
    /// Number of moves.
    pub moves: u32,
}

impl NewResult {
    /// Checks the time of the game.
    pub fn check(&self) -> Result<(), RequestError> {
        within("seconds", Some(self.seconds), 0.0..=MAX_TIME).map(drop)
    }

    /// Checks that the moves solve the board.
    pub fn replay(self) -> Result<Replayed, RequestError> {
        let puzzle = BoardText::from(self.board).read()?;
        puzzle.name.as_deref().map(|text| valid_name("board", text)).transpose()?;
        let refused = |error| RequestError::from_parse(&error);
        let replayed =
            TypedMoves::parse(&self.moves.join(" ")).and_then(|typed| typed.replay(&puzzle.board)).map_err(refused)?;
        if !replayed.solved {
            return Err(RequestError::bad_request("the board is not solved after the last move"));
        }
        Ok(Replayed { puzzle, moves: replayed.moves })
    }
}

/// Returns the length of a shortest solution in moves, if it is found within the limits, and the limit that ended the search, if
/// any.
pub fn optimum(board: &Board, solver: &mut Solver, limits: &Limits) -> (Option<u32>, Option<Limit>) {
    let answer = Portfolio::default().solve(solver, board, Metric::Moves, limits, &mut |_| {});
    let solution = answer.solution.as_ref().filter(|_| answer.verdict == Verdict::Solved);
    (solution.map(Solution::moves), limit_of(answer.verdict))
}
