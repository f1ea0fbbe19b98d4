//! Errors with an excerpt of their source.

use super::SyntaxError;
use crate::text::printable;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// An error in a text, such as a board or a policy, with its place in the source.
///
/// ```
/// use clearway_util::syntax::{ParseError, SyntaxError};
/// let error = SyntaxError::new(9..10, "invalid cell '?'");
/// let error = ParseError::new("..AA..\n..?...", error, "board.txt");
/// assert_eq!(error.to_string(), "invalid cell '?' (line 2, column 3)");
/// assert_eq!(error.source_code.text, "..AA..\n..?...\n");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub struct ParseError {
    /// Description of the error, without its place.
    pub message: String,
    /// What is expected, or how to fix it.
    pub help: Option<String>,
    /// The line of the error with its neighbours; long lines are shortened or left out.
    pub source_code: Arc<Excerpt>,
    /// The place of the error, in bytes of the excerpt.
    pub span: Option<Range<usize>>,
    /// The text shown at the caret.
    pub label: String,
    /// The line of the source, from 1; 0 if the message has no position.
    pub line: usize,
    /// The column in that line, in characters from 1; 0 if the message has no position.
    pub column: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.line > 0 { write!(f, " (line {}, column {})", self.line, self.column) } else { Ok(()) }
    }
}

/// A few lines of a source with their place in it, so that a rendered error shows the line numbers of the source. Control
/// characters are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The name of the source.
    pub name: String,
    /// The line of the error and its neighbours; empty if the error has no place.
    pub text: String,
    /// Line of the source on which the text starts, from 1.
    pub first_line: usize,
    /// The column of the error, from 1.
    pub column: usize,
}

/// Maximum length, in bytes, of a line that an excerpt shows in full; of a longer line it shows this many characters.
const WHOLE_LINE: usize = 200;
/// Number of characters shown before the error in an excerpt of a longer line.
const LEAD: usize = 60;

impl ParseError {
    /// Creates an error in a whole source.
    pub fn new(text: &str, error: SyntaxError, source_name: &str) -> ParseError {
        ParseError::in_part(text, (1, 0), error, source_name)
    }

    /// Creates an error in a text of one line, whose message has no position.
    pub fn in_line(text: &str, error: SyntaxError, source_name: &str) -> ParseError {
        let one_line = text.replace(['\n', '\r', '\t'], " ");
        ParseError { line: 0, column: 0, ..ParseError::new(&one_line, error, source_name) }
    }

    /// Creates an error in a part of a source that starts on a line, from 1, after a number of characters.
    pub fn in_part(text: &str, start: (usize, usize), error: SyntaxError, source_name: &str) -> ParseError {
        let (first_line, first_column) = start;
        let start = floor_boundary(text, error.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let end = floor_boundary(text, error.span.end.clamp(start, line_end));
        let lines_before = text[..line_start].matches('\n').count();
        let line = first_line + lines_before;
        let indent = if lines_before == 0 { first_column } else { 0 };
        let column = indent + text[line_start..start].chars().count() + 1;

        let (shown, shift) = window(&text[line_start..line_end], start - line_start);
        let shown_start = start - line_start + shift.added - shift.cut;
        let shown_end = (shown_start + (end - start)).min(shown.len() - shift.trailing);
        let before = text[..line_start].strip_suffix('\n').map(|head| head.rsplit('\n').next().unwrap_or(head));
        let before = before.filter(|line| line.len() <= WHOLE_LINE);
        let after = text[line_end..].strip_prefix('\n').and_then(|rest| rest.split('\n').next());
        let after = after.filter(|line| !line.is_empty() && line.len() <= WHOLE_LINE);

        let offset = before.map_or(0, |before| before.len() + 1);
        let lines = before.into_iter().chain([shown.as_str()]).chain(after);
        let excerpt: String = lines.flat_map(|line| [line, "\n"]).collect();
        let first_line = line - usize::from(before.is_some());
        ParseError {
            message: error.message,
            help: error.help,
            source_code: Arc::new(Excerpt {
                name: source_name.to_owned(),
                text: printable(&excerpt),
                first_line,
                column,
            }),
            span: Some(offset + shown_start..offset + shown_end),
            label: error.label,
            line,
            column,
        }
    }

    /// Creates an error that has no place in the source.
    pub fn without_place(message: impl Into<String>, help: Option<&str>, source_name: &str) -> ParseError {
        let excerpt = Excerpt { name: source_name.to_owned(), text: String::new(), first_line: 1, column: 1 };
        ParseError {
            message: message.into(),
            help: help.map(str::to_owned),
            source_code: Arc::new(excerpt),
            span: None,
            label: String::new(),
            line: 0,
            column: 0,
        }
    }
}

/// How an offset into a line changes when only a part of the line is shown.
struct Shift {
    /// Number of bytes cut off at the front.
    cut: usize,
    /// Number of bytes inserted in their place.
    added: usize,
    /// Number of bytes at the end that are not part of the line.
    trailing: usize,
}

/// Returns the part of a line to show around the error, and how offsets change.
fn window(line: &str, error: usize) -> (String, Shift) {
    if line.len() <= WHOLE_LINE {
        return (line.to_owned(), Shift { cut: 0, added: 0, trailing: 0 });
    }
    let ellipsis = "…";
    let lead = line[..error].char_indices().rev().take(LEAD).last().map_or(error, |(at, _)| at);
    let end = line[lead..].char_indices().nth(WHOLE_LINE).map_or(line.len(), |(length, _)| lead + length);
    let (head, tail) = (if lead > 0 { ellipsis } else { "" }, if end < line.len() { ellipsis } else { "" });
    (format!("{head}{}{tail}", &line[lead..end]), Shift { cut: lead, added: head.len(), trailing: tail.len() })
}

/// The last character boundary at or before an offset.
fn floor_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_shortened_around_the_error() {
        let text = format!("{}é*1{}", "é-1 ".repeat(5000), " é+1".repeat(5000));
        let start = text.find('*').unwrap() - 'é'.len_utf8();
        let error = ParseError::new(&text, SyntaxError::new(start..start + 4, "not a move"), "moves");
        let excerpt = &error.source_code.text;
        assert_eq!(&excerpt[error.span.unwrap()], "é*1");
        assert!(excerpt.chars().count() < WHOLE_LINE + 4);
        assert_eq!((error.line, error.column), (1, 20001));
        let one_word = "é".repeat(100_000);
        let error = ParseError::new(&one_word, SyntaxError::new(0..one_word.len(), "not a move"), "moves");
        assert!(error.source_code.text.chars().count() < WHOLE_LINE + 4);
    }

    #[test]
    fn the_neighbours_of_the_line_are_shown() {
        let error = |at| ParseError::new("one\ntwo\nthree\nfour", SyntaxError::new(at..at + 1, "no"), "text");
        let second = error(5);
        assert_eq!((second.source_code.text.as_str(), second.source_code.first_line), ("one\ntwo\nthree\n", 1));
        assert_eq!((second.span, second.line, second.column), (Some(5..6), 2, 2));
        let third = error(8);
        assert_eq!((third.source_code.text.as_str(), third.source_code.first_line), ("two\nthree\nfour\n", 2));
        assert_eq!((third.span, third.line, third.column), (Some(4..5), 3, 1));
    }

    #[test]
    fn a_part_counts_lines_and_columns_of_its_source() {
        let part = ParseError::in_part("{x}\n y", (7, 4), SyntaxError::new(1..2, "no"), "text");
        assert_eq!((part.line, part.column), (7, 6));
        let part = ParseError::in_part("{x}\n y", (7, 4), SyntaxError::new(5..6, "no"), "text");
        assert_eq!((part.line, part.column), (8, 2));
    }
}
