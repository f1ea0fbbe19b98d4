//! Boards given as a list of vehicles, shared by the van Dijk, IT3105 and course formats.

use super::{Format, Puzzle, WriteError};
use crate::{Board, BoardError, Cells, Exit, Side, Vehicle, labels};
use clearway_util::syntax::Piece;
use clearway_util::syntax::SyntaxError;
use std::ops::Range;

/// A vehicle and its place in the record.
pub(super) struct ListedVehicle {
    pub(super) vehicle: Vehicle,
    pub(super) span: Range<usize>,
}

/// Checks that a line has one field for each name.
pub(super) fn fields<'a, const N: usize>(
    line: Piece<'a>,
    found: impl Iterator<Item = Piece<'a>>,
    names: [&str; N],
) -> Result<[Piece<'a>; N], SyntaxError> {
    let found: Vec<Piece> = found.take(N + 1).collect();
    let count = found.len();
    found.try_into().map_err(|_| {
        let found = if count > N { "more".to_string() } else { count.to_string() };
        line.error(format!("expected {N} fields, found {found}"))
            .with_label("this line")
            .with_help(format!("the fields are {}", names.join(", ")))
    })
}

/// Parses a field that is 0 or 1, and returns whether it is 1; `what` and `help` describe it in errors.
pub(super) fn flag(field: Piece, what: &str, help: &str) -> Result<bool, SyntaxError> {
    field.number(what, 0..=1).map(|number| number == 1).map_err(|error| error.with_help(help))
}

/// The label of the next vehicle after `before` others. Fails if the board has no room for it.
pub(super) fn label(line: Piece, before: usize, (width, height): (u8, u8)) -> Result<char, SyntaxError> {
    let most = width as usize * height as usize / 2;
    labels().get(before).copied().filter(|_| before < most).ok_or_else(|| {
        let error = BoardError::TooManyVehicles { count: before + 1, most, width, height };
        line.error(error.to_string()).with_label("one too many").with_help("boards are separated by blank lines")
    })
}

/// Creates the board with these vehicles.
pub(super) fn board(
    (width, height): (u8, u8),
    listed: &[ListedVehicle],
    exit: Exit,
    whole: Piece,
) -> Result<Board, SyntaxError> {
    let vehicles = listed.iter().map(|listed| listed.vehicle).collect();
    Board::new(width, height, Cells::default(), vehicles, exit).map_err(|error| invalid_board(&error, listed, whole))
}

/// Turns the error of a board into an error at the vehicle that it names.
pub(super) fn invalid_board(error: &BoardError, listed: &[ListedVehicle], whole: Piece) -> SyntaxError {
    let named = error.label().and_then(|label| listed.iter().rfind(|listed| listed.vehicle.label == label));
    let first_line = || whole.split('\n').next().unwrap_or(whole).span();
    let found = SyntaxError::new(named.map_or_else(first_line, |listed| listed.span.clone()), error.to_string());
    match error {
        _ if error.cell().is_some() => {
            found.with_label("this vehicle").with_help("columns and rows count from 0 at the top left")
        }
        BoardError::TargetNotAligned { .. } => found.with_label("the target"),
        _ => found,
    }
}

/// Rejects boards that no list of vehicles can represent: those with walls, with an exit other than the target's on the right, or
/// that are not square.
pub(super) fn check_plain(puzzle: &Puzzle, format: Format) -> Result<(), WriteError> {
    let board = &puzzle.board;
    let refuse = |reason: String| Err(WriteError { format: format.name(), reason });
    if board.width() != board.height() {
        return refuse(format!("its boards must be square, not {}x{}", board.width(), board.height()));
    }
    if !board.walls().is_empty() {
        return refuse("it does not support walls".to_string());
    }
    if board.exit() != Exit::Target(Side::Right) {
        return refuse(format!("its exit must be on the right, for the target, not {}", board.exit()));
    }
    Ok(())
}
