//! *tsv*: a suite, one board per line, with fields separated by tabs:
//!
//! ```text
//! # name  size  exit  board  moves  steps
//! JAM01   6x6   right BB...CD..E.CDAAE.CD..E..F...GGF.HHH.  8  16
//! ```
//!
//! - name: may be empty; in quotes it is read as a JSON string.
//! - size: `WxH`. exit: as in the line format (`right`, `top:5`). board: the cells of the line format.
//! - moves, steps: the optimum, `<=25` for the best known length, `?` or nothing if unknown. Both may be missing; further
//!   fields are skipped.
//! - A line that starts with `#` is a comment.

use super::cell_grid::marks_of;
use super::known::{read_name, write_name};
use super::line::{clip, read_board, read_exit, read_size};
use super::record::InputRecord;
use super::{KnownLength, Puzzle, ReadOptions};
use clearway_util::syntax::Piece;
use clearway_util::syntax::SyntaxError;

/// The comment in the first line of a file.
pub(super) const HEADER: &str = "# name\tsize\texit\tboard\tmoves\tsteps\n";

pub(super) fn read(record: &InputRecord, options: &ReadOptions) -> Result<Puzzle, SyntaxError> {
    let line = record.whole();
    let fields: Vec<Piece> = line.split('\t').take(6).map(Piece::trim).collect();
    let &[name, size, exit, board, ref lengths @ ..] = fields.as_slice() else {
        return Err(line
            .trim()
            .error(format!("expected at least 4 fields, found {}", fields.len()))
            .with_label("this line")
            .with_help("the fields are name, size, exit, board, moves and steps, separated by tabs"));
    };
    let (width, height) = read_size(size)?;
    let board = read_board(board, Some((width, height, read_exit(exit)?)), options)?;
    let length = |i: usize| lengths.get(i).map_or(Ok(None), |&field| read_length(field));
    let (moves, steps) = (length(0)?, length(1)?);
    Ok(Puzzle { name: read_name(name.text), moves, steps, line: record.line, ..Puzzle::new(board) })
}

fn read_length(field: Piece) -> Result<Option<KnownLength>, SyntaxError> {
    if matches!(field.text, "" | "?") {
        return Ok(None);
    }
    KnownLength::parse(field.text).map(Some).ok_or_else(|| {
        field
            .error(format!("invalid length '{}'", clip(field.text)))
            .with_label("expected a number here")
            .with_help("a length is a number, <= and a number for the best known length, or ? if it is unknown")
    })
}

pub(super) fn write(puzzle: &Puzzle) -> String {
    let board = &puzzle.board;
    let length = |known: Option<KnownLength>| known.map_or("?".to_string(), |known| known.to_string());
    format!(
        "{}\t{}x{}\t{}\t{}\t{}\t{}\n",
        puzzle.name.as_deref().filter(|name| !name.is_empty()).map_or(String::new(), write_name),
        board.width(),
        board.height(),
        board.exit(),
        marks_of(board).into_iter().collect::<String>(),
        length(puzzle.moves),
        length(puzzle.steps),
    )
}
