//! The measure that Barnes, Hasan and Lee evolved programs with, after Finkelstein and Markovitch.

use crate::{Board, Puzzle};
use clearway_search::{Heuristic, Node};

/// 36 x the number of misplaced tiles + 18 x the distance of the first of them (by number) from its goal position + its
/// distance from the blank; 0 if the board is solved. The blank does not count as a tile. This is not an estimate of the number
/// of moves.
///
/// The maximum on a 3x3 board is 364 = 36 x 8 + 18 x 4 + 4: all tiles are misplaced, tile 1 is in the corner opposite to its
/// goal position, and the blank is in that position. The paper gives 402 = 36 x 8 + 18 x 6 + 6 for the same board, as if opposite
/// corners were six steps apart, as they are on 4x4. A test checks all 181,440 boards.
#[derive(Clone, Copy, Debug, Default)]
pub struct PaperMeasure;

impl PaperMeasure {
    /// Returns the measure of a board.
    pub fn evaluate(puzzle: &Puzzle, board: &Board) -> usize {
        let size = board.size();
        let mut misplaced = 0;
        let mut first = (u8::MAX, 0);
        for (cell, &tile) in board.cells().iter().enumerate() {
            if tile != 0 && puzzle.home(tile) != cell {
                misplaced += 1;
                first = first.min((tile, cell));
            }
        }
        match first {
            (u8::MAX, _) => 0,
            (tile, cell) => {
                36 * misplaced + 18 * size.distance(cell, puzzle.home(tile)) + size.distance(cell, board.blank())
            }
        }
    }
}

impl Heuristic<Puzzle> for PaperMeasure {
    fn estimate(&mut self, puzzle: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        PaperMeasure::evaluate(puzzle, node.state) as f64
    }
}
