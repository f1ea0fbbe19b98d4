//! Manhattan distance.

use crate::{Board, Puzzle};
use clearway_search::{Heuristic, Node};

/// Sum of the Manhattan distances of all tiles to their goal positions. It is admissible: a move brings one tile closer by at
/// most one cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manhattan;

impl Manhattan {
    /// Returns the sum for a board.
    pub fn evaluate(puzzle: &Puzzle, board: &Board) -> usize {
        let tiles = board.cells().iter().enumerate().filter(|&(_, &tile)| tile != 0);
        tiles.map(|(cell, &tile)| board.size().distance(cell, puzzle.home(tile))).sum()
    }
}

impl Heuristic<Puzzle> for Manhattan {
    fn estimate(&mut self, puzzle: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        Manhattan::evaluate(puzzle, node.state) as f64
    }
}
