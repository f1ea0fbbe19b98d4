//! Syntax errors with their position.

use std::ops::Range;

/// Syntax error in a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct TextError {
    /// Range of bytes that the error refers to.
    pub span: Range<usize>,
    /// Description of the error.
    pub message: String,
    /// Hint on how to fix it.
    pub help: Option<String>,
}

impl TextError {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> TextError {
        TextError { span, message: message.into(), help: None }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> TextError {
        TextError { help: Some(help.into()), ..self }
    }
}
