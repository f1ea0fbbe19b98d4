//! *grid*: the rows of a board on lines of their own, with or without blanks between the cells.
//!
//! ```text
//! name: a small one
//! exit left
//! B . . C C
//! B . # # .
//! . x . . .
//! ```
//!
//! - `.`, `_`, `-`, `o` or `0` is empty, `x` a wall, any other letter or digit the label of a vehicle.
//! - The target is the vehicle marked `#`; if there is none, `X`; if there is none, `A`. On the board it is labelled `A`.
//!   A vehicle that was called `A` beside it swaps labels with it, or gets an unused one if the target was `#`.
//! - Before the rows a line `exit SIDE` (`right`, the default, `left`, `top`, `bottom`) may name the exit, or `exit
//!   SIDE:LINE` one for any vehicle in that line, counted from 0; then no vehicle is the target and all keep their labels
//!   (one marked `#` gets an unused one). A line `name: ...` may name the board.
//! - Boards are separated by blank lines.
//! - A line that begins with `#` is a comment unless it can be a row: one word of cells, or cells with blanks between
//!   them. So a comment is safely begun with `# ` and a word of two letters.
//!
//! Written boards have no blanks between cells. A vehicle labelled `X` that is not the target gets an unused label, so
//! that what is written is read as the same puzzle.

use super::error::Fault;
use super::known::{read_name, write_name};
use super::layout::{Cell, EMPTY, Layout, WALL, marks_of, unused_label};
use super::line::read_exit;
use super::record::{Piece, Record};
use super::{Puzzle, ReadOptions};
use crate::{Board, Exit, MAX_SIDE, Side, Vehicle, is_label};

pub(super) fn read(record: &Record, options: &ReadOptions) -> Result<Puzzle, Fault> {
    let (head, rows) = split_head(record)?;
    let exit = match head.exit {
        Some(Piece { text, .. }) if text.bytes().all(|b| b.is_ascii_digit()) => {
            return Err(record.whole().trim().fault(format!("'{text}' is not an exit")).label("the exit").help(
                "a grid takes a side; a bare column belongs to the traffic-jam format, and is the same as top:COLUMN",
            ));
        }
        Some(exit) => Some(read_exit(exit)?),
        None => None,
    };
    let exit = options.exit.or(exit).unwrap_or(Exit::Target(Side::Right));
    let board = read_rows(record, &rows, exit)?;
    Ok(Puzzle { name: head.name, line: record.line, ..Puzzle::new(board) })
}

/// What may stand before the rows.
#[derive(Default)]
pub(super) struct Head<'a> {
    pub(super) name: Option<String>,
    pub(super) exit: Option<Piece<'a>>,
}

/// The lines before the rows, and the rows.
pub(super) fn split_head(record: &Record) -> Result<(Head<'_>, Vec<Piece<'_>>), Fault> {
    let mut head = Head::default();
    let mut rows = Vec::new();
    for line in record.lines() {
        if let Some(name) = name_line(line) {
            head.name = read_name(name.text);
        } else if let Some(exit) = exit_line(line) {
            if !rows.is_empty() {
                let fault = line.fault("the exit stands after rows of the board").label("this line");
                return Err(fault.help("the exit is named before the rows; a blank line separates boards"));
            }
            head.exit = Some(exit);
        } else {
            rows.push(line);
        }
    }
    Ok((head, rows))
}

/// The name that a line `name: ...` gives.
pub(super) fn name_line(line: Piece<'_>) -> Option<Piece<'_>> {
    line.text.starts_with("name:").then(|| line.slice("name:".len()..line.text.len()).trim())
}

/// The exit that a line `exit ...` gives.
pub(super) fn exit_line(line: Piece<'_>) -> Option<Piece<'_>> {
    line.first_word().filter(|(word, rest)| word.text == "exit" && !rest.text.is_empty()).map(|(_, exit)| exit)
}

/// Reads rows. With an exit for any vehicle no mark means the target.
pub(super) fn read_rows(record: &Record, rows: &[Piece], exit: Exit) -> Result<Board, Fault> {
    let &[first, ..] = rows else {
        let fault = record.whole().trim().fault("there are no rows").label("a board is expected here");
        return Err(fault.help("the rows of a board follow, with '.' for empty and letters for vehicles"));
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
                .fault(format!("this row has {count} cells, but the first row has {width}"))
                .label(format!("{count} cells"))
                .help("all rows of a board are of one width; a blank line separates boards"));
        }
        if cells.len() > MAX_SIDE as usize * MAX_SIDE as usize {
            return Err(row
                .fault(format!("the board is larger than {MAX_SIDE}x{MAX_SIDE}"))
                .label("too many cells")
                .help("a blank line separates boards"));
        }
    }
    let layout = Layout::new(width, rows.len(), cells, first.span())?;
    let mut vehicles = layout.vehicles()?;
    let target = match exit {
        Exit::Target(_) => ['#', 'X', 'A'].into_iter().find(|&mark| layout.marks().any(|m| m == mark)),
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
    let help = "the exit is at the right unless another is named: put a line such as 'exit top' before the rows";
    layout.board(vehicles, exit, target.unwrap_or('A'), help)
}

/// Gives the vehicle with a label, if there is one, an unused label.
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

fn read_cell(at: usize, c: char) -> Result<Cell, Fault> {
    let mark = cell_mark(c).ok_or_else(|| {
        Fault::new(at..at + c.len_utf8(), format!("'{}' is not a cell", c.escape_debug())).label("this character").help(
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

/// Whether a line can be a row: one word of cells, or cells with blanks between them.
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

/// The line that names a board, if it has a name.
pub(super) fn write_name_line(puzzle: &Puzzle) -> String {
    let name = puzzle.name.as_deref().filter(|name| !name.is_empty());
    name.map_or(String::new(), |name| format!("name: {}\n", write_name(name)))
}

/// The rows of a board.
pub(super) fn write_rows(marks: &[char], width: u8) -> String {
    marks.chunks(width.into()).flat_map(|row| row.iter().copied().chain(['\n'])).collect()
}
