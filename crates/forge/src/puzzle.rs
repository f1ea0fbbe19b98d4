//! What every generator makes.

use clearway_rush::Board;

/// A puzzle: the hardest board of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The board, its vehicles labelled in reading order.
    pub board: Board,
    /// The length of its shortest solutions, in moves: the largest distance in its component.
    pub moves: u32,
    /// The number of states that can be reached from it.
    pub states: u64,
}
