//! How the cards of a pack are printed.

use super::Language;

/// Paper of printed cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Paper {
    /// A4, 210 by 297 mm.
    #[default]
    A4,
    /// US Letter, 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// All papers.
    pub const ALL: [Paper; 2] = [Paper::A4, Paper::Letter];

    /// Returns the name of the paper.
    pub fn as_str(self) -> &'static str {
        match self {
            Paper::A4 => "a4",
            Paper::Letter => "letter",
        }
    }

    /// Returns the paper with this name.
    ///
    /// ```
    /// use clearway_forge::pack::Paper;
    /// assert_eq!(Paper::from_name("letter"), Some(Paper::Letter));
    /// ```
    pub fn from_name(name: &str) -> Option<Paper> {
        Paper::ALL.into_iter().find(|paper| paper.as_str() == name)
    }

    /// Returns the width and the height in points.
    pub(super) fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (595.0, 842.0),
            Paper::Letter => (612.0, 792.0),
        }
    }
}

/// Options for printed cards. By default they are on A4, in colour and in English.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Printing {
    /// Paper of `pdf` and `svg`.
    pub paper: Paper,
    /// Whether `pdf` draws the boards as black lines on white.
    pub black_and_white: bool,
    /// Language of the words in `html`, `pdf` and `svg`.
    pub language: Language,
}
