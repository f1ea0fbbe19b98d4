//! The measure that Barnes, Hasan and Lee bred programs with, after Finkelstein and Markovitch.

use crate::{Board, Puzzle};
use clearway_search::{Heuristic, Node};

/// 36 x the misplaced tiles + 18 x the distance of the first of them (by number) from its place + its distance from the
/// blank; 0 when solved. The blank is no tile. It is no estimate of the number of moves.
///
/// Its largest value on a 3x3 board is 364 = 36 x 8 + 18 x 4 + 4: no tile in its place, tile 1 in the corner opposite to
/// its own, the blank there. The paper gives 402 = 36 x 8 + 18 x 6 + 6 for the same board, as if opposite corners were six
/// steps apart, as they are on 4x4. A test goes through all 181,440 boards.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paper;

impl Paper {
    /// The measure of a board.
    pub fn of(puzzle: &Puzzle, board: &Board) -> usize {
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

impl Heuristic<Puzzle> for Paper {
    fn estimate(&mut self, puzzle: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        Paper::of(puzzle, node.state) as f64
    }
}
