//! What can go wrong when boards are read and written, with a caret into the source text.

use miette::{Diagnostic, NamedSource, SourceSpan};

/// A text that is not a board, with the place at fault.
#[derive(Debug, Diagnostic, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// What is wrong.
    pub message: String,
    /// What was expected, or what to do.
    #[help]
    pub help: Option<String>,
    /// The part of the source around the fault (never a whole large file).
    #[source_code]
    pub source_code: NamedSource<String>,
    /// The place at fault in that part.
    #[label("{label}")]
    pub span: Option<SourceSpan>,
    /// What the caret says.
    pub label: String,
    /// The line of the input, from 1.
    pub line: usize,
    /// The column in that line, in characters from 1.
    pub column: usize,
}

/// A board that a format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Diagnostic, thiserror::Error)]
#[error("the {format} format cannot hold this board: {reason}")]
pub struct WriteError {
    /// The name of the format.
    pub format: &'static str,
    /// What the format has no place for.
    pub reason: String,
}
