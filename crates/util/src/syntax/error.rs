//! Errors at a range of a text.

use std::ops::Range;

/// An error at a range of bytes of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct SyntaxError {
    /// The bytes that the error refers to.
    pub span: Range<usize>,
    /// Description of the error.
    pub message: String,
    /// The text shown at the caret.
    pub label: String,
    /// What is expected, or how to fix it.
    pub help: Option<String>,
    /// Whether the error is in a file that the text names, not in the text.
    pub in_file: bool,
}

impl SyntaxError {
    /// Creates an error at a range of bytes.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> SyntaxError {
        SyntaxError { span, message: message.into(), label: "here".to_owned(), help: None, in_file: false }
    }

    /// Sets the text shown at the caret.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> SyntaxError {
        self.label = label.into();
        self
    }

    /// Sets what is expected, or how to fix the error.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> SyntaxError {
        self.help = Some(help.into());
        self
    }

    /// Marks the error as one in a file that the text names.
    #[must_use]
    pub fn in_file(mut self) -> SyntaxError {
        self.in_file = true;
        self
    }

    /// Moves the error to another range, for errors found in a text that is not part of the source.
    #[must_use]
    pub fn at(mut self, span: Range<usize>) -> SyntaxError {
        self.span = span;
        self
    }

    /// Moves the error by a number of bytes, for errors found in a part of the source.
    #[must_use]
    pub fn shifted(self, by: usize) -> SyntaxError {
        let span = self.span.start + by..self.span.end + by;
        self.at(span)
    }
}
