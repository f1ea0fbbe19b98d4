//! The distances of all tiles from their places.

use crate::{Board, Puzzle};
use clearway_search::{Heuristic, Node};

/// The sum of the distances of the tiles to their places, along rows and columns. It never overestimates: a move brings
/// one tile one cell nearer at most.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manhattan;

impl Manhattan {
    /// The sum for a board.
    pub fn of(puzzle: &Puzzle, board: &Board) -> usize {
        let tiles = board.cells().iter().enumerate().filter(|&(_, &tile)| tile != 0);
        tiles.map(|(cell, &tile)| board.size().distance(cell, puzzle.home(tile))).sum()
    }
}

impl Heuristic<Puzzle> for Manhattan {
    fn estimate(&mut self, puzzle: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        Manhattan::of(puzzle, node.state) as f64
    }
}
