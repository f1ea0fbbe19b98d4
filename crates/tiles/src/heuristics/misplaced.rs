//! The number of tiles that are not in their places.

use crate::{Board, Puzzle};
use clearway_search::{Heuristic, Node};

/// The number of tiles that are not in their places. It never overestimates: each of them has to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Misplaced;

impl Misplaced {
    /// The number for a board.
    pub fn of(puzzle: &Puzzle, board: &Board) -> usize {
        let tiles = board.cells().iter().enumerate().filter(|&(_, &tile)| tile != 0);
        tiles.filter(|&(cell, &tile)| cell != puzzle.home(tile)).count()
    }
}

impl Heuristic<Puzzle> for Misplaced {
    fn estimate(&mut self, puzzle: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        Misplaced::of(puzzle, node.state) as f64
    }
}
