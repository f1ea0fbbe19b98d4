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
//! but no mark denotes the target: `A` and `X` are ordinary vehicles, and one marked `#` gets an unused label (`A` if it is
//! free). The board is solved when any vehicle in the exit's column touches the top edge.

use super::cell_grid::marks_of;
use super::grid::{read_rows, split_header, write_name_line, write_rows};
use super::record::InputRecord;
use super::{Format, Puzzle, ReadOptions, WriteError};
use crate::{Exit, MAX_SIDE, Side};
use clearway_util::syntax::SyntaxError;

pub(super) fn read(record: &InputRecord, options: &ReadOptions) -> Result<Puzzle, SyntaxError> {
    let (header, mut rows) = split_header(record)?;
    let column = match header.exit {
        Some(column) => column,
        None if rows.is_empty() => record.whole().trim(),
        None => rows.remove(0),
    };
    let in_text = Exit::Any(Side::Top, column.number("exit column", 0..=MAX_SIDE - 1)?);
    let exit = options.exit.unwrap_or(in_text);
    let board = read_rows(record, &rows, exit, Some(column))?;
    Ok(Puzzle { name: header.name, line: record.line, ..Puzzle::new(board) })
}

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let Exit::Any(Side::Top, column) = puzzle.board.exit() else {
        let reason = format!("its exit must be a column of the top edge, for any vehicle, not {}", puzzle.board.exit());
        return Err(WriteError { format: Format::TrafficJam.name(), reason });
    };
    let rows = write_rows(&marks_of(&puzzle.board), puzzle.board.width());
    Ok(format!("{}exit {column}\n{rows}", write_name_line(puzzle)))
}
