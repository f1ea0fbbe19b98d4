//! Moves and solutions, printed and parsed.

use crate::Metric;
use std::fmt;
use std::str::FromStr;

/// A slide of one vehicle, written `C+2` or `A-1`; plus means right or down.
///
/// ```
/// use clearway_rush::Move;
/// let mv: Move = "C+2".parse()?;
/// assert_eq!((mv.label, mv.cells), ('C', 2));
/// assert_eq!(mv.reversed().to_string(), "C-2");
/// # Ok::<(), clearway_rush::MoveParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Label of the vehicle.
    pub label: char,
    /// Distance in cells: positive right or down, negative left or up.
    pub cells: i8,
}

impl Move {
    /// The inverse move.
    #[must_use]
    pub fn reversed(self) -> Move {
        Move { cells: -self.cells, ..self }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:+}", self.label, self.cells)
    }
}

/// A text that does not describe a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid move '{text}'; expected a label, a sign and a number of cells from 1 to 15, such as C+2 or A-1")]
#[non_exhaustive]
pub struct MoveParseError {
    /// First 40 characters of the rejected text.
    pub text: String,
}

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Move, MoveParseError> {
        let parse = || {
            let mut chars = text.chars();
            let label = chars.next().filter(|&c| crate::is_label(c))?;
            let sign = match chars.next()? {
                '+' => 1,
                '-' | '\u{2212}' => -1,
                _ => return None,
            };
            let digits = chars.as_str();
            let cells: i8 = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??;
            (1..crate::MAX_SIDE as i8).contains(&cells).then_some(Move { label, cells: sign * cells })
        };
        parse().ok_or_else(|| MoveParseError { text: text.chars().take(40).collect() })
    }
}

/// Reason why a move is illegal. Coordinates count from 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages describe the fields
#[non_exhaustive]
pub enum MoveError {
    #[error("there is no vehicle {label}")]
    NoSuchVehicle { label: char },
    #[error("vehicle {label} must move by at least one cell")]
    ZeroCells { label: char },
    #[error("vehicle {label} would leave the grid")]
    OffGrid { label: char },
    #[error("vehicle {label} is blocked by the wall at column {x}, row {y}")]
    Wall { label: char, x: u8, y: u8 },
    #[error("vehicle {label} is blocked by {by} at column {x}, row {y}")]
    Blocked { label: char, by: char, x: u8, y: u8 },
}

/// A sequence of moves, written with spaces between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution(pub Vec<Move>);

impl Solution {
    /// Length in moves: a slide over any distance counts 1.
    pub fn moves(&self) -> u32 {
        self.0.len() as u32
    }

    /// Length in steps: each cell counts 1.
    pub fn steps(&self) -> u32 {
        self.0.iter().map(|mv| u32::from(mv.cells.unsigned_abs())).sum()
    }

    /// Length in the given metric.
    pub fn length(&self, metric: Metric) -> u32 {
        match metric {
            Metric::Moves => self.moves(),
            Metric::Steps => self.steps(),
        }
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mv) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            mv.fmt(f)?;
        }
        Ok(())
    }
}

impl FromStr for Solution {
    type Err = MoveParseError;

    /// Parses moves separated by whitespace, commas or both.
    fn from_str(text: &str) -> Result<Solution, MoveParseError> {
        let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        words.map(str::parse).collect::<Result<_, _>>().map(Solution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_solutions_round_trip_as_text() {
        for text in ["C+2", "A-1", "z+15", "9-3", "Ω+1"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
        let solution: Solution = "C-1, A+2\n B+3".parse().unwrap();
        assert_eq!(solution.to_string(), "C-1 A+2 B+3");
        assert_eq!((solution.moves(), solution.steps()), (3, 6));
    }

    #[test]
    fn invalid_moves_are_rejected() {
        for text in ["", "C", "C2", "C+", "C+0", "C+16", "C++1", "o+1", "x+1", "C+1x", "CC+1", "C+-1", "C+999999999999"]
        {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
