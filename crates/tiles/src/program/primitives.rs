//! What programs are made of.

use crate::Move;
use clearway_gp::{Constants, Primitive, Primitives, Type};
use std::sync::LazyLock;

/// The type of all parts of a program.
pub const PART: Type = Type(0);
/// The type of a whole program, whose root is an `if`.
pub const WHOLE: Type = Type(1);
/// The type of the numbers of a measure.
pub const NUMBER: Type = Type(2);

/// The number of the `if` at the root.
pub const ROOT_IF: u16 = 0;
/// The number of all other `if`s.
pub const IF: u16 = 1;
/// The number of `and`.
pub const AND: u16 = 2;
/// The number of the first word; those of [`WORDS`] follow in their order.
pub const FIRST_WORD: u16 = 3;

/// The terminals of Barnes, Hasan and Lee (2006), formula 2: the four moves and their macros, in their order. One macro
/// is printed twice there, and so it is here: it is chosen twice as often as the others.
pub const WORDS: [&str; 17] = [
    "u",
    "d",
    "l",
    "r",
    "lur",
    "rul",
    "uld",
    "ruuld",
    "dllur",
    "drrul",
    "urrdluld",
    "uuldrdlur",
    "lurrdluld",
    "urdrulldrur",
    "urdrulldrur",
    "llurdrulldrur",
    "uldlurdrulldrur",
];

/// The number of `+`.
pub const PLUS: u16 = FIRST_WORD + WORDS.len() as u16;
/// The number of `-`.
pub const MINUS: u16 = PLUS + 1;
/// The number of `*`.
pub const TIMES: u16 = PLUS + 2;
/// The number of a constant.
pub const NUMBER_CONSTANT: u16 = PLUS + 3;
/// The number of the first of the [`FEATURES`]; the others follow in their order.
pub const FIRST_FEATURE: u16 = PLUS + 4;

/// What a measure may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Feature {
    /// The tiles that are not in their places.
    Misplaced,
    /// The tiles from the first misplaced one on, in the order of their numbers.
    Remaining,
    /// The distance of the first misplaced tile from its place.
    FirstDistance,
    /// The distance of the first misplaced tile from the blank.
    FirstFromBlank,
    /// The distance of the blank from its place.
    BlankDistance,
    /// The distances of all tiles from their places together.
    Manhattan,
    /// The pairs of tiles in the row or column of their places, but in the wrong order.
    Conflicts,
}

/// All of them, with their names in files.
pub const FEATURES: [(Feature, &str); 7] = [
    (Feature::Misplaced, "misplaced"),
    (Feature::Remaining, "remaining"),
    (Feature::FirstDistance, "first-distance"),
    (Feature::FirstFromBlank, "first-from-blank"),
    (Feature::BlankDistance, "blank-distance"),
    (Feature::Manhattan, "manhattan"),
    (Feature::Conflicts, "conflicts"),
];

/// The feature of a terminal.
///
/// # Panics
/// If it is no feature.
pub fn feature(primitive: u16) -> Feature {
    FEATURES[usize::from(primitive - FIRST_FEATURE)].0
}

/// The moves of each of the [`WORDS`].
static MOVES: LazyLock<Vec<Vec<Move>>> =
    LazyLock::new(|| WORDS.iter().map(|word| word.chars().filter_map(Move::of_letter).collect()).collect());

/// The moves of a terminal; none of a function.
#[inline]
pub fn moves_of(primitive: u16) -> &'static [Move] {
    primitive.checked_sub(FIRST_WORD).and_then(|word| MOVES.get(usize::from(word))).map_or(&[], Vec::as_slice)
}

/// The terminal of a single move.
pub const fn single(mv: Move) -> u16 {
    FIRST_WORD + mv as u16
}

/// The primitives of programs. The paper gives `if` and `and` the probability 2/13 each and every terminal 1/26, which
/// is 25/26 in all; here they keep these proportions. Without `and`, as in experiment A, its share goes to all others.
/// Without macros, programs are made of single moves.
///
/// # Panics
/// Never: there are terminals.
pub fn primitives(and: bool, macros: bool) -> Primitives {
    let primitive = |name: &str, output, arguments, weight| Primitive {
        name: name.to_owned(),
        output,
        inputs: vec![PART; arguments],
        constants: None,
        weight,
    };
    let mut all = vec![
        primitive("if", WHOLE, 2, 4.0),
        primitive("if", PART, 2, 4.0),
        primitive("and", PART, 2, if and { 4.0 } else { 0.0 }),
    ];
    let weight = |word: &str| if word.len() == 1 || macros { 1.0 } else { 0.0 };
    all.extend(WORDS.iter().map(|word| primitive(word, PART, 0, weight(word))));
    let number = |name: &str, arguments, constants| Primitive {
        inputs: vec![NUMBER; arguments],
        constants,
        ..primitive(name, NUMBER, 0, 1.0)
    };
    all.extend(
        [("+", 1.0), ("-", 0.0), ("*", 1.0)].map(|(name, weight)| Primitive { weight, ..number(name, 2, None) }),
    );
    let constants = (1..=9).map(f64::from).flat_map(|digit| [digit / 10.0, digit, digit * 10.0]).collect();
    all.push(Primitive { weight: 3.0, ..number("number", 0, Some(Constants::OneOf(constants))) });
    all.extend(FEATURES.iter().map(|(_, name)| number(name, 0, None)));
    Primitives::new(all).expect("there are terminals")
}
