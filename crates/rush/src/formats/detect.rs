//! Format detection.
//!
//! The first rule that applies decides. Blank lines and comments (lines that start with `#`, unless they can be rows of a grid)
//! are ignored. The block is the text before the first blank line.
//!
//! 1. The first line has fields separated by tabs, and the second field is a size such as `6x6`: *tsv*.
//! 2. It starts with `{` or `[`: *json*.
//! 3. It is the header `car,orientation,col,row,length`: *course*.
//! 4. It is four integers separated by whitespace: *van-dijk*. (A spaced grid row of four digits also is; it needs
//!    `--format grid`.)
//! 5. It is four integers separated by commas: *it3105*.
//! 6. After an optional line `name: ...` comes `exit N`, or an integer N up to 15 alone on its line whose width differs from that
//!    of the next line: *traffic-jam*.
//! 7. After an optional line `name: ...` comes `exit SIDE`, or there is a line `name: ...`: *grid*.
//! 8. A line of the block has a number of moves before its cells, has cells that contain `:` or `@`, or has more than 16 cells in
//!    one word: *line*.
//! 9. The block is a single line, or each of its lines starts with a word of 4, 9 or 16 cells of which at least two are
//!    `A`: *line*. (In a grid, such lines would be a bent vehicle, so no valid text can be read both ways.)
//! 10. Anything else: *grid*.

use super::Format;
use super::course::is_header;
use super::grid::{exit_line, is_row, name_line};
use super::known::is_length;
use super::line::read_size;
use crate::{Exit, MAX_SIDE};
use clearway_util::syntax::Piece;

/// Whether a line is a comment in a format; `None` while the format is not yet known.
pub(super) fn is_comment(line: &str, format: Option<Format>) -> bool {
    let line = line.trim();
    line.starts_with('#')
        && match format {
            None | Some(Format::Grid | Format::TrafficJam) => !is_row(line),
            Some(_) => true,
        }
}

/// Detects the format from the first line, if that suffices.
pub(super) fn by_first_line(line: &str) -> Option<Format> {
    let text = line.trim();
    if line.split('\t').nth(1).is_some_and(|size| read_size(Piece { text: size.trim(), start: 0 }).is_ok()) {
        return Some(Format::Tsv);
    }
    if text.starts_with(['{', '[']) {
        return Some(Format::Json);
    }
    if is_header(text) {
        return Some(Format::Course);
    }
    let is_integer = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let four = |words: &[&str]| words.len() == 4 && words.iter().all(|word| is_integer(word));
    if four(&text.split_whitespace().take(5).collect::<Vec<_>>()) {
        return Some(Format::VanDijk);
    }
    if four(&text.split(',').map(str::trim).take(5).collect::<Vec<_>>()) {
        return Some(Format::It3105);
    }
    let piece = Piece { text, start: 0 };
    if name_line(piece).is_some() || exit_line(piece).is_some() {
        return None;
    }
    is_line_only(text).then_some(Format::Line)
}

/// Detects the format from the first block, if its first line did not suffice.
pub(super) fn by_block(lines: &[&str]) -> Format {
    let pieces = || lines.iter().map(|&text| Piece { text, start: 0 }.trim());
    let named = pieces().next().is_some_and(|line| name_line(line).is_some());
    let mut body = pieces().skip(named.into()).map(|piece| piece.text);
    let (first, second) = (body.next().unwrap_or_default(), body.next());
    let is_column = |text: &str| text.parse().is_ok_and(|n: u8| n < MAX_SIDE) && text.len() <= 2;
    match exit_line(Piece { text: first, start: 0 }) {
        Some(exit) if is_column(exit.text) => return Format::TrafficJam,
        Some(exit) if exit.text.parse::<Exit>().is_ok() => return Format::Grid,
        _ => {}
    }
    let width = |line: &str| line.chars().filter(|c| !c.is_whitespace()).count();
    if is_column(first) && second.is_some_and(|second| width(second) != width(first)) {
        return Format::TrafficJam;
    }
    if named {
        return Format::Grid;
    }
    let is_line_board = |line: &&str| {
        let cells = line.split_whitespace().next().unwrap_or_default();
        matches!(cells.chars().count(), 4 | 9 | 16) && cells.matches('A').count() >= 2
    };
    let is_line = lines.len() == 1 || lines.iter().any(|line| is_line_only(line)) || lines.iter().all(is_line_board);
    if is_line { Format::Line } else { Format::Grid }
}

/// Whether a line can only be in the line format.
fn is_line_only(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let (counted, cells) = match second {
        Some(second) if is_length(first) && second.chars().nth(3).is_some() => (true, second),
        _ => (false, first),
    };
    counted || cells.contains([':', '@']) || cells.chars().nth(MAX_SIDE.into()).is_some()
}
