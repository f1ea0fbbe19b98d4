//! Verification of solutions.

use crate::RequestError;
use crate::board::BoardText;
use clearway_answers::TypedMoves;
use clearway_answers::records::VerifyRecord;
use clearway_rush::Move;
use clearway_rush::formats::Puzzle;
use serde::Deserialize;
use utoipa::ToSchema;

/// A board, and the moves to verify.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyRequest {
    #[serde(flatten)]
    board: BoardText,
    /// The moves, each a vehicle, a sign (plus is right or down) and a number of cells.
    moves: MoveList,
}

/// Moves, as an array or as one text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum MoveList {
    /// One move per element.
    #[schema(example = json!(["C-1", "A+2"]))]
    Each(Vec<String>),
    /// All moves, separated by spaces or commas.
    #[schema(example = "C-1 A+2")]
    Text(String),
}

impl MoveList {
    /// Parses the moves.
    pub fn parse(&self) -> Result<Vec<Move>, RequestError> {
        let text = match self {
            MoveList::Each(moves) => moves.join(" "),
            MoveList::Text(text) => text.clone(),
        };
        Ok(TypedMoves::parse(&text).map_err(|error| RequestError::from_parse(&error))?.moves)
    }
}

/// A board with moves, parsed.
#[derive(Debug)]
pub struct Verification {
    puzzle: Puzzle,
    moves: Vec<Move>,
}

impl VerifyRequest {
    /// Parses the board and the moves.
    pub fn parse(&self) -> Result<Verification, RequestError> {
        Ok(Verification { puzzle: self.board.read()?, moves: self.moves.parse()? })
    }
}

impl Verification {
    /// Replays the moves, with code independent of the solvers.
    pub fn record(&self) -> VerifyRecord<'_> {
        VerifyRecord::new(self.puzzle.name.as_deref(), &self.puzzle.board, &self.moves)
    }
}
