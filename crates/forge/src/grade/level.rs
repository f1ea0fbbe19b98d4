//! The name of a difficulty.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How hard a board is for people, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the words say it
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Level {
    Beginner,
    Intermediate,
    Advanced,
    Expert,
    Fiendish,
}

/// Where each level but the first begins, in predicted seconds: a minute and a half, a good five minutes, twenty minutes,
/// an hour and a half. The first three part the four levels of the forty cards as well as a single number can; the last
/// is for the hardest boards of 6x6, the last four cards among them.
const FROM: [(Level, f64); 4] =
    [(Level::Fiendish, 5_400.0), (Level::Expert, 1_200.0), (Level::Advanced, 320.0), (Level::Intermediate, 90.0)];

impl Level {
    /// All levels, from the easiest to the hardest.
    pub const ALL: [Level; 5] = [Level::Beginner, Level::Intermediate, Level::Advanced, Level::Expert, Level::Fiendish];

    /// The level of a board that people are predicted to need so long for.
    pub fn of_seconds(seconds: f64) -> Level {
        FROM.iter().find(|(_, from)| seconds >= *from).map_or(Level::Beginner, |(level, _)| *level)
    }

    /// Its name.
    pub fn word(self) -> &'static str {
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
        f.pad(self.word())
    }
}
