//! The languages of printed packs: the few words on the cards, the same as on the page.

use super::Entry;
use crate::grade::{HumanTime, Level, TimeParts};

/// Language of the cards and solutions of a pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
    German,
    /// French.
    French,
}

/// The words of a language.
pub(super) struct Words {
    /// Names of the levels, from easy to hard.
    levels: [&'static str; 5],
    move_: &'static str,
    moves: &'static str,
    pub solution: &'static str,
    pub solutions: &'static str,
    /// How the moves of a solution are written.
    pub notation: &'static str,
    pub license: &'static str,
    about: &'static str,
    to: &'static str,
    extrapolated: &'static str,
    above_an_hour: &'static str,
}

const ENGLISH: Words = Words {
    levels: ["beginner", "intermediate", "advanced", "expert", "fiendish"],
    move_: "move",
    moves: "moves",
    solution: "solution",
    solutions: "Solutions",
    notation: "Each move is a vehicle, the direction that it moves in, and the number of cells.",
    license: "license:",
    about: "about",
    to: "to",
    extrapolated: "extrapolated",
    above_an_hour: "more than an hour",
};

const GERMAN: Words = Words {
    levels: ["Einsteiger", "Mittelstufe", "Oberstufe", "Experte", "Teuflisch"],
    move_: "Zug",
    moves: "Züge",
    solution: "Lösung",
    solutions: "Lösungen",
    notation: "Jeder Zug besteht aus dem Fahrzeug, der Richtung, in die es fährt, und der Zahl der Felder.",
    license: "Lizenz:",
    about: "etwa",
    to: "bis",
    extrapolated: "hochgerechnet",
    above_an_hour: "mehr als eine Stunde",
};

const FRENCH: Words = Words {
    levels: ["débutant", "moyen", "avancé", "expert", "diabolique"],
    move_: "coup",
    moves: "coups",
    solution: "solution",
    solutions: "Solutions",
    notation: "Chaque coup est un véhicule, la direction dans laquelle il avance, et le nombre de cases.",
    license: "licence\u{a0}:",
    about: "environ",
    to: "à",
    extrapolated: "extrapolé",
    above_an_hour: "plus d’une heure",
};

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::English, Language::German, Language::French];

    /// Returns the tag of the language, such as `de`.
    pub fn as_str(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::French => "fr",
        }
    }

    /// Returns the language with this tag.
    ///
    /// ```
    /// use clearway_forge::pack::Language;
    /// assert_eq!(Language::from_name("de"), Some(Language::German));
    /// ```
    pub fn from_name(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.as_str() == name)
    }

    pub(super) fn words(self) -> &'static Words {
        match self {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
            Language::French => &FRENCH,
        }
    }
}

impl Words {
    pub fn level(&self, level: Level) -> &'static str {
        Level::ALL.iter().position(|&one| one == level).map_or("", |place| self.levels[place])
    }

    /// Formats the number of moves: `1 move`, `2 moves`.
    pub fn length(&self, entry: &Entry) -> String {
        format!("{} {}", entry.moves, if entry.moves == 1 { self.move_ } else { self.moves })
    }

    /// Formats a predicted time, as [`HumanTime`] does in English.
    pub fn time(&self, time: &HumanTime) -> String {
        let Words { about, to, extrapolated, .. } = self;
        match time.parts() {
            TimeParts::AboveAnHour => self.above_an_hour.to_owned(),
            TimeParts::Extrapolated { time, unit } => format!("{about} {time} {unit} ({extrapolated})"),
            TimeParts::Interval { time, low, high, unit } => {
                format!("{about} {time} {unit} ({low} {to} {high} {unit})")
            }
        }
    }
}
