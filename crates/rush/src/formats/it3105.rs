//! *it3105*: the format of a university assignment (IT3105), one vehicle per line.
//!
//! ```text
//! 0,2,2,2
//! 1,4,1,3
//! ```
//!
//! - A vehicle is `orientation,x,y,length`: 0 if it is horizontal, 1 if it is vertical; its leftmost or topmost cell,
//!   counted from 0 at the top left.
//! - The first vehicle is the target; the exit is on the right. It becomes `A`, the others `B`, `C`, ... in order.
//! - The board is 6x6 unless [`ReadOptions::size`] gives another size.
//! - Boards are separated by blank lines; a line that starts with `#` is a comment.

use super::listing::{self, ListedVehicle};
use super::record::InputRecord;
use super::{Format, Puzzle, ReadOptions, WriteError};
use crate::{Exit, Orientation, Side, Size, Vehicle};
use clearway_util::syntax::Piece;
use clearway_util::syntax::SyntaxError;

/// Default width and height of a board.
const SIZE: (u8, u8) = (6, 6);

pub(super) fn read(record: &InputRecord, options: &ReadOptions) -> Result<Puzzle, SyntaxError> {
    let whole = record.whole();
    let (width, height) = options.size.map_or(SIZE, Size::sides);
    let mut listed: Vec<ListedVehicle> = Vec::new();
    for line in record.lines() {
        let parts = line.split(',').map(Piece::trim);
        let [orientation, x, y, length] = listing::fields(line, parts, ["orientation", "x", "y", "length"])?;
        let vertical = listing::flag(orientation, "orientation", "expected 0 (horizontal) or 1 (vertical)")?;
        let vehicle = Vehicle {
            label: listing::label(line, listed.len(), (width, height))?,
            x: x.number("x", 0..=width - 1)?,
            y: y.number("y", 0..=height - 1)?,
            length: length.number("length", 2..=width.max(height))?,
            orientation: if vertical { Orientation::Vertical } else { Orientation::Horizontal },
        };
        listed.push(ListedVehicle { vehicle, span: line.span() });
    }
    let exit = options.exit.unwrap_or(Exit::Target(Side::Right));
    let board = listing::board((width, height), &listed, exit, whole)?;
    Ok(Puzzle { line: record.line, ..Puzzle::new(board) })
}

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    listing::check_plain(puzzle, Format::It3105)?;
    let board = &puzzle.board;
    if (board.width(), board.height()) != SIZE {
        let reason = format!("its boards must be 6x6, not {}x{}", board.width(), board.height());
        return Err(WriteError { format: Format::It3105.name(), reason });
    }
    let line = |&Vehicle { x, y, length, orientation, .. }: &Vehicle| {
        format!("{},{x},{y},{length}\n", u8::from(orientation == Orientation::Vertical))
    };
    Ok(board.vehicles().iter().map(line).collect())
}
