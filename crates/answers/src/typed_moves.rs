//! Moves typed by a person, with errors that point into their text.

use clearway_rush::{Board, Move, Replay, ReplayError, replay};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};
use std::ops::Range;

/// Moves with their positions in the text.
///
/// ```
/// use clearway_answers::TypedMoves;
/// use clearway_rush::formats;
/// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
/// let error = TypedMoves::parse("B+1, A+2").unwrap().replay(&board).unwrap_err();
/// assert_eq!(error.to_string(), "move 2 (A+2) is not possible: vehicle A is blocked by B at column 3, row 1");
/// ```
#[derive(Debug)]
pub struct TypedMoves {
    text: String,
    /// Moves in order.
    pub moves: Vec<Move>,
    spans: Vec<Range<usize>>,
}

impl TypedMoves {
    /// Parses moves separated by whitespace, commas or both.
    pub fn parse(text: &str) -> Result<TypedMoves, Report> {
        let mut typed = TypedMoves { text: text.to_owned(), moves: Vec::new(), spans: Vec::new() };
        let is_separator = |c: char| c.is_whitespace() || c == ',';
        for word in text.split(is_separator).filter(|word| !word.is_empty()) {
            // A word is a slice of the text, so the difference of their addresses is its offset.
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let span = start..start + word.len();
            match word.parse::<Move>() {
                Ok(mv) => typed.moves.push(mv),
                Err(error) => {
                    let help = "plus is right or down, minus is left or up: 'C-1 A+2'";
                    return Err(move_report(text, span, error.to_string(), "not a move".to_owned(), help));
                }
            }
            typed.spans.push(span);
        }
        Ok(typed)
    }

    /// Replays the moves on a board, by code that no solver uses.
    pub fn replay(&self, board: &Board) -> Result<Replay, Report> {
        replay(board, &self.moves).map_err(|error| self.illegal_move(&error))
    }

    /// Reports a move that is not possible.
    fn illegal_move(&self, error: &ReplayError) -> Report {
        let help = "columns and rows count from 0 at the top left";
        move_report(&self.text, self.spans[error.index].clone(), error.to_string(), error.reason.to_string(), help)
    }
}

/// Number of bytes of the text that are shown on either side of the move at fault.
const CONTEXT: usize = 60;

fn move_report(text: &str, span: Range<usize>, message: String, label: String, help: &str) -> Report {
    let (excerpt, span) = excerpt(text, span);
    let label = LabeledSpan::new_with_span(Some(label), span);
    let diagnostic = MietteDiagnostic::new(message).with_help(help).with_label(label);
    Report::new(diagnostic).with_source_code(NamedSource::new("moves", excerpt))
}

/// Returns the text around a span as one line, and the position of the span in it.
fn excerpt(text: &str, span: Range<usize>) -> (String, Range<usize>) {
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    // The start and the end of the text are boundaries, so both searches succeed.
    let from = (0..=span.start.saturating_sub(CONTEXT)).rev().find(is_boundary).unwrap_or(0);
    let to = (span.start + CONTEXT..text.len()).find(is_boundary).unwrap_or(text.len());
    (text[from..to].replace(['\n', '\r', '\t'], " "), span.start - from..span.end.min(to) - from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_its_span() {
        let typed = TypedMoves::parse(" C-1 ,A+2").unwrap();
        assert_eq!(typed.spans, [1..4, 6..9]);
        let error = TypedMoves::parse("C-1, A+2\nB*3 C+1").unwrap_err();
        let label = error.labels().and_then(|mut labels| labels.next()).unwrap();
        assert_eq!((label.offset(), label.len()), (9, 3));
    }

    #[test]
    fn only_the_context_of_the_fault_is_shown() {
        let text = format!("{}é*1{}", "é-1 ".repeat(5000), " é+1".repeat(5000));
        let start = text.find('*').unwrap() - 'é'.len_utf8();
        let (part, span) = excerpt(&text, start..start + 4);
        assert_eq!(&part[span], "é*1");
        assert!(part.len() < 3 * CONTEXT);
        let one_word = "é".repeat(100_000);
        let (part, span) = excerpt(&one_word, 0..one_word.len());
        assert_eq!(part[span], part);
        assert!(part.len() < 3 * CONTEXT);
    }
}
