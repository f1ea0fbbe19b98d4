//! Number of misplaced tiles.

use crate::{Board, Puzzle};
use clearway_search::{Heuristic, Node};

/// Number of tiles that are not in their goal position. It is admissible: each of them has to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Misplaced;

impl Misplaced {
    /// Returns the number of misplaced tiles of a board.
    pub fn evaluate(puzzle: &Puzzle, board: &Board) -> usize {
        let tiles = board.cells().iter().enumerate().filter(|&(_, &tile)| tile != 0);
        tiles.filter(|&(cell, &tile)| cell != puzzle.home(tile)).count()
    }
}

impl Heuristic<Puzzle> for Misplaced {
    fn estimate(&mut self, puzzle: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        Misplaced::evaluate(puzzle, node.state) as f64
    }
}
