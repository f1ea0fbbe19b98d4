//! *van-dijk*: the format of the boards in the appendix of J. van Dijk's thesis on generating Rush Hour boards.
//!
//! ```text
//! 6 3 2 1
//! 1 3 2 1
//! 5 1 3 0
//! ```
//!
//! - The header is `size exit_y cars moves`: the side of the square board, the row of the exit, the number of vehicles and
//!   the known optimum in moves (0 if unknown). The exit is on the right.
//! - A vehicle is `x y length orientation`: its leftmost, lowest cell, and 1 if it is horizontal, 0 if it is vertical.
//! - x counts from 0 at the left, y from 0 at the *bottom*: row 3 of a 6x6 board is the third from the top.
//! - The first vehicle is the target and lies in row `exit_y`. It becomes `A`, the others `B`, `C`, ... in order.
//! - Boards are separated by blank lines; a line that starts with `#` is a comment.

use super::listing::{self, ListedVehicle};
use super::record::InputRecord;
use super::{Format, KnownLength, Puzzle, ReadOptions, WriteError};
use crate::{BoardError, Exit, MAX_SIDE, MIN_SIDE, Orientation, Side, Vehicle};
use clearway_util::syntax::SyntaxError;

pub(super) fn read(record: &InputRecord, options: &ReadOptions) -> Result<Puzzle, SyntaxError> {
    let whole = record.whole();
    let mut lines = record.lines();
    let Some(header) = lines.next() else {
        return Err(whole.error("missing header").with_help("a board starts with size, exit_y, cars and moves"));
    };
    let [size, exit_y, cars, moves] = listing::fields(header, header.words(), ["size", "exit_y", "cars", "moves"])?;
    let side = size.number("size", MIN_SIDE..=MAX_SIDE)?;
    let exit_row = exit_y.number("exit_y", 0..=side - 1)?;
    let most = (u16::from(side) * u16::from(side) / 2) as u8;
    let count = cars.number("number of cars", 1..=most)?;
    let moves =
        KnownLength::parse(moves.text).filter(|known| matches!(known, KnownLength::Exactly(_))).ok_or_else(|| {
            moves
                .error("invalid number of moves")
                .with_label("the moves")
                .with_help("expected a number, or 0 if it is unknown")
        })?;
    let mut listed: Vec<ListedVehicle> = Vec::new();
    for line in lines {
        if listed.len() == count as usize {
            return Err(line
                .error(format!("the number of cars is {count} in the header, but greater in the list"))
                .with_label("one too many")
                .with_help("boards are separated by blank lines"));
        }
        let [x, y, length, orientation] = listing::fields(line, line.words(), ["x", "y", "length", "orientation"])?;
        let horizontal = listing::flag(orientation, "orientation", "expected 1 (horizontal) or 0 (vertical)")?;
        let mut vehicle = Vehicle {
            label: listing::label(line, listed.len(), (side, side))?,
            x: x.number("x", 0..=side - 1)?,
            y: side - 1 - y.number("y", 0..=side - 1)?,
            length: length.number("length", 2..=side)?,
            orientation: if horizontal { Orientation::Horizontal } else { Orientation::Vertical },
        };
        if !horizontal {
            let Vehicle { label, x, y, length, .. } = vehicle;
            vehicle.y = (y + 1).checked_sub(length).ok_or_else(|| {
                let error = BoardError::OffGrid { label, length, x, y, width: side, height: side };
                line.error(error.to_string())
                    .with_label("this vehicle")
                    .with_help("x, y is the lowest cell of a vertical vehicle")
            })?;
        }
        listed.push(ListedVehicle { vehicle, span: line.span() });
    }
    if listed.len() < count as usize {
        let error =
            cars.error(format!("the number of cars is {count} in the header, but {} in the list", listed.len()));
        return Err(error.with_label("the number of cars"));
    }
    let exit = options.exit.unwrap_or(Exit::Target(Side::Right));
    let board = listing::board((side, side), &listed, exit, whole)?;
    if let (Exit::Target(Side::Right), Some(target)) = (exit, listed.first()) {
        let row = side - 1 - target.vehicle.y;
        if row != exit_row {
            return Err(SyntaxError::new(target.span.clone(), format!("the target is in row {row}, but the exit is in row {exit_row}"))
                .with_label("the target")
                .with_help("the first vehicle is the target and must be in row exit_y of the header; y counts from 0 at the bottom"));
        }
    }
    let moves = Some(moves).filter(|known| known.value() > 0);
    Ok(Puzzle { moves, line: record.line, ..Puzzle::new(board) })
}

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    listing::check_plain(puzzle, Format::VanDijk)?;
    let board = &puzzle.board;
    let moves = match puzzle.moves {
        Some(KnownLength::Exactly(n)) => n,
        _ => 0,
    };
    let from_bottom = |y: u8| board.height() - 1 - y;
    let count = board.vehicles().len();
    let header = format!("{} {} {count} {moves}\n", board.width(), from_bottom(board.target().y));
    let line = |&Vehicle { x, y, length, orientation, .. }: &Vehicle| {
        let (lowest, orientation) = match orientation {
            Orientation::Horizontal => (y, 1),
            Orientation::Vertical => (y + length - 1, 0),
        };
        format!("{x} {} {length} {orientation}\n", from_bottom(lowest))
    };
    Ok(std::iter::once(header).chain(board.vehicles().iter().map(line)).collect())
}
