//! The exit: a side of the board, for the target or for any vehicle of a line.

use crate::{MAX_SIDE, Orientation};
use std::fmt;
use std::str::FromStr;

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The right edge, the usual side of the exit.
    Right,
    /// The left edge.
    Left,
    /// The top edge.
    Top,
    /// The bottom edge.
    Bottom,
}

impl Side {
    /// All four sides.
    pub const ALL: [Side; 4] = [Side::Right, Side::Left, Side::Top, Side::Bottom];

    /// How a vehicle must lie to leave by this side.
    pub fn orientation(self) -> Orientation {
        match self {
            Side::Right | Side::Left => Orientation::Horizontal,
            Side::Top | Side::Bottom => Orientation::Vertical,
        }
    }

    /// The word for this side in every text format: `right`, `left`, `top` or `bottom`.
    pub fn word(self) -> &'static str {
        match self {
            Side::Right => "right",
            Side::Left => "left",
            Side::Top => "top",
            Side::Bottom => "bottom",
        }
    }

    /// Whether a vehicle leaves by this side in the direction of growing coordinates.
    pub fn is_forward(self) -> bool {
        matches!(self, Side::Right | Side::Bottom)
    }
}

/// A word that names no side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a side: right, left, top or bottom is expected")]
pub struct SideError {
    /// The word.
    pub text: String,
}

impl FromStr for Side {
    type Err = SideError;

    fn from_str(text: &str) -> Result<Side, SideError> {
        let named = Side::ALL.into_iter().find(|side| side.word() == text);
        named.ok_or_else(|| SideError { text: text.to_string() })
    }
}

/// Where the exit is, and for whom.
///
/// As text it is a side (`right`: for the target, at its line) or a side and a line counted from 0 (`top:5`: for any
/// vehicle in that line, as in the Traffic Jam variant of the game).
///
/// ```
/// use clearway_rush::{Exit, Side};
/// assert_eq!("right".parse(), Ok(Exit::Target(Side::Right)));
/// assert_eq!("top:5".parse(), Ok(Exit::Any(Side::Top, 5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// The vehicle labelled `A` must touch this side.
    Target(Side),
    /// Any vehicle that lies along the given row or column must touch this side.
    Any(Side, u8),
}

impl Exit {
    /// The side of the board the exit is on.
    pub fn side(self) -> Side {
        match self {
            Exit::Target(side) | Exit::Any(side, _) => side,
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Target(side) => f.write_str(side.word()),
            Exit::Any(side, line) => write!(f, "{}:{line}", side.word()),
        }
    }
}

/// A text that names no exit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is not an exit: right, left, top or bottom is expected, or one with a line counted from 0, such as top:5"
)]
pub struct ExitError {
    /// The text.
    pub text: String,
}

impl FromStr for Exit {
    type Err = ExitError;

    fn from_str(text: &str) -> Result<Exit, ExitError> {
        let exit = match text.split_once(':') {
            None => text.parse().ok().map(Exit::Target),
            Some((side, line)) => {
                let line = line.parse().ok().filter(|&line| line < MAX_SIDE);
                side.parse().ok().zip(line).map(|(side, line)| Exit::Any(side, line))
            }
        };
        exit.ok_or_else(|| ExitError { text: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_are_read_as_they_are_written() {
        for side in Side::ALL {
            for exit in [Exit::Target(side), Exit::Any(side, 0), Exit::Any(side, MAX_SIDE - 1)] {
                assert_eq!(exit.to_string().parse(), Ok(exit));
            }
        }
        for wrong in ["", "up", "Right", "top:", "top:16", "top:x", ":5", "5", "top:5:5"] {
            let error = wrong.parse::<Exit>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{wrong}' is not an exit: right, left, top or bottom")), "{error}");
        }
        assert_eq!(
            "top:2".parse::<Side>().unwrap_err().to_string(),
            "'top:2' is not a side: right, left, top or bottom is expected"
        );
    }
}
