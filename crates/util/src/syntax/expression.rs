//! Errors in expressions of one line.

use super::SyntaxError;

/// Number of characters shown on each side of an error.
const CONTEXT: usize = 30;

/// An error in an expression. It is displayed with a caret below the expression.
///
/// ```
/// use clearway_util::syntax::{ExpressionError, SyntaxError};
/// let error = SyntaxError::new(4..5, "unknown name 'y'").with_help("did you mean 'x'?");
/// let error = ExpressionError::new("2 * y", error);
/// assert_eq!(error.to_string(), "unknown name 'y'; did you mean 'x'?\n  2 * y\n      ^");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}\n  {text}\n  {}^", " ".repeat(*at))]
#[non_exhaustive]
pub struct ExpressionError {
    /// Description of the error and help, without the position.
    pub message: String,
    /// The expression, or the part around the error if it is long, with control characters replaced by spaces.
    pub text: String,
    /// Position of the error, in characters of `text`.
    pub at: usize,
    /// Whether the error is in a file that the expression names, not in the expression.
    pub in_file: bool,
}

impl ExpressionError {
    /// Creates an error from its place in an expression.
    pub fn new(expression: &str, error: SyntaxError) -> ExpressionError {
        let position = expression.char_indices().take_while(|&(at, _)| at < error.span.start).count();
        let from = position.saturating_sub(CONTEXT);
        let printable = |c: char| if c.is_control() { ' ' } else { c };
        let message = match error.help {
            Some(help) => format!("{}; {help}", error.message),
            None => error.message,
        };
        let text = expression.chars().skip(from).take(2 * CONTEXT).map(printable).collect();
        ExpressionError { message, text, at: position - from, in_file: error.in_file }
    }
}
