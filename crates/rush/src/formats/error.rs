//! Errors of reading and writing boards. Errors of reading point into the source text.

use super::record::Record;
use miette::{Diagnostic, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// An error in a text, usually the text of a board, with its place in the source.
#[derive(Debug, Diagnostic, thiserror::Error)]
#[non_exhaustive]
pub struct ParseError {
    /// The fault, without its place.
    pub message: String,
    /// What is expected, or how to fix the fault.
    #[help]
    pub help: Option<String>,
    /// The line at fault with its neighbours; long lines are shortened or left out.
    #[source_code]
    pub source_code: Arc<Excerpt>,
    /// The place of the fault, in bytes of `source_code`.
    #[label("{label}")]
    pub span: Option<SourceSpan>,
    /// The text shown at the caret.
    pub label: String,
    /// The line of the input, from 1; 0 if the error has no place.
    pub line: usize,
    /// The column in that line, in characters from 1; 0 if the error has no place.
    pub column: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.line > 0 { write!(f, " (line {}, column {})", self.line, self.column) } else { Ok(()) }
    }
}

/// A few lines of a source with their place in it, so that a rendered error shows the line numbers of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The name of the source.
    pub name: String,
    /// The lines.
    pub text: String,
    /// Line of the source on which the text starts, from 1.
    pub first_line: usize,
    /// The column of the fault, from 1.
    column: usize,
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, lines_before, lines_after)?;
        let line = self.first_line.saturating_sub(1) + inner.line();
        // miette reads the span without context lines to print its place above the excerpt.
        let column = if lines_before + lines_after == 0 { self.column.saturating_sub(1) } else { inner.column() };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            line,
            column,
            inner.line_count(),
        )))
    }
}

/// A fault in a record, at a place relative to the start of the record.
#[derive(Debug)]
pub(super) struct Fault {
    message: String,
    label: String,
    help: Option<String>,
    /// The place of the fault, in bytes of the record's text.
    span: Range<usize>,
}

impl Fault {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Fault {
        Fault { message: message.into(), label: "here".to_string(), help: None, span }
    }

    /// Sets the text shown at the caret.
    pub(super) fn label(mut self, label: impl Into<String>) -> Fault {
        self.label = label.into();
        self
    }

    /// Moves the fault to another place, for faults found in a text that is not part of the record.
    pub(super) fn moved_to(mut self, span: Range<usize>) -> Fault {
        self.span = span;
        self
    }

    /// Sets the help: what is expected, or how to fix the fault.
    pub(super) fn help(mut self, help: impl Into<String>) -> Fault {
        self.help = Some(help.into());
        self
    }

    /// Attaches the record that has this fault.
    pub(super) fn in_record(self, record: Record) -> InvalidRecord {
        InvalidRecord { record, fault: self }
    }
}

/// A record with its fault.
#[derive(Debug)]
pub(super) struct InvalidRecord {
    pub(super) record: Record,
    pub(super) fault: Fault,
}

/// Maximum length, in bytes, of a line that an excerpt shows in full; of a longer line it shows this many characters.
const WHOLE_LINE: usize = 200;
/// Number of characters shown before the fault in an excerpt of a longer line.
const LEAD: usize = 60;

impl ParseError {
    /// Creates the error for a fault of a record.
    pub(super) fn new(invalid: InvalidRecord, source_name: &str) -> ParseError {
        let InvalidRecord { record, fault } = invalid;
        let text = record.text.as_str();
        let start = floor_boundary(text, fault.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let end = floor_boundary(text, fault.span.end.clamp(start, line_end));
        let lines_before = text[..line_start].matches('\n').count();
        let line = record.line + lines_before;
        let indent = if lines_before == 0 { record.column } else { 0 };
        let column = indent + text[line_start..start].chars().count() + 1;

        let (shown, shift) = window(&text[line_start..line_end], start - line_start);
        let shown_start = start - line_start + shift.added - shift.cut;
        let shown_end = (shown_start + (end - start)).min(shown.len() - shift.trailing);
        let before = text[..line_start].strip_suffix('\n').map(|head| head.rsplit('\n').next().unwrap_or(head));
        let before = before.filter(|line| line.len() <= WHOLE_LINE);
        let after = text[line_end..].strip_prefix('\n').and_then(|rest| rest.split('\n').next());
        let after = after.filter(|line| !line.is_empty() && line.len() <= WHOLE_LINE);

        let mut excerpt = String::new();
        if let Some(before) = before {
            excerpt.push_str(before);
            excerpt.push('\n');
        }
        let offset = excerpt.len();
        excerpt.push_str(&shown);
        excerpt.push('\n');
        if let Some(after) = after {
            excerpt.push_str(after);
            excerpt.push('\n');
        }
        let first_line = line - usize::from(before.is_some());
        ParseError {
            message: fault.message,
            help: fault.help,
            source_code: Arc::new(Excerpt { name: source_name.to_string(), text: excerpt, first_line, column }),
            span: Some(SourceSpan::from((offset + shown_start, shown_end - shown_start))),
            label: fault.label,
            line,
            column,
        }
    }

    /// Creates an error at a place, in bytes, of a text other than a board. The excerpt copies the text unchanged: the caller
    /// must replace control characters.
    pub fn in_text(
        text: &str,
        span: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
        source_name: &str,
    ) -> ParseError {
        let fault = Fault { help, ..Fault::new(span, message) };
        ParseError::new(fault.in_record(Record::new(text.to_owned(), 1)), source_name)
    }

    /// Creates an error that has no place in the input.
    pub(super) fn without_place(message: String, help: &str, source_name: &str) -> ParseError {
        ParseError {
            message,
            help: Some(help.to_string()),
            source_code: Arc::new(Excerpt {
                name: source_name.to_string(),
                text: String::new(),
                first_line: 1,
                column: 1,
            }),
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

/// Returns the part of a line to show around the fault, and how offsets change.
fn window(line: &str, fault: usize) -> (String, Shift) {
    if line.len() <= WHOLE_LINE {
        return (line.to_string(), Shift { cut: 0, added: 0, trailing: 0 });
    }
    let ellipsis = "…";
    let lead = line[..fault].char_indices().rev().take(LEAD).last().map_or(fault, |(at, _)| at);
    let end = line[lead..].char_indices().nth(WHOLE_LINE).map_or(line.len(), |(length, _)| lead + length);
    let (head, tail) = (if lead > 0 { ellipsis } else { "" }, if end < line.len() { ellipsis } else { "" });
    (format!("{head}{}{tail}", &line[lead..end]), Shift { cut: lead, added: head.len(), trailing: tail.len() })
}

/// The last character boundary at or before an offset.
fn floor_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// A format cannot represent a board.
#[derive(Clone, Debug, PartialEq, Eq, Diagnostic, thiserror::Error)]
#[non_exhaustive]
#[error("the {format} format cannot hold this board: {reason}")]
pub struct WriteError {
    /// Name of the format, as on the command line.
    pub format: &'static str,
    /// What the format requires, and how the board differs.
    pub reason: String,
}
