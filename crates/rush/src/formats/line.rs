//! *line*: one board per line, `[moves] [WxH:]cells[@exit] [numbers...] [name]`.
//!
//! ```text
//! BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
//! 51 BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM. 4780
//! 3x4:.A..A.BB....@top a small one   # a comment
//! ```
//!
//! - The cells are given row by row: `.` or `o` is empty, `x` is a wall, any other letter or digit except 0 is the label of a
//!   vehicle. `A` is the target.
//! - `WxH:` is the size. Without it, the board is square.
//! - `@exit` is the exit: `@left`, `@top`, `@bottom` for the target; `@top:5` (a side and a line counted from 0) for
//!   any vehicle in that line. Without it, the exit is `right`.
//! - A number before the cells is the known optimum in moves; `<=25` is the best known length.
//! - Numbers after the cells are skipped (in M. Fogleman's catalogue they count states). The rest is the name, up to a `#` that
//!   starts a word. A name in quotes is read as a JSON string.
//! - A line that starts with `#` is a comment.

use super::cell_grid::{Cell, CellGrid, EMPTY, ExitSource, WALL, marks_of};
use super::known::{is_length, read_name, write_name};
use super::record::InputRecord;
use super::{KnownLength, Puzzle, ReadOptions};
use crate::{Board, Exit, MAX_SIDE, MIN_SIDE, Side, is_label};
use clearway_util::syntax::Piece;
use clearway_util::syntax::SyntaxError;
use std::fmt::Write;

/// Number of cells of the largest board.
const MAX_CELLS: usize = MAX_SIDE as usize * MAX_SIDE as usize;

pub(super) fn read(record: &InputRecord, options: &ReadOptions) -> Result<Puzzle, SyntaxError> {
    let line = record.whole().trim();
    let missing = || line.error("no board in this line").with_help(EXPECTED);
    let (first, rest) = line.first_word().ok_or_else(missing)?;
    let (moves, board, mut rest) = if is_length(first.text) {
        let moves = KnownLength::parse(first.text).ok_or_else(|| {
            first.error("the number of moves is too large").with_help("expected a number of at most nine digits")
        })?;
        let (board, rest) = rest.first_word().ok_or_else(missing)?;
        (Some(moves), board, rest)
    } else {
        (None, first, rest)
    };
    let board = read_board(board, None, options)?;
    while let Some((word, after)) = rest.first_word() {
        if !word.text.bytes().all(|b| b.is_ascii_digit()) {
            break;
        }
        rest = after;
    }
    Ok(Puzzle { moves, name: read_name(rest.text), line: record.line, ..Puzzle::new(board) })
}

const EXPECTED: &str = "expected [moves] [WxH:]cells[@exit] [name], with '.' for empty cells, 'x' for walls and letters for \
                        vehicles, A for the target";

/// Reads `[WxH:]cells[@exit]`, or only `cells` if the size and the exit are given.
pub(super) fn read_board(
    text: Piece,
    given: Option<(usize, usize, Exit)>,
    options: &ReadOptions,
) -> Result<Board, SyntaxError> {
    let (before_exit, exit) = match text.split_once('@') {
        Some((cells, exit)) if given.is_none() => (cells, Some(exit)),
        _ => (text, None),
    };
    let (size, cells) = match before_exit.split_once(':') {
        Some((size, cells)) if given.is_none() => (Some(size), cells),
        _ => (None, before_exit),
    };
    let span = exit.map(Piece::span);
    let named = exit.map(read_exit).transpose()?.or(given.map(|(_, _, exit)| exit));
    let exit = options.exit.or(named).unwrap_or(Exit::Target(Side::Right));
    let marks = cells.text.char_indices().map(|(at, c)| read_cell(cells.start + at, c));
    let marks: Vec<Cell> = marks.take(MAX_CELLS + 1).collect::<Result<_, _>>()?;
    let count = marks.len();
    if count > MAX_CELLS {
        return Err(cells
            .error(format!("more than {MAX_CELLS} cells, the size of the largest board"))
            .with_label("too long for a board")
            .with_help(format!("a board has at most {MAX_SIDE}x{MAX_SIDE} cells")));
    }
    let (width, height) = match (size, given) {
        (Some(size), _) => read_size(size)?,
        (None, Some((width, height, _))) => (width, height),
        (None, None) => {
            let side = count.isqrt();
            if side * side != count || count == 0 {
                return Err(cells
                    .error(format!("{count} cells do not make a square board"))
                    .with_label(format!("{count} cells"))
                    .with_help("a board that is not square needs its size before the cells, such as 7x5:"));
            }
            (side, side)
        }
    };
    if count != width * height {
        return Err(cells
            .error(format!("a {width}x{height} board has {} cells, not {count}", width * height))
            .with_label(format!("{count} cells")));
    }
    let grid = CellGrid::new(width, height, marks, cells.span())?;
    let how_to_set: fn([&str; 2]) -> String = match given {
        None => |[one, other]| format!("for this target, add @{one} or @{other} after the cells"),
        Some(_) => |[one, other]| format!("for this target, give {one} or {other} as the exit"),
    };
    grid.board(grid.vehicles()?, 'A', &ExitSource { exit, span, how_to_set })
}

/// Parses `WxH`, without checking that a board can have this size.
pub(super) fn read_size(size: Piece) -> Result<(usize, usize), SyntaxError> {
    let side = |text: &str| {
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    let sides = size.text.split_once('x').and_then(|(width, height)| side(width).zip(side(height)));
    sides.ok_or_else(|| {
        size.error(format!("invalid size '{}'", clip(size.text)))
            .with_label("the size")
            .with_help(format!("a size is WxH with both sides from {MIN_SIDE} to {MAX_SIDE}, such as 7x5"))
    })
}

/// Parses an exit.
pub(super) fn read_exit(exit: Piece) -> Result<Exit, SyntaxError> {
    exit.text.parse().map_err(|_| {
        exit.error(format!("invalid exit '{}'", clip(exit.text))).with_label("the exit").with_help(
            "an exit is right, left, top or bottom (for the target), or one of these with a line counted from 0, such \
             as top:5 (for any vehicle in that line)",
        )
    })
}

fn read_cell(at: usize, c: char) -> Result<Cell, SyntaxError> {
    let mark = match c {
        '.' | 'o' => EMPTY,
        'x' => WALL,
        c if is_label(c) => c,
        c => {
            return Err(SyntaxError::new(at..at + c.len_utf8(), format!("invalid cell '{}'", c.escape_debug()))
                .with_label("this character")
                .with_help(
                    "a cell is '.' or 'o' (empty), 'x' (wall), or the label of a vehicle: a letter or a digit except 0",
                ));
        }
    };
    Ok(Cell { mark, at })
}

/// The first 20 characters of a text, for quoting it in a message.
pub(super) fn clip(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Writes a board without its name and known lengths.
pub(super) fn write_board(board: &Board) -> String {
    let marks = marks_of(board);
    let mut text = String::with_capacity(marks.len() + 16);
    // Writing to a string cannot fail.
    if board.width() != board.height() {
        let _ = write!(text, "{}x{}:", board.width(), board.height());
    }
    text.extend(marks);
    if board.exit() != Exit::Target(Side::Right) {
        let _ = write!(text, "@{}", board.exit());
    }
    text
}

pub(super) fn write(puzzle: &Puzzle) -> String {
    let mut text = puzzle.moves.map_or(String::new(), |moves| format!("{moves} "));
    text.push_str(&write_board(&puzzle.board));
    if let Some(name) = puzzle.name.as_deref().filter(|name| !name.is_empty()) {
        text.push(' ');
        text.push_str(&write_name(name));
    }
    text.push('\n');
    text
}
