//! Manhattan distance with linear conflicts.

use super::Manhattan;
use crate::{Board, Puzzle, Size};
use clearway_search::{Heuristic, Node};

/// Manhattan distance plus two moves for every tile that has to leave its goal row or column to let others pass (Hansson, Mayer
/// and Yung, 1992). Tiles that are in their goal row, but in the wrong order, cannot all stay in it: each tile that leaves and
/// comes back makes two moves that the Manhattan distance does not count. The same holds for columns, and no move is counted for
/// both.
///
/// ```
/// use clearway_tiles::{Board, Puzzle, heuristics::{LinearConflict, Manhattan}};
/// let puzzle = Puzzle::new(Board::parse("321456870")?)?;
/// assert_eq!(Manhattan::evaluate(&puzzle, puzzle.board()), 6);
/// assert_eq!(LinearConflict::evaluate(&puzzle, puzzle.board()), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearConflict;

impl LinearConflict {
    /// Returns the estimate for a board.
    pub fn evaluate(puzzle: &Puzzle, board: &Board) -> usize {
        let homes = board.cells().iter().map(|&tile| if tile == 0 { None } else { Some(puzzle.home(tile)) });
        Manhattan::evaluate(puzzle, board) + 2 * usize::from(LineConflicts::new(board.size(), homes).leaving())
    }
}

impl Heuristic<Puzzle> for LinearConflict {
    fn estimate(&mut self, puzzle: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        LinearConflict::evaluate(puzzle, node.state) as f64
    }
}

/// The tiles of each row and column that are in their goal row or column. Three bits per cell: 0 for other tiles, else 1 + the
/// goal position within the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineConflicts {
    rows: [u16; Size::MAX_SIDE],
    columns: [u16; Size::MAX_SIDE],
    /// Number of tiles that have to leave their row or column.
    leaving: u8,
}

impl LineConflicts {
    /// Creates the lines of a board, given the goal cell of the tile in each cell (`None` for the blank).
    pub(crate) fn new(size: Size, homes: impl Iterator<Item = Option<usize>>) -> LineConflicts {
        let mut lines = LineConflicts { rows: [0; Size::MAX_SIDE], columns: [0; Size::MAX_SIDE], leaving: 0 };
        for (cell, home) in homes.enumerate() {
            if let Some(home) = home {
                lines.put(size, home, cell);
            }
        }
        lines.leaving = lines.rows.iter().chain(&lines.columns).map(|&line| LEAVING[usize::from(line)]).sum();
        lines
    }

    /// Number of tiles that have to leave their row or column.
    #[inline]
    pub(crate) fn leaving(&self) -> u8 {
        self.leaving
    }

    /// Returns the lines after the tile with goal cell `home` moved to an adjacent cell.
    #[inline]
    pub(crate) fn after(mut self, size: Size, home: usize, from: usize, to: usize) -> LineConflicts {
        let columns = size.columns();
        let (a, b) = ((from / columns, from % columns), (to / columns, to % columns));
        // A move along a line does not change the order of its tiles, so only the two lines across it have to be recounted.
        let across = |lines: &LineConflicts| {
            let pair =
                if a.1 == b.1 { [lines.rows[a.0], lines.rows[b.0]] } else { [lines.columns[a.1], lines.columns[b.1]] };
            LEAVING[usize::from(pair[0])] + LEAVING[usize::from(pair[1])]
        };
        let before = across(&self);
        self.rows[a.0] &= !(7 << (3 * a.1));
        self.columns[a.1] &= !(7 << (3 * a.0));
        self.put(size, home, to);
        self.leaving = self.leaving + across(&self) - before;
        self
    }

    #[inline]
    fn put(&mut self, size: Size, home: usize, cell: usize) {
        let columns = size.columns();
        let ((row, column), (home_row, home_column)) =
            ((cell / columns, cell % columns), (home / columns, home % columns));
        if row == home_row {
            self.rows[row] |= (1 + home_column as u16) << (3 * column);
        }
        if column == home_column {
            self.columns[column] |= (1 + home_row as u16) << (3 * row);
        }
    }
}

/// For every encoding of a line, the number of its tiles that have to leave it: all but a longest increasing subsequence.
static LEAVING: [u8; 1 << (3 * Size::MAX_SIDE)] = leaving();

#[expect(clippy::large_stack_arrays, reason = "it is evaluated at compile time and never on a stack")]
const fn leaving() -> [u8; 1 << (3 * Size::MAX_SIDE)] {
    let mut table = [0; 1 << (3 * Size::MAX_SIDE)];
    let mut line = 0;
    while line < table.len() {
        // Length of the longest increasing subsequence that ends at each cell.
        let mut longest = [0; Size::MAX_SIDE];
        let (mut tiles, mut most) = (0, 0);
        let mut cell = 0;
        while cell < Size::MAX_SIDE {
            let place = line >> (3 * cell) & 7;
            if place != 0 {
                tiles += 1;
                let mut other = 0;
                while other < cell {
                    let before = line >> (3 * other) & 7;
                    if before != 0 && before < place && longest[other] > longest[cell] {
                        longest[cell] = longest[other];
                    }
                    other += 1;
                }
                longest[cell] += 1;
                if longest[cell] > most {
                    most = longest[cell];
                }
            }
            cell += 1;
        }
        table[line] = tiles - most;
        line += 1;
    }
    table
}
