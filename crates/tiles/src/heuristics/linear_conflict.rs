//! Manhattan distances, and what tiles that stand in each other's way cost beyond them.

use super::Manhattan;
use crate::{Board, Puzzle, Size};
use clearway_search::{Heuristic, Node};

/// The Manhattan distances, and two moves for every tile that has to leave its own row or column to let others pass
/// (Hansson, Mayer and Yung, 1992). Tiles that are in the row of their places and in the wrong order cannot all stay in
/// it: those that leave it and come back make two moves that the distances do not count. The same holds for columns, and
/// a move counts for one of the two only.
///
/// ```
/// use clearway_tiles::{Board, Puzzle, heuristics::{LinearConflict, Manhattan}};
/// let puzzle = Puzzle::new(Board::parse("321456870")?)?;
/// assert_eq!(Manhattan::of(&puzzle, puzzle.board()), 6);
/// assert_eq!(LinearConflict::of(&puzzle, puzzle.board()), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearConflict;

impl LinearConflict {
    /// The estimate for a board.
    pub fn of(puzzle: &Puzzle, board: &Board) -> usize {
        let homes = board.cells().iter().map(|&tile| if tile == 0 { None } else { Some(puzzle.home(tile)) });
        Manhattan::of(puzzle, board) + 2 * usize::from(Lines::of(board.size(), homes).leaving())
    }
}

impl Heuristic<Puzzle> for LinearConflict {
    fn estimate(&mut self, puzzle: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        LinearConflict::of(puzzle, node.state) as f64
    }
}

/// Which tiles of each row and column belong there: three bits a cell, 0 for a tile from elsewhere, or 1 + the place
/// in that line that the tile belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    rows: [u16; Size::MOST],
    columns: [u16; Size::MOST],
    /// How many tiles have to leave their rows and columns.
    leaving: u8,
}

impl Lines {
    /// The lines of a frame whose cells hold tiles that belong to these cells.
    pub(crate) fn of(size: Size, homes: impl Iterator<Item = Option<usize>>) -> Lines {
        let mut lines = Lines { rows: [0; Size::MOST], columns: [0; Size::MOST], leaving: 0 };
        for (cell, home) in homes.enumerate() {
            if let Some(home) = home {
                lines.put(size, home, cell);
            }
        }
        lines.leaving = lines.rows.iter().chain(&lines.columns).map(|&line| LEAVING[usize::from(line)]).sum();
        lines
    }

    /// How many tiles have to leave their rows and columns.
    #[inline]
    pub(crate) fn leaving(&self) -> u8 {
        self.leaving
    }

    /// The lines after the tile that belongs to `home` went from one cell to the one beside it.
    #[inline]
    pub(crate) fn after(mut self, size: Size, home: usize, from: usize, to: usize) -> Lines {
        let columns = size.columns();
        let (a, b) = ((from / columns, from % columns), (to / columns, to % columns));
        // Along a line tiles do not change their order, so that only the lines across it count anew.
        let across = |lines: &Lines| {
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

/// For every line, how many of its tiles have to leave it: all but the most that are in order.
static LEAVING: [u8; 1 << (3 * Size::MOST)] = leaving();

#[expect(clippy::large_stack_arrays, reason = "the compiler makes it; it never is on a stack")]
const fn leaving() -> [u8; 1 << (3 * Size::MOST)] {
    let mut table = [0; 1 << (3 * Size::MOST)];
    let mut line = 0;
    while line < table.len() {
        // The longest ordered choice that ends at each cell.
        let mut longest = [0; Size::MOST];
        let (mut tiles, mut most) = (0, 0);
        let mut cell = 0;
        while cell < Size::MOST {
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
