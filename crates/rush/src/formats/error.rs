//! Errors of writing boards.

/// A format cannot represent a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("the {format} format cannot hold this board: {reason}")]
pub struct WriteError {
    /// Name of the format, as on the command line.
    pub format: &'static str,
    /// What the format requires, and how the board differs.
    pub reason: String,
}
