//! Moves typed by a person, with errors that point into their text.

use clearway_rush::{Board, Move, Replay, ReplayError, replay};
use clearway_util::syntax::{ParseError, SyntaxError};
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
    pub fn parse(text: &str) -> Result<TypedMoves, ParseError> {
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
                    return Err(typed.error(span, error.to_string(), "not a move", help));
                }
            }
            typed.spans.push(span);
        }
        Ok(typed)
    }

    /// Replays the moves on a board, by code that no solver uses.
    pub fn replay(&self, board: &Board) -> Result<Replay, ParseError> {
        replay(board, &self.moves).map_err(|error| self.illegal_move(&error))
    }

    /// Reports a move that is not possible.
    fn illegal_move(&self, error: &ReplayError) -> ParseError {
        let help = "columns and rows count from 0 at the top left";
        self.error(self.spans[error.index].clone(), error.to_string(), &error.reason.to_string(), help)
    }

    fn error(&self, span: Range<usize>, message: String, label: &str, help: &str) -> ParseError {
        let error = SyntaxError::new(span, message).with_label(label).with_help(help);
        ParseError::in_line(&self.text, error, "moves")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_its_span() {
        let typed = TypedMoves::parse(" C-1 ,A+2").unwrap();
        assert_eq!(typed.spans, [1..4, 6..9]);
        let error = TypedMoves::parse("C-1, A+2\nB*3 C+1").unwrap_err();
        assert_eq!(error.span.map(|span| &error.source_code.text[span]), Some("B*3"));
    }
}
