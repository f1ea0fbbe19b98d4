//! The primitives of programs and of their measures.

use crate::Move;
use clearway_gp::{Constants, Primitive, Primitives, Type};
use std::sync::LazyLock;

/// Type of the parts of a program.
pub const PART: Type = Type(0);
/// Type of a whole program, whose root is an `if`.
pub const WHOLE: Type = Type(1);
/// Type of the numbers of a measure.
pub const NUMBER: Type = Type(2);

/// Primitive number of the `if` at the root.
pub const ROOT_IF: u16 = 0;
/// Primitive number of all other `if`s.
pub const IF: u16 = 1;
/// Primitive number of `and`.
pub const AND: u16 = 2;
/// Primitive number of the first of the [`WORDS`]; the others follow in order.
pub const FIRST_WORD: u16 = 3;

/// The terminals of Barnes, Hasan and Lee (2006), formula 2: the four moves and the macros, in the order of the paper. One macro
/// is listed twice there, and therefore here too: it is chosen twice as often as the others.
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

/// Primitive number of `+`.
pub const PLUS: u16 = FIRST_WORD + WORDS.len() as u16;
/// Primitive number of `-`.
pub const MINUS: u16 = PLUS + 1;
/// Primitive number of `*`.
pub const TIMES: u16 = PLUS + 2;
/// Primitive number of constants.
pub const NUMBER_CONSTANT: u16 = PLUS + 3;
/// Primitive number of the first of the [`FEATURES`]; the others follow in order.
pub const FIRST_FEATURE: u16 = PLUS + 4;

/// A feature of a board that a measure may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Feature {
    /// Number of misplaced tiles.
    Misplaced,
    /// Number of tiles from the first misplaced one on, in the order of their numbers; 0 if none is misplaced.
    Remaining,
    /// Distance of the first misplaced tile from its goal position.
    FirstDistance,
    /// Distance of the first misplaced tile from the blank.
    FirstFromBlank,
    /// Distance of the blank from its goal position.
    BlankDistance,
    /// Sum of the distances of all tiles from their goal positions.
    Manhattan,
    /// Number of pairs of tiles in their goal row or column, but in the wrong order.
    Conflicts,
}

/// All features, with their names in program files.
pub const FEATURES: [(Feature, &str); 7] = [
    (Feature::Misplaced, "misplaced"),
    (Feature::Remaining, "remaining"),
    (Feature::FirstDistance, "first-distance"),
    (Feature::FirstFromBlank, "first-from-blank"),
    (Feature::BlankDistance, "blank-distance"),
    (Feature::Manhattan, "manhattan"),
    (Feature::Conflicts, "conflicts"),
];

/// Returns the feature of a primitive.
///
/// # Panics
/// If the primitive is not a feature.
pub fn feature(primitive: u16) -> Feature {
    FEATURES[usize::from(primitive - FIRST_FEATURE)].0
}

/// Moves of each of the [`WORDS`].
static MOVES: LazyLock<Vec<Vec<Move>>> =
    LazyLock::new(|| WORDS.iter().map(|word| word.chars().filter_map(Move::from_letter).collect()).collect());

/// Returns the moves of a word primitive; empty for other primitives.
#[inline]
pub fn moves_of(primitive: u16) -> &'static [Move] {
    primitive.checked_sub(FIRST_WORD).and_then(|word| MOVES.get(usize::from(word))).map_or(&[], Vec::as_slice)
}

/// Returns the primitive number of a single move.
pub const fn single_move(mv: Move) -> u16 {
    FIRST_WORD + mv as u16
}

/// Returns the primitives of programs. The paper gives `if` and `and` a probability of 2/13 each and every terminal 1/26, which
/// adds up to 25/26; the weights here have the same proportions. Without `and`, as in experiment A, its share goes to all
/// others. Without `macros`, programs consist of single moves.
///
/// # Panics
/// Never: every type has a terminal.
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
    Primitives::new(all).expect("every type has a terminal")
}
