//! *grid*: one row of the board per line, with or without spaces between the cells.
//!
//! ```text
//! name: a small one
//! exit left
//! B . . C C
//! B . # # .
//! . x . . .
//! ```
//!
//! - `.`, `_`, `-`, `o` or `0` is empty, `x` is a wall, any other letter or digit is the label of a vehicle.
//! - The target is the vehicle marked `#`; if there is none, `X`; if there is none, `A`. On the board it is labelled `A`.
//!   Another vehicle marked `A` swaps labels with it, or gets an unused label if the target is marked `#`.
//! - A line `exit SIDE` before the rows (`right`, the default, `left`, `top`, `bottom`) gives the exit of the target, or `exit
//!   SIDE:LINE` an exit for any vehicle in that line, counted from 0; then no vehicle is the target and all keep their labels
//!   (one marked `#` gets an unused label). A line `name: ...` gives the name of the board.
//! - Boards are separated by blank lines.
//! - A line that starts with `#` is a comment unless it can be a row: one word of cells, or cells separated by spaces. A `#`
//!   followed by a space and a word of two or more letters is always a comment.
//!
//! Boards are written without spaces between the cells. A vehicle labelled `X` that is not the target is written with an unused
//! label, so that the text is read as the same puzzle.

use super::cell_grid::{Cell, CellGrid, EMPTY, ExitSource, WALL, marks_of, unused_label};
use super::known::{read_name, write_name};
use super::line::{clip, read_exit};
use super::record::InputRecord;
use super::{Puzzle, ReadOptions};
use crate::{Board, Exit, MAX_SIDE, Side, Vehicle, is_label};
use clearway_util::syntax::Piece;
use clearway_util::syntax::SyntaxError;

pub(super) fn read(record: &InputRecord, options: &ReadOptions) -> Result<Puzzle, SyntaxError> {
    let (header, rows) = split_header(record)?;
    let given = match header.exit {
        Some(exit) if exit.text.bytes().all(|b| b.is_ascii_digit()) => {
            return Err(exit
                .error(format!("invalid exit '{}' of a grid", clip(exit.text)))
                .with_label("the exit")
                .with_help(
                    "expected a side; a bare column is only valid in the traffic-jam format, where it means top:COLUMN",
                ));
        }
        Some(exit) => Some(read_exit(exit)?),
        None => None,
    };
    let exit = options.exit.or(given).unwrap_or(Exit::Target(Side::Right));
    let board = read_rows(record, &rows, exit, header.exit)?;
    Ok(Puzzle { name: header.name, line: record.line, ..Puzzle::new(board) })
}

/// The optional lines before the rows.
#[derive(Default)]
pub(super) struct GridHeader<'a> {
    pub(super) name: Option<String>,
    pub(super) exit: Option<Piece<'a>>,
}

/// Splits a record into the header and the rows.
pub(super) fn split_header(record: &InputRecord) -> Result<(GridHeader<'_>, Vec<Piece<'_>>), SyntaxError> {
    let mut header = GridHeader::default();
    let mut rows = Vec::new();
    for line in record.lines() {
        if let Some(name) = name_line(line) {
            header.name = read_name(name.text);
        } else if let Some(exit) = exit_line(line) {
            if !rows.is_empty() {
                let error = line.error("the exit follows rows of the board").with_label("this line");
                return Err(error.with_help("put the exit before the rows; boards are separated by blank lines"));
            }
            header.exit = Some(exit);
        } else {
            rows.push(line);
        }
    }
    Ok((header, rows))
}

/// The name in a line `name: ...`.
pub(super) fn name_line(line: Piece<'_>) -> Option<Piece<'_>> {
    line.text.starts_with("name:").then(|| line.slice("name:".len()..line.text.len()).trim())
}

/// The exit in a line `exit ...`.
pub(super) fn exit_line(line: Piece<'_>) -> Option<Piece<'_>> {
    line.first_word().filter(|(word, rest)| word.text == "exit" && !rest.text.is_empty()).map(|(_, exit)| exit)
}

/// Reads the rows of a board. With an exit for any vehicle, no mark denotes the target.
pub(super) fn read_rows(
    record: &InputRecord,
    rows: &[Piece],
    exit: Exit,
    exit_text: Option<Piece>,
) -> Result<Board, SyntaxError> {
    let &[first, ..] = rows else {
        let error = record.whole().trim().error("no rows found").with_label("expected a board here");
        return Err(error.with_help("the rows of a board have '.' for empty cells and letters for vehicles"));
    };
    let width = first.marks().count();
    let mut cells = Vec::with_capacity(rows.len() * width);
    for row in rows {
        let before = cells.len();
        for (at, c) in row.marks() {
            cells.push(read_cell(at, c)?);
        }
        let count = cells.len() - before;
        if count != width {
            return Err(row
                .error(format!("this row has {count} cells, but the first row has {width}"))
                .with_label(format!("{count} cells"))
                .with_help("all rows of a board have the same width; boards are separated by blank lines"));
        }
        if cells.len() > MAX_SIDE as usize * MAX_SIDE as usize {
            return Err(row
                .error(format!("the board is larger than {MAX_SIDE}x{MAX_SIDE}"))
                .with_label("too many cells")
                .with_help("boards are separated by blank lines"));
        }
    }
    let grid = CellGrid::new(width, rows.len(), cells, first.span())?;
    let mut vehicles = grid.vehicles()?;
    let target = match exit {
        Exit::Target(_) => ['#', 'X', 'A'].into_iter().find(|&mark| grid.marks().any(|m| m == mark)),
        Exit::Any(..) => None,
    };
    match target {
        Some('#') => {
            relabel(&mut vehicles, 'A');
            rename(&mut vehicles, '#', 'A');
        }
        Some('X') => {
            rename(&mut vehicles, 'X', '#');
            rename(&mut vehicles, 'A', 'X');
            rename(&mut vehicles, '#', 'A');
        }
        _ => relabel(&mut vehicles, '#'),
    }
    let how_to_set =
        |[one, other]: [&str; 2]| format!("for this target, put a line 'exit {one}' or 'exit {other}' before the rows");
    let exit = ExitSource { exit, span: exit_text.map(Piece::span), how_to_set };
    grid.board(vehicles, target.unwrap_or('A'), &exit)
}

/// Gives the vehicle with this label, if there is one, an unused label.
fn relabel(vehicles: &mut [Vehicle], label: char) {
    let used = |c: char| vehicles.iter().any(|v| v.label == c);
    if used(label)
        && let Some(unused) = unused_label(used)
    {
        rename(vehicles, label, unused);
    }
}

fn rename(vehicles: &mut [Vehicle], from: char, to: char) {
    if let Some(vehicle) = vehicles.iter_mut().find(|v| v.label == from) {
        vehicle.label = to;
    }
}

fn read_cell(at: usize, c: char) -> Result<Cell, SyntaxError> {
    let mark = cell_mark(c).ok_or_else(|| {
        SyntaxError::new(at..at + c.len_utf8(), format!("invalid cell '{}'", c.escape_debug())).with_label("this character").with_help(
            "a cell is '.', '_', '-', 'o' or '0' (empty), 'x' (wall), '#' (the target) or the label of a vehicle, a \
             letter or digit",
        )
    })?;
    Ok(Cell { mark, at })
}

fn cell_mark(c: char) -> Option<char> {
    match c {
        '.' | '_' | '-' | 'o' | '0' => Some(EMPTY),
        'x' => Some(WALL),
        c if c == '#' || is_label(c) => Some(c),
        _ => None,
    }
}

/// Whether a line can be a row: one word of cells, or cells separated by spaces.
pub(super) fn is_row(line: &str) -> bool {
    let one_word = !line.trim().contains(char::is_whitespace);
    let spaced = || line.split_whitespace().all(|word| word.chars().nth(1).is_none());
    let count = line.chars().filter(|c| !c.is_whitespace()).take(MAX_SIDE as usize + 1).count();
    let cells = || line.chars().all(|c| c.is_whitespace() || cell_mark(c).is_some());
    (2..=MAX_SIDE as usize).contains(&count) && (one_word || spaced()) && cells()
}

pub(super) fn write(puzzle: &Puzzle) -> String {
    let board = &puzzle.board;
    let exit = match board.exit() {
        Exit::Target(Side::Right) => String::new(),
        exit => format!("exit {exit}\n"),
    };
    let mut marks = marks_of(board);
    if let (Exit::Target(_), Some(unused)) = (board.exit(), unused_label(|c| c == 'X' || marks.contains(&c))) {
        marks.iter_mut().filter(|mark| **mark == 'X').for_each(|mark| *mark = unused);
    }
    write_name_line(puzzle) + &exit + &write_rows(&marks, board.width())
}

/// Writes the line with the name of a board, if it has one.
pub(super) fn write_name_line(puzzle: &Puzzle) -> String {
    let name = puzzle.name.as_deref().filter(|name| !name.is_empty());
    name.map_or(String::new(), |name| format!("name: {}\n", write_name(name)))
}

/// Writes the rows of a board.
pub(super) fn write_rows(marks: &[char], width: u8) -> String {
    marks.chunks(width.into()).flat_map(|row| row.iter().copied().chain(['\n'])).collect()
}
