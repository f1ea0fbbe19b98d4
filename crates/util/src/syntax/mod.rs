//! Parsing texts that people write, and errors that point into them.
//!
//! A parser walks over a text with [`Piece`] or [`Cursor`] and returns a [`SyntaxError`], which knows only a range of bytes.
//! It leaves the library as a [`ParseError`], with an excerpt of a named source, or as an [`ExpressionError`], with a caret
//! below an expression of one line. The feature `miette` renders the former for terminals.

mod cursor;
mod error;
mod expression;
mod names;
mod piece;
#[cfg(feature = "miette")]
mod report;
mod source;

pub use cursor::Cursor;
pub use error::SyntaxError;
pub use expression::ExpressionError;
pub use names::{nearest, truncated};
pub use piece::Piece;
#[cfg(feature = "miette")]
pub use report::{Drawing, render};
pub use source::{Excerpt, ParseError};
