//! Boards given as a list of vehicles: what the van Dijk, IT3105 and course formats have in common.

use super::error::Fault;
use super::record::Piece;
use super::{Format, Puzzle, WriteError};
use crate::{Board, BoardError, Cells, Exit, Side, Vehicle, labels};
use std::ops::Range;

/// A vehicle and where in the record it is given.
pub(super) struct Listed {
    pub(super) vehicle: Vehicle,
    pub(super) span: Range<usize>,
}

/// The fields of a line, which must be as many as their names.
pub(super) fn fields<'a, const N: usize>(
    line: Piece<'a>,
    found: impl Iterator<Item = Piece<'a>>,
    names: [&str; N],
) -> Result<[Piece<'a>; N], Fault> {
    let found: Vec<Piece> = found.take(N + 1).collect();
    let count = found.len();
    found.try_into().map_err(|_| {
        let (most, count) = if count > N { ("more than ", N) } else { ("", count) };
        line.fault(format!("this line has {most}{count} fields, but {N} are expected"))
            .label("this line")
            .help(format!("the fields are {}", names.join(", ")))
    })
}

/// The label of the vehicle that comes after `before` others.
pub(super) fn label(line: Piece, before: usize, (width, height): (u8, u8)) -> Result<char, Fault> {
    let most = width as usize * height as usize / 2;
    labels().get(before).copied().filter(|_| before < most).ok_or_else(|| {
        let error = BoardError::TooManyVehicles { count: before + 1, most, width, height };
        line.fault(error.to_string()).label("one too many").help("a blank line separates boards")
    })
}

/// The board with these vehicles.
pub(super) fn board((width, height): (u8, u8), listed: &[Listed], exit: Exit, whole: Piece) -> Result<Board, Fault> {
    let vehicles = listed.iter().map(|listed| listed.vehicle).collect();
    Board::new(width, height, Cells::default(), vehicles, exit).map_err(|error| fault(&error, listed, whole))
}

/// The fault that a board's error is, at the vehicle it names.
pub(super) fn fault(error: &BoardError, listed: &[Listed], whole: Piece) -> Fault {
    let named = error.label().and_then(|label| listed.iter().rfind(|listed| listed.vehicle.label == label));
    let first_line = || whole.split('\n').next().unwrap_or(whole).span();
    let fault = Fault::new(named.map_or_else(first_line, |listed| listed.span.clone()), error.to_string());
    match error {
        _ if error.cell().is_some() => {
            fault.label("this vehicle").help("columns and rows count from 0 at the top left")
        }
        BoardError::TargetNotAligned { .. } => fault.label("the target"),
        _ => fault,
    }
}

/// Refuses what no list of vehicles can hold: walls, exits other than the target's at the right, boards not square.
pub(super) fn check_plain(puzzle: &Puzzle, format: Format) -> Result<(), WriteError> {
    let board = &puzzle.board;
    let refuse = |reason: String| Err(WriteError { format: format.name(), reason });
    if board.width() != board.height() {
        return refuse(format!("its boards are square, not {}x{}", board.width(), board.height()));
    }
    if !board.walls().is_empty() {
        return refuse("the format knows no walls".to_string());
    }
    if board.exit() != Exit::Target(Side::Right) {
        return refuse(format!("its exit is at the right, for the target, not {}", board.exit()));
    }
    Ok(())
}
