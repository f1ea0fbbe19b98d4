//! Difficulty levels.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// Difficulty level for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the names are self-explanatory
#[non_exhaustive]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Level {
    Beginner,
    Intermediate,
    Advanced,
    Expert,
    Fiendish,
}

/// Lower bound of each level but the first, in predicted seconds, from the hardest level down: seven and a half, five and three
/// minutes, and 80 seconds. The lowest three separate the four levels of the forty cards as well as a single number can; the
/// highest is for the hardest boards of 6x6, among them the last four cards.
const LOWER_BOUNDS: [(Level, f64); 4] =
    [(Level::Fiendish, 450.0), (Level::Expert, 300.0), (Level::Advanced, 180.0), (Level::Intermediate, 80.0)];

impl Level {
    /// All levels, from the easiest to the hardest.
    pub const ALL: [Level; 5] = [Level::Beginner, Level::Intermediate, Level::Advanced, Level::Expert, Level::Fiendish];

    /// Returns the level of a board for which people are predicted to need this time.
    pub fn from_seconds(seconds: f64) -> Level {
        LOWER_BOUNDS.iter().find(|(_, bound)| seconds >= *bound).map_or(Level::Beginner, |(level, _)| *level)
    }

    /// Returns the level with this name.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.as_str() == name)
    }

    /// Returns the usual numbers of moves of puzzles of this level. The ranges of neighbouring levels overlap, because the level
    /// also depends on the depth and the vehicles. The highest level has no upper limit; most of its puzzles are in the range.
    pub fn typical_moves(self) -> RangeInclusive<u32> {
        match self {
            Level::Beginner => 4..=16,
            Level::Intermediate => 14..=27,
            Level::Advanced => 24..=37,
            Level::Expert => 33..=46,
            Level::Fiendish => 43..=60,
        }
    }

    /// Returns the name of the level, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Intermediate => "intermediate",
            Level::Advanced => "advanced",
            Level::Expert => "expert",
            Level::Fiendish => "fiendish",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
