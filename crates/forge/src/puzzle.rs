//! The result of a generator.

use clearway_rush::Board;

/// A puzzle: the hardest board of a component or, where components are too large to explore, any board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedPuzzle {
    /// Board with its vehicles labelled in reading order.
    pub board: Board,
    /// Length of a shortest solution, in moves.
    pub moves: u32,
    /// Number of states reachable from the board, if they were explored.
    pub states: Option<u64>,
}
