//! The result of a generator.

use clearway_rush::Board;

/// A puzzle: the hardest board of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Board with its vehicles labelled in reading order.
    pub board: Board,
    /// Length of a shortest solution, in moves: the largest distance to a solved state in its component.
    pub moves: u32,
    /// Number of states reachable from the board.
    pub states: u64,
}
