//! Records, the parts of the input that hold one board each.

use clearway_util::syntax::{ParseError, Piece, SyntaxError};

/// The text of one board (a line, a block of lines or a JSON object) with its place in the input.
#[derive(Debug)]
pub(super) struct InputRecord {
    pub(super) text: String,
    /// Line of the input on which the record starts, from 1.
    pub(super) line: usize,
    /// Number of characters before it on that line.
    pub(super) column: usize,
}

impl InputRecord {
    /// Creates a record that starts at the beginning of a line.
    pub(super) fn new(text: String, line: usize) -> InputRecord {
        InputRecord { text, line, column: 0 }
    }

    /// The whole text as a piece.
    pub(super) fn whole(&self) -> Piece<'_> {
        Piece::new(&self.text)
    }

    /// The lines that are not blank, trimmed.
    pub(super) fn lines(&self) -> impl Iterator<Item = Piece<'_>> {
        self.whole().split('\n').map(Piece::trim).filter(|line| !line.text.is_empty())
    }

    /// Attaches an error in this record.
    pub(super) fn invalid(self, error: SyntaxError) -> InvalidRecord {
        InvalidRecord { record: self, error }
    }
}

/// A record with its error.
#[derive(Debug)]
pub(super) struct InvalidRecord {
    record: InputRecord,
    error: SyntaxError,
}

impl InvalidRecord {
    /// Returns the error with its place in the input.
    pub(super) fn located(self, source_name: &str) -> ParseError {
        let InputRecord { text, line, column } = self.record;
        ParseError::in_part(&text, (line, column), self.error, source_name)
    }
}
