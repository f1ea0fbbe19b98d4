//! The exit: a side of the board, for the target or for any vehicle of a line.

use crate::{MAX_SIDE, Orientation};
use std::fmt;
use std::str::FromStr;

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Right edge, the usual side of the exit.
    Right,
    /// Left edge.
    Left,
    /// Top edge.
    Top,
    /// Bottom edge.
    Bottom,
}

impl Side {
    /// All four sides.
    pub const ALL: [Side; 4] = [Side::Right, Side::Left, Side::Top, Side::Bottom];

    /// Orientation of the vehicles that can leave by this side.
    pub fn orientation(self) -> Orientation {
        match self {
            Side::Right | Side::Left => Orientation::Horizontal,
            Side::Top | Side::Bottom => Orientation::Vertical,
        }
    }

    /// Name of this side in every text format: `right`, `left`, `top` or `bottom`.
    pub fn as_str(self) -> &'static str {
        match self {
            Side::Right => "right",
            Side::Left => "left",
            Side::Top => "top",
            Side::Bottom => "bottom",
        }
    }

    /// Returns whether vehicles leave by this side in the direction of increasing coordinates.
    pub fn is_forward(self) -> bool {
        matches!(self, Side::Right | Side::Bottom)
    }
}

/// A text that does not name a side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown side '{text}'; expected right, left, top or bottom")]
#[non_exhaustive]
pub struct SideError {
    /// The rejected text.
    pub text: String,
}

impl FromStr for Side {
    type Err = SideError;

    fn from_str(text: &str) -> Result<Side, SideError> {
        let named = Side::ALL.into_iter().find(|side| side.as_str() == text);
        named.ok_or_else(|| SideError { text: text.to_string() })
    }
}

/// Side of the exit, and which vehicles may leave by it.
///
/// Its text form is a side (`right`: for the target, at the target's line) or a side and a line counted from 0 (`top:5`:
/// for any vehicle of that line, as in the Traffic Jam variant of the game).
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
    /// Side of the board that the exit is on.
    pub fn side(self) -> Side {
        match self {
            Exit::Target(side) | Exit::Any(side, _) => side,
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Target(side) => f.write_str(side.as_str()),
            Exit::Any(side, line) => write!(f, "{}:{line}", side.as_str()),
        }
    }
}

/// A text that does not describe an exit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid exit '{text}'; expected right, left, top or bottom, optionally with a line counted from 0, such as top:5"
)]
#[non_exhaustive]
pub struct ExitError {
    /// The rejected text.
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
    fn exits_round_trip_as_text() {
        for side in Side::ALL {
            for exit in [Exit::Target(side), Exit::Any(side, 0), Exit::Any(side, MAX_SIDE - 1)] {
                assert_eq!(exit.to_string().parse(), Ok(exit));
            }
        }
        for wrong in ["", "up", "Right", "top:", "top:16", "top:x", ":5", "5", "top:5:5"] {
            let error = wrong.parse::<Exit>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("invalid exit '{wrong}'; expected right, left, top or bottom")),
                "{error}"
            );
        }
        assert_eq!(
            "top:2".parse::<Side>().unwrap_err().to_string(),
            "unknown side 'top:2'; expected right, left, top or bottom"
        );
    }
}
