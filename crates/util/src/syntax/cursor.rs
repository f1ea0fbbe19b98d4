//! Scanner of a text.

use super::SyntaxError;
use std::ops::Range;

/// A position in a text, from which tokens are read.
///
/// ```
/// use clearway_util::syntax::Cursor;
/// let mut cursor = Cursor::new("two-level # the second\n <= 3-x");
/// assert_eq!(cursor.name(), "two-level");
/// cursor.skip_blanks_and_comments();
/// assert!(cursor.eat("<="));
/// cursor.skip_blanks();
/// assert_eq!(cursor.take_while(|c| c.is_ascii_digit()), "3");
/// assert_eq!((cursor.peek(), cursor.position()), (Some('-'), 28));
/// ```
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the start of a text.
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, position: 0 }
    }

    /// Creates a cursor that reads a range of bytes of a text, which must lie on character boundaries.
    pub fn over(text: &'a str, range: Range<usize>) -> Cursor<'a> {
        Cursor { text: &text[..range.end], position: range.start }
    }

    /// Byte of the text at which the cursor is.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The text after the cursor.
    pub fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    /// The next character; `None` at the end.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Consumes a text if it is next.
    pub fn eat(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        self.position += if found { wanted.len() } else { 0 };
        found
    }

    /// Consumes the characters that satisfy a predicate.
    pub fn take_while(&mut self, predicate: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !predicate(c)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    /// Consumes a name of ASCII letters, digits and underscores. A hyphen is part of it if a letter follows: `two-level` is a
    /// name, but `h1-2` is a difference.
    pub fn name(&mut self) -> &'a str {
        let start = self.position;
        loop {
            self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
            let mut next = self.rest().chars();
            if next.next() != Some('-') || !next.next().is_some_and(|c| c.is_ascii_alphabetic()) {
                return &self.text[start..self.position];
            }
            self.position += 1;
        }
    }

    /// Skips whitespace.
    pub fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Skips whitespace, and comments from `#` to the end of the line.
    pub fn skip_blanks_and_comments(&mut self) {
        self.skip_blanks();
        while self.peek() == Some('#') {
            self.take_while(|c| c != '\n');
            self.skip_blanks();
        }
    }

    /// Creates an error at the cursor.
    pub fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.position..self.position, message)
    }
}
