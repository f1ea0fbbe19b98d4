//! Parts of a text, with their positions.

use super::SyntaxError;
use std::ops::Range;

/// A part of a text, and the byte at which it starts.
///
/// ```
/// use clearway_util::syntax::Piece;
/// let (key, value) = Piece::new(" width = 3 ").split_once('=').unwrap();
/// assert_eq!((key.trim().text, value.trim().span()), ("width", 9..10));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Text of the part alone.
    pub text: &'a str,
    /// Byte of the whole text at which it starts.
    pub start: usize,
}

impl<'a> Piece<'a> {
    /// A whole text.
    pub fn new(text: &'a str) -> Piece<'a> {
        Piece { text, start: 0 }
    }

    /// Byte after the last.
    pub fn end(self) -> usize {
        self.start + self.text.len()
    }

    /// Range of bytes of the whole text.
    pub fn span(self) -> Range<usize> {
        self.start..self.end()
    }

    /// The part of this piece at a range of bytes, which must lie on character boundaries.
    #[must_use]
    pub fn slice(self, range: Range<usize>) -> Piece<'a> {
        Piece { text: &self.text[range.clone()], start: self.start + range.start }
    }

    /// The piece without surrounding whitespace.
    #[must_use]
    pub fn trim(self) -> Piece<'a> {
        let start = self.text.len() - self.text.trim_start().len();
        self.slice(start..start + self.text.trim().len())
    }

    /// Splits the piece at every separator.
    pub fn split(self, separator: char) -> impl Iterator<Item = Piece<'a>> {
        let mut start = self.start;
        self.text.split(separator).map(move |text| {
            let piece = Piece { text, start };
            start = piece.end() + separator.len_utf8();
            piece
        })
    }

    /// Splits the piece at the first separator.
    pub fn split_once(self, separator: char) -> Option<(Piece<'a>, Piece<'a>)> {
        let at = self.text.find(separator)?;
        Some((self.slice(0..at), self.slice(at + separator.len_utf8()..self.text.len())))
    }

    /// The first word, if there is one, and the rest of the piece, trimmed.
    pub fn first_word(self) -> Option<(Piece<'a>, Piece<'a>)> {
        let trimmed = self.trim();
        let end = trimmed.text.find(char::is_whitespace).unwrap_or(trimmed.text.len());
        (end > 0).then(|| (trimmed.slice(0..end), trimmed.slice(end..trimmed.text.len()).trim()))
    }

    /// The words of the piece, separated by whitespace.
    pub fn words(self) -> impl Iterator<Item = Piece<'a>> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let (word, after) = rest.first_word()?;
            rest = after;
            Some(word)
        })
    }

    /// The characters that are not whitespace, each with the byte at which it starts.
    pub fn marks(self) -> impl Iterator<Item = (usize, char)> {
        let start = self.start;
        self.text.char_indices().filter(|(_, c)| !c.is_whitespace()).map(move |(at, c)| (start + at, c))
    }

    /// Creates an error at this piece.
    pub fn error(self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.span(), message)
    }

    /// Parses a number in the expected range; `what` names it in errors.
    pub fn number(self, what: &str, expected: std::ops::RangeInclusive<u8>) -> Result<u8, SyntaxError> {
        let digits = !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit());
        let number = digits.then(|| self.text.parse().ok()).flatten().filter(|n| expected.contains(n));
        number.ok_or_else(|| {
            let shown: String = self.text.chars().take(20).collect();
            self.error(format!("invalid {what} '{shown}'")).with_label(what).with_help(format!(
                "expected a number from {} to {}",
                expected.start(),
                expected.end()
            ))
        })
    }
}
