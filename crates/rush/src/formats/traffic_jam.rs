//! *traffic-jam*: a grid whose exit is a column of the top edge, open to any vehicle in that column.
//!
//! ```text
//! exit 5
//! _ _ _ A B B
//! _ _ _ A C C
//! D E E E F F
//! D _ _ _ _ #
//! _ _ G G G #
//! _ _ _ _ _ _
//! ```
//!
//! The first line is `exit N`, or `N` alone: the column counted from 0 at the left. The rows are those of the grid format,
//! but no mark means the target: `A` and `X` are vehicles like others, and one marked `#` gets an unused label (`A` if it
//! is free). The board is solved when any vehicle in the exit's column touches the top edge.

use super::error::Fault;
use super::grid::{read_rows, split_head, write_name_line, write_rows};
use super::layout::marks_of;
use super::record::{Piece, Record};
use super::{Format, Puzzle, ReadOptions, WriteError};
use crate::{Exit, MAX_SIDE, Side};

pub(super) fn read(record: &Record, options: &ReadOptions) -> Result<Puzzle, Fault> {
    let (head, mut rows) = split_head(record)?;
    let is_column = |row: &Piece| row.number("", COLUMNS).is_ok();
    let exit = match (head.exit, options.exit) {
        (Some(column), None) => column_exit(column)?,
        (None, None) if rows.is_empty() => column_exit(record.whole().trim())?,
        (None, None) => column_exit(rows.remove(0))?,
        (_, Some(exit)) => {
            if rows.first().is_some_and(is_column) {
                rows.remove(0);
            }
            exit
        }
    };
    let board = read_rows(record, &rows, exit)?;
    Ok(Puzzle { name: head.name, line: record.line, ..Puzzle::new(board) })
}

const COLUMNS: std::ops::RangeInclusive<u8> = 0..=MAX_SIDE - 1;

fn column_exit(column: Piece) -> Result<Exit, Fault> {
    column.number("the column of the exit", COLUMNS).map(|column| Exit::Any(Side::Top, column))
}

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let Exit::Any(Side::Top, column) = puzzle.board.exit() else {
        let reason = format!("its exit is a column of the top edge for any vehicle, not {}", puzzle.board.exit());
        return Err(WriteError { format: Format::TrafficJam.name(), reason });
    };
    let rows = write_rows(&marks_of(&puzzle.board), puzzle.board.width());
    Ok(format!("{}exit {column}\n{rows}", write_name_line(puzzle)))
}
