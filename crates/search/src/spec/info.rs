//! Declarations of algorithms and their options.

use super::{ALGORITHMS, Algorithm, Claims};
use clearway_util::syntax::nearest;
use std::fmt;

/// The declaration of an algorithm.
#[derive(Debug)]
pub struct AlgorithmInfo {
    /// Name in expressions.
    pub name: &'static str,
    /// Argument that selects it among the algorithms of the same name, such as `tree` in `bfs(tree)`.
    pub selector: Option<&'static str>,
    /// One-line description.
    pub about: &'static str,
    /// Whether it takes a heuristic.
    pub guided: bool,
    /// Options, in the order in which they are printed.
    pub options: &'static [OptionInfo],
    /// Example of an expression that uses it.
    pub example: &'static str,
    /// Creates the algorithm with its default options, which may differ for a learned heuristic.
    pub(crate) new: fn(learned: bool) -> Algorithm,
}

/// The declaration of an option.
#[derive(Debug)]
pub struct OptionInfo {
    /// Name in expressions.
    pub name: &'static str,
    /// Values that it accepts.
    pub kind: OptionKind,
    /// Description, as a noun phrase or an imperative.
    pub about: &'static str,
    /// Whether the canonical form includes it even if it has its default value.
    pub is_always_printed: bool,
    /// Whether it only reproduces published searches; the evolution of policies does not offer it.
    pub is_for_reproduction: bool,
    pub(crate) get: fn(&Algorithm) -> OptionValue,
    pub(crate) set: fn(&mut Algorithm, OptionValue),
}

/// Values that an option accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// Present or absent; written as the name alone.
    Flag,
    /// `yes` or `no`.
    YesNo,
    /// An integer in a range, inclusive.
    Integer(u64, u64),
    /// A number in a range, inclusive.
    Real(f64, f64),
    /// One of several words, written `name=word`.
    Word(&'static [&'static str]),
    /// One of several words, written without the option's name.
    BareWord(&'static [&'static str]),
}

/// Value of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionValue {
    /// Value of a [`OptionKind::Flag`] or [`OptionKind::YesNo`].
    Bool(bool),
    /// Value of an [`OptionKind::Integer`].
    Integer(u64),
    /// Value of an [`OptionKind::Real`].
    Real(f64),
    /// Value of an [`OptionKind::Word`] or [`OptionKind::BareWord`].
    Word(&'static str),
}

impl AlgorithmInfo {
    /// Name, with the selector if it has one: `bfs(tree)`.
    pub fn title(&self) -> String {
        self.selector.map_or_else(|| self.name.to_owned(), |selector| format!("{}({selector})", self.name))
    }

    /// Usage of each argument; `heuristic` is the placeholder for the heuristic.
    pub fn arguments(&self, heuristic: &str) -> Vec<String> {
        let selector = self.selector.filter(|name| self.option(name).is_none());
        let heuristic = self.guided.then(|| heuristic.to_owned());
        let options = self.options.iter().map(OptionInfo::usage);
        heuristic.into_iter().chain(selector.map(str::to_owned)).chain(options).collect()
    }

    /// Returns the option with a name.
    pub fn option(&self, name: &str) -> Option<&'static OptionInfo> {
        self.options.iter().find(|option| option.name == name)
    }

    /// Returns what it proves with its default options for a designed heuristic.
    pub fn claims(&self) -> Claims {
        (self.new)(false).claims()
    }

    /// Returns the default value of an option as text, for a designed or a learned heuristic.
    pub fn default_value(&self, option: &OptionInfo, learned: bool) -> String {
        match (option.kind, (option.get)(&(self.new)(learned))) {
            (OptionKind::Integer(_, max), OptionValue::Integer(number)) if number == max => "no limit".to_owned(),
            (_, value) => value.to_string(),
        }
    }

    /// Returns examples of option values that lose a claim of the default options, as they are written in expressions.
    ///
    /// ```
    /// use clearway_search::spec::ALGORITHMS;
    /// let ida = ALGORITHMS.iter().find(|info| info.name == "ida").unwrap();
    /// assert_eq!(ida.weakening_options(), ["increment=2", "growth=2", "reopen=no", "macros=yes"]);
    /// ```
    pub fn weakening_options(&self) -> Vec<String> {
        let mut found = Vec::new();
        for option in self.options {
            for value in option.other_values((option.get)(&(self.new)(false))) {
                let mut changed = (self.new)(false);
                (option.set)(&mut changed, value);
                let (before, after) = (self.claims(), changed.claims());
                if after.complete > before.complete || after.optimal > before.optimal {
                    found.push(option.print(value));
                }
            }
        }
        found
    }

    /// Formats the error message for an unknown option.
    pub(super) fn unknown_option(&self, name: &str, heuristic: Option<&str>) -> String {
        let name: String = name.chars().take(40).collect();
        let mut others: Vec<&str> =
            ALGORITHMS.iter().filter(|info| info.option(&name).is_some()).map(|info| info.name).collect();
        others.dedup();
        let same_name = ALGORITHMS.iter().find(|info| info.name == self.name && info.option(&name).is_some());
        let near = nearest(&name, self.options.iter().map(|option| option.name));
        let hint = match (same_name.and_then(|info| info.selector), near) {
            (Some(selector), _) => format!("; it is an option of {}({selector})", self.name),
            (None, Some(near)) if others.is_empty() => format!("; did you mean '{near}'?"),
            _ if others.is_empty() => String::new(),
            _ => format!("; it is an option of {}", others.join(" and ")),
        };
        let takes = match self.arguments(heuristic.unwrap_or("HEURISTIC")) {
            none if none.is_empty() => format!("{} takes no arguments", self.name),
            all => format!("{} takes {}", self.name, all.join(", ")),
        };
        format!("{} has no option '{name}'{hint}; {takes}", self.name)
    }
}

impl OptionInfo {
    /// Declares that the option only reproduces published searches.
    pub(crate) const fn for_reproduction(mut self) -> OptionInfo {
        self.is_for_reproduction = true;
        self
    }

    /// Usage in expressions, such as `width=N`.
    pub fn usage(&self) -> String {
        match self.kind {
            OptionKind::Flag => self.name.to_owned(),
            OptionKind::YesNo => format!("{}=yes|no", self.name),
            OptionKind::Integer(..) | OptionKind::Real(..) => format!("{}=N", self.name),
            OptionKind::Word(words) => format!("{}={}", self.name, words.join("|")),
            OptionKind::BareWord(words) => words.join("|"),
        }
    }

    /// Range of a number as text; `None` for other kinds.
    pub fn range(&self) -> Option<String> {
        match self.kind {
            OptionKind::Integer(min, u64::MAX) => Some(format!("{min} or more")),
            OptionKind::Integer(min, max) if max == u64::from(u32::MAX) => Some(format!("{min} or more")),
            OptionKind::Integer(min, max) => Some(format!("{min} to {max}")),
            OptionKind::Real(min, max) => Some(format!("{min} to {max}")),
            _ => None,
        }
    }

    /// Parses a value.
    pub(super) fn parse(&self, text: &str) -> Result<OptionValue, String> {
        let text = text.trim().to_ascii_lowercase();
        let word = |words: &[&'static str]| words.iter().find(|word| **word == text).copied();
        let value = match self.kind {
            OptionKind::Flag | OptionKind::YesNo => word(&["yes", "no"]).map(|word| OptionValue::Bool(word == "yes")),
            OptionKind::Integer(min, max) => {
                let number = text.replace('_', "").parse().ok().filter(|number| (min..=max).contains(number));
                number.map(OptionValue::Integer)
            }
            OptionKind::Real(min, max) => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(OptionValue::Real)
            }
            OptionKind::Word(words) | OptionKind::BareWord(words) => word(words).map(OptionValue::Word),
        };
        value.ok_or_else(|| self.invalid(&text))
    }

    fn invalid(&self, text: &str) -> String {
        let text: String = text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let expected = match self.kind {
            OptionKind::Flag | OptionKind::YesNo => "yes or no".to_owned(),
            OptionKind::Integer(min, max) => format!("an integer from {min} to {max}"),
            OptionKind::Real(min, max) => format!("a number from {min} to {max}"),
            OptionKind::Word(words) | OptionKind::BareWord(words) => format!("one of {}", words.join(", ")),
        };
        format!("invalid {} '{text}'; expected {expected}", self.name)
    }

    /// Formats the option with a value as an argument.
    pub fn print(&self, value: OptionValue) -> String {
        match self.kind {
            OptionKind::Flag => self.name.to_owned(),
            OptionKind::BareWord(_) => value.to_string(),
            _ => format!("{}={value}", self.name),
        }
    }

    /// Values other than this one: the next larger number, or all other words.
    fn other_values(&self, value: OptionValue) -> Vec<OptionValue> {
        match (self.kind, value) {
            (_, OptionValue::Bool(is_on)) => vec![OptionValue::Bool(!is_on)],
            (OptionKind::Integer(min, max), OptionValue::Integer(number)) => {
                vec![OptionValue::Integer(if number < max { number + 1 } else { min })]
            }
            (_, OptionValue::Real(number)) => vec![OptionValue::Real(number + 1.0)],
            (OptionKind::Word(words) | OptionKind::BareWord(words), OptionValue::Word(word)) => {
                words.iter().filter(|other| **other != word).copied().map(OptionValue::Word).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Bool(is_on) => f.write_str(if *is_on { "yes" } else { "no" }),
            OptionValue::Integer(number) => write!(f, "{number}"),
            OptionValue::Real(number) => write!(f, "{number}"),
            OptionValue::Word(word) => f.write_str(word),
        }
    }
}

/// A type of a field that holds the value of an option.
pub(crate) trait OptionField: Copy {
    fn to_value(self) -> OptionValue;
    /// Converts a value; `None` if it has another kind.
    fn from_value(value: OptionValue) -> Option<Self>;
}

macro_rules! option_field {
    ($field:ty, $variant:ident, $to:expr, $from:expr) => {
        impl OptionField for $field {
            fn to_value(self) -> OptionValue {
                OptionValue::$variant($to(self))
            }

            fn from_value(value: OptionValue) -> Option<Self> {
                match value {
                    OptionValue::$variant(value) => $from(value),
                    _ => None,
                }
            }
        }
    };
}

option_field!(bool, Bool, |value| value, Some);
option_field!(u64, Integer, |value| value, Some);
option_field!(u32, Integer, u64::from, |value| u32::try_from(value).ok());
option_field!(f64, Real, |value| value, Some);

/// Declares an option that is a field of an algorithm's options: `option!(Beam(width), Integer(1, 9), "help")`. With a `*`
/// before the help, the canonical form includes the option even if it has its default value.
macro_rules! option {
    ($($variant:ident)|+ ($field:ident), $kind:expr, * $about:expr) => {
        $crate::spec::option!(@ $($variant)|+, $field, $kind, true, $about)
    };
    ($($variant:ident)|+ ($field:ident), $kind:expr, $about:expr) => {
        $crate::spec::option!(@ $($variant)|+, $field, $kind, false, $about)
    };
    (@ $($variant:ident)|+, $field:ident, $kind:expr, $always:expr, $about:expr) => {
        $crate::spec::OptionInfo {
            name: stringify!($field),
            kind: $kind,
            about: $about,
            is_always_printed: $always,
            is_for_reproduction: false,
            get: |algorithm| match algorithm {
                $($crate::spec::Algorithm::$variant(options) => {
                    $crate::spec::OptionField::to_value(options.$field)
                })+
                _ => $crate::spec::OptionValue::Bool(false),
            },
            set: |algorithm, value| match algorithm {
                $($crate::spec::Algorithm::$variant(options) => {
                    if let Some(value) = $crate::spec::OptionField::from_value(value) {
                        options.$field = value;
                    }
                })+
                _ => {}
            },
        }
    };
}
pub(crate) use option;

/// Implements an option's values for a fieldless enum: a word for each variant.
macro_rules! words {
    ($name:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $name {
            /// Words for all values, in order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Word for this value in expressions.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word),+
                }
            }
        }

        impl $crate::spec::OptionField for $name {
            fn to_value(self) -> $crate::spec::OptionValue {
                $crate::spec::OptionValue::Word(self.as_str())
            }

            fn from_value(value: $crate::spec::OptionValue) -> Option<Self> {
                match value {
                    $($crate::spec::OptionValue::Word($word) => Some($name::$variant),)+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use words;
