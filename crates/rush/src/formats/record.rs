//! Records, the parts of the input that hold one board each, and pieces of a record with their place in it.

use super::error::Fault;
use std::ops::Range;

/// The text of one board (a line, a block of lines or a JSON object) with its place in the input.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) text: String,
    /// Line of the input on which the record starts, from 1.
    pub(super) line: usize,
    /// Number of characters before it on that line.
    pub(super) column: usize,
}

impl Record {
    /// Creates a record that starts at the beginning of a line.
    pub(super) fn new(text: String, line: usize) -> Record {
        Record { text, line, column: 0 }
    }

    /// The whole text as a piece.
    pub(super) fn whole(&self) -> Piece<'_> {
        Piece { text: &self.text, start: 0 }
    }

    /// The lines that are not blank, trimmed.
    pub(super) fn lines(&self) -> impl Iterator<Item = Piece<'_>> {
        self.whole().split('\n').map(Piece::trim).filter(|line| !line.text.is_empty())
    }
}

/// A piece of a record's text, and the byte at which it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
}

impl<'a> Piece<'a> {
    pub(super) fn end(self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn span(self) -> Range<usize> {
        self.start..self.end()
    }

    /// The part of this piece at a range of bytes, which must lie on character boundaries.
    pub(super) fn slice(self, range: Range<usize>) -> Piece<'a> {
        Piece { text: &self.text[range.clone()], start: self.start + range.start }
    }

    /// The piece without surrounding whitespace.
    pub(super) fn trim(self) -> Piece<'a> {
        let start = self.text.len() - self.text.trim_start().len();
        self.slice(start..start + self.text.trim().len())
    }

    /// Splits the piece at every separator.
    pub(super) fn split(self, separator: char) -> impl Iterator<Item = Piece<'a>> {
        let mut start = self.start;
        self.text.split(separator).map(move |text| {
            let piece = Piece { text, start };
            start = piece.end() + separator.len_utf8();
            piece
        })
    }

    /// Splits the piece at the first separator.
    pub(super) fn split_once(self, separator: char) -> Option<(Piece<'a>, Piece<'a>)> {
        let at = self.text.find(separator)?;
        Some((self.slice(0..at), self.slice(at + separator.len_utf8()..self.text.len())))
    }

    /// The first word, if there is one, and the rest of the piece, trimmed.
    pub(super) fn first_word(self) -> Option<(Piece<'a>, Piece<'a>)> {
        let trimmed = self.trim();
        let end = trimmed.text.find(char::is_whitespace).unwrap_or(trimmed.text.len());
        (end > 0).then(|| (trimmed.slice(0..end), trimmed.slice(end..trimmed.text.len()).trim()))
    }

    /// The words of the piece, separated by whitespace.
    pub(super) fn words(self) -> impl Iterator<Item = Piece<'a>> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let (word, after) = rest.first_word()?;
            rest = after;
            Some(word)
        })
    }

    /// The characters that are not whitespace, each with the byte at which it starts.
    pub(super) fn marks(self) -> impl Iterator<Item = (usize, char)> {
        let start = self.start;
        self.text.char_indices().filter(|(_, c)| !c.is_whitespace()).map(move |(at, c)| (start + at, c))
    }

    /// Creates a fault at this piece.
    pub(super) fn fault(self, message: impl Into<String>) -> Fault {
        Fault::new(self.span(), message)
    }

    /// Parses a number in the expected range; `what` names it in errors.
    pub(super) fn number(self, what: &str, expected: std::ops::RangeInclusive<u8>) -> Result<u8, Fault> {
        let digits = !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit());
        let number = digits.then(|| self.text.parse().ok()).flatten().filter(|n| expected.contains(n));
        number.ok_or_else(|| {
            let shown: String = self.text.chars().take(20).collect();
            self.fault(format!("invalid {what} '{shown}'")).label(what).help(format!(
                "expected a number from {} to {}",
                expected.start(),
                expected.end()
            ))
        })
    }
}
