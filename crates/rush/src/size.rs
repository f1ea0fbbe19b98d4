//! The size of a board, for code that has no board yet.

use crate::{BoardError, MAX_SIDE, MIN_SIDE};
use std::fmt;
use std::str::FromStr;

/// A valid width and height of a board, in cells.
///
/// Its text form is `7x5`, or one number for a square.
///
/// ```
/// use clearway_rush::Size;
/// assert_eq!("7x5".parse::<Size>()?.sides(), (7, 5));
/// assert_eq!("6".parse::<Size>()?.to_string(), "6x6");
/// # Ok::<(), clearway_rush::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// Returns the size, or an error unless both sides are from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub fn new(width: u8, height: u8) -> Result<Size, BoardError> {
        let sides = MIN_SIDE..=MAX_SIDE;
        if sides.contains(&width) && sides.contains(&height) {
            return Ok(Size { width, height });
        }
        Err(BoardError::InvalidSize { width: width.into(), height: height.into() })
    }

    /// Width and height.
    pub fn sides(self) -> (u8, u8) {
        (self.width, self.height)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A text that does not describe the size of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid size '{text}'; expected a width and a height from {MIN_SIDE} to {MAX_SIDE}, such as 7x5, or one side, such as 6"
)]
#[non_exhaustive]
pub struct SizeError {
    /// The rejected text.
    pub text: String,
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        let sides = width.parse().ok().zip(height.parse().ok());
        let size = sides.and_then(|(width, height)| Size::new(width, height).ok());
        size.ok_or_else(|| SizeError { text: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed_and_invalid_ones_rejected() {
        let read = |text: &str| text.parse().map(Size::sides);
        assert_eq!(
            (read("7x5"), read("7X5"), read("16"), read("2")),
            (Ok((7, 5)), Ok((7, 5)), Ok((16, 16)), Ok((2, 2)))
        );
        for wrong in ["", "1", "17", "1x5", "5x17", "x", "6x", "x6", "300x5", "5x5x5", "-6", "6 x 6", "six"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("invalid size '{wrong}'; expected a width and a height from 2 to 16")),
                "{error}"
            );
        }
    }
}
