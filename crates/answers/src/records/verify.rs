//! Record of the replay of moves on a board.

use clearway_rush::{Board, Move, formats, replay};
use serde::Serialize;

/// Result of replaying moves on a board, as `clearway verify --json` prints it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerifyRecord<'a> {
    /// Name of the board, or null.
    pub name: Option<&'a str>,
    /// Board in line format.
    pub board: String,
    /// Whether every move is legal.
    pub legal: bool,
    /// Whether the board is solved after the last move.
    pub solved: bool,
    /// Number of slides; null if a move is illegal.
    pub moves: Option<u32>,
    /// Number of cells slid; null if a move is illegal.
    pub steps: Option<u32>,
    /// Present only if a move is illegal: its number, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<usize>,
    /// Present only if a move is illegal: the move.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// Present only if a move is illegal: the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl<'a> VerifyRecord<'a> {
    /// Replays the moves on a board and creates the record.
    ///
    /// ```
    /// use clearway_answers::records::VerifyRecord;
    /// use clearway_rush::{Solution, formats};
    /// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
    /// let moves: Solution = "B+1 A+2".parse().unwrap();
    /// let record = VerifyRecord::new(None, &board, &moves.0);
    /// assert_eq!((record.legal, record.failed), (false, Some(2)));
    /// ```
    pub fn new(name: Option<&'a str>, board: &Board, moves: &[Move]) -> VerifyRecord<'a> {
        let result = replay(board, moves);
        let (done, failed) = (result.as_ref().ok(), result.as_ref().err());
        VerifyRecord {
            name,
            board: formats::line(board),
            legal: result.is_ok(),
            solved: done.is_some_and(|done| done.solved),
            moves: done.map(|done| done.moves),
            steps: done.map(|done| done.steps),
            failed: failed.map(|failed| failed.index + 1),
            mv: failed.map(|failed| failed.mv.to_string()),
            reason: failed.map(|failed| failed.reason.to_string()),
        }
    }
}
