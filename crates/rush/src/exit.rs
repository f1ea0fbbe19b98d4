//! The exit: a side of the board, for the target or for any vehicle of a line.

use crate::{MAX_SIDE, Orientation};
use std::fmt;

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

    /// The side that a word names.
    pub fn from_word(word: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|side| side.word() == word)
    }

    /// Whether a vehicle leaves by this side in the direction of growing coordinates.
    pub fn is_forward(self) -> bool {
        matches!(self, Side::Right | Side::Bottom)
    }
}

/// Where the exit is, and for whom.
///
/// As text it is a side (`right`: for the target, at its line) or a side and a line counted from 0 (`top:5`: for any
/// vehicle in that line, as in the Traffic Jam variant of the game).
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

    /// Reads `right`, `left`, `top`, `bottom`, or one of these with a line: `top:5`.
    pub fn parse(text: &str) -> Option<Exit> {
        match text.split_once(':') {
            None => Side::from_word(text).map(Exit::Target),
            Some((side, line)) => {
                let line = line.parse().ok().filter(|&line: &u8| line < MAX_SIDE)?;
                Side::from_word(side).map(|side| Exit::Any(side, line))
            }
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
