//! Moves that a person typed, with a caret into their text where something is wrong with them.

use clearway_rush::{Board, Move, Replay, ReplayError, replay};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};
use std::ops::Range;

/// Moves and where each of them stands in its text.
///
/// ```
/// use clearway_lab::TypedMoves;
/// use clearway_rush::formats;
/// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
/// let error = TypedMoves::parse("B+1, A+2").unwrap().replay(&board).unwrap_err();
/// assert_eq!(error.to_string(), "move 2 (A+2) is not possible: vehicle A is blocked by B at column 3, row 1");
/// ```
#[derive(Debug)]
pub struct TypedMoves {
    text: String,
    /// The moves.
    pub moves: Vec<Move>,
    spans: Vec<Range<usize>>,
}

impl TypedMoves {
    /// Reads moves with blanks, commas or both between them.
    pub fn parse(text: &str) -> Result<TypedMoves, Report> {
        let mut typed = TypedMoves { text: text.to_owned(), moves: Vec::new(), spans: Vec::new() };
        let is_gap = |c: char| c.is_whitespace() || c == ',';
        for word in text.split(is_gap).filter(|word| !word.is_empty()) {
            // A word is a part of the text, so the distance of their beginnings is its offset.
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let span = start..start + word.len();
            match word.parse::<Move>() {
                Ok(mv) => typed.moves.push(mv),
                Err(error) => {
                    let help = "plus is right or down, minus is left or up: 'C-1 A+2'";
                    return Err(bad_move(text, span, error.to_string(), "not a move".to_owned(), help));
                }
            }
            typed.spans.push(span);
        }
        Ok(typed)
    }

    /// Makes the moves on a board, by code that no solver shares.
    pub fn replay(&self, board: &Board) -> Result<Replay, Report> {
        replay(board, &self.moves).map_err(|error| self.impossible(&error))
    }

    /// The report of a move that cannot be made.
    fn impossible(&self, error: &ReplayError) -> Report {
        let help = "columns and rows count from 0 at the top left";
        bad_move(&self.text, self.spans[error.index].clone(), error.to_string(), error.reason.to_string(), help)
    }
}

/// How many bytes of the text are shown on either side of the move at fault.
const AROUND: usize = 60;

fn bad_move(text: &str, span: Range<usize>, message: String, label: String, help: &str) -> Report {
    let (part, span) = excerpt(text, span);
    let label = LabeledSpan::new_with_span(Some(label), span);
    let diagnostic = MietteDiagnostic::new(message).with_help(help).with_label(label);
    Report::new(diagnostic).with_source_code(NamedSource::new("moves", part))
}

/// The text around a span in one line, and where the span is in it.
fn excerpt(text: &str, span: Range<usize>) -> (String, Range<usize>) {
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    // The beginning and the end of a text are boundaries, so both searches find one.
    let from = (0..=span.start.saturating_sub(AROUND)).rev().find(is_boundary).unwrap_or(0);
    let to = (span.start + AROUND..text.len()).find(is_boundary).unwrap_or(text.len());
    (text[from..to].replace(['\n', '\r', '\t'], " "), span.start - from..span.end.min(to) - from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_every_move_is_known() {
        let typed = TypedMoves::parse(" C-1 ,A+2").unwrap();
        assert_eq!(typed.spans, [1..4, 6..9]);
        let error = TypedMoves::parse("C-1, A+2\nB*3 C+1").unwrap_err();
        let label = error.labels().and_then(|mut labels| labels.next()).unwrap();
        assert_eq!((label.offset(), label.len()), (9, 3));
    }

    #[test]
    fn a_long_text_is_shown_around_the_fault_only() {
        let text = format!("{}é*1{}", "é-1 ".repeat(5000), " é+1".repeat(5000));
        let start = text.find('*').unwrap() - 'é'.len_utf8();
        let (part, span) = excerpt(&text, start..start + 4);
        assert_eq!(&part[span], "é*1");
        assert!(part.len() < 3 * AROUND);
        let one_word = "é".repeat(100_000);
        let (part, span) = excerpt(&one_word, 0..one_word.len());
        assert_eq!(part[span], part);
        assert!(part.len() < 3 * AROUND);
    }
}
