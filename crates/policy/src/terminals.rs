//! The primitives of policies: functions, constants, and heuristics as terminals.
//!
//! A heuristic may occur in values (as it is) and in conditions (divided by its usual maximum, so between 0 and 1). These are
//! two separate primitives.

use clearway_gp::{Constants, Primitive, Primitives, Type};

/// Type of conditions, true or false.
pub const CONDITION: Type = Type(0);
/// Type of numbers between 0 and 1 that are compared in conditions.
pub const SHARE: Type = Type(1);
/// Type of estimates.
pub const VALUE: Type = Type(2);

/// A heuristic as a terminal of policies.
#[allow(clippy::struct_excessive_bools, reason = "a row of a table, not a state")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terminal {
    /// Name of the heuristic in [`clearway_rush::heuristics::ALL`].
    pub name: &'static str,
    /// Usual maximum of the heuristic, by which it is divided in conditions.
    pub most: f64,
    /// Whether it is true or false, so that it is a condition by itself.
    pub flag: bool,
    /// Whether it is also allowed in values.
    pub value: bool,
    /// Whether it is among the terminals of GP-Rush (its Table 1).
    pub paper: bool,
    /// Whether it depends only on the state (and the start), not on the path to the state.
    pub state_only: bool,
    /// Approximate cost of one evaluation, in nanoseconds on 6x6.
    pub cost: f64,
}

const fn terminal(name: &'static str, most: f64, value: bool, paper: bool, state_only: bool, cost: f64) -> Terminal {
    Terminal { name, most, flag: false, value, paper, state_only, cost }
}

const fn flag(name: &'static str, paper: bool, cost: f64) -> Terminal {
    Terminal { name, most: 1.0, flag: true, value: false, paper, state_only: false, cost }
}

/// All terminals, those of the paper first. Terminals are identified by their index in this list.
pub static TERMINALS: &[Terminal] = &[
    terminal("blockers-lower-bound", 40.0, true, true, true, 120.0),
    terminal("goal-distance", 40.0, true, true, true, 8.0),
    terminal("hybrid", 60.0, true, true, true, 47.0),
    flag("is-move-to-secluded", true, 40.0),
    flag("is-releasing-move", true, 60.0),
    terminal("g", 100.0, false, true, false, 0.0),
    terminal("phase-by-distance", 1.0, false, true, false, 1.0),
    terminal("phase-by-blockers", 1.0, false, true, false, 1.0),
    terminal("number-of-siblings", 40.0, false, true, false, 0.0),
    terminal("difficulty-level", 1.0, false, true, true, 0.0),
    terminal("blockers", 8.0, true, false, true, 10.0),
    terminal("two-level", 12.0, true, false, true, 64.0),
    terminal("landmarks", 20.0, true, false, true, 135.0),
    terminal("relaxed-plan", 40.0, true, false, true, 97.0),
    terminal("displacement", 40.0, true, false, true, 8.0),
    terminal("relaxed-cells", 60.0, true, false, true, 10.0),
    terminal("relaxed-vehicles", 20.0, true, false, true, 10.0),
    terminal("relaxed-conflicts", 20.0, true, false, true, 10.0),
    terminal("relaxed-turns", 8.0, true, false, true, 10.0),
    terminal("start-plan-cells", 60.0, true, false, true, 10.0),
    terminal("settled-displacement", 40.0, true, false, true, 10.0),
    terminal("mobility", 40.0, true, false, true, 31.0),
    flag("is-preferred-move", false, 30.0),
    flag("is-first-move", false, 1.0),
    terminal("displaced-vehicles", 20.0, true, false, true, 5.0),
];

/// Primitive numbers of the functions and constants; the terminals follow.
pub mod primitive {
    /// Conjunction of two conditions.
    pub const AND: u16 = 0;
    /// Disjunction of two conditions.
    pub const OR: u16 = 1;
    /// The first operand is at most the second.
    pub const AT_MOST: u16 = 2;
    /// The first operand is at least the second.
    pub const AT_LEAST: u16 = 3;
    /// Product of two values.
    pub const TIMES: u16 = 4;
    /// Sum of two values.
    pub const PLUS: u16 = 5;
    /// Constant in a comparison.
    pub const SHARE_CONSTANT: u16 = 6;
    /// Constant in a value.
    pub const VALUE_CONSTANT: u16 = 7;
    /// Terminal `i` is primitive `FIRST_TERMINAL + 2 * i` in conditions and `FIRST_TERMINAL + 2 * i + 1` in values.
    pub const FIRST_TERMINAL: u16 = 8;
}

/// The set of terminals that evolution may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum TerminalSet {
    /// The terminals of GP-Rush.
    Paper,
    /// All terminals.
    #[default]
    Extended,
}

/// Returns the primitives of policies. Their numbers do not depend on `set`: terminals outside of it have weight 0.
///
/// # Panics
/// Never: a test builds both sets.
pub fn primitives(set: TerminalSet) -> Primitives {
    let digits = (1..=9).map(f64::from);
    let numbers: Vec<f64> = (0..=10).map(|tenth| f64::from(tenth) / 10.0).chain(digits).collect();
    let function = |name: &str, output, input| Primitive {
        name: name.to_owned(),
        output,
        inputs: vec![input, input],
        constants: None,
        weight: 1.0,
    };
    let constant = |output| Primitive {
        name: "number".to_owned(),
        output,
        inputs: Vec::new(),
        constants: Some(Constants::OneOf(numbers.clone())),
        weight: 1.0,
    };
    let mut all = vec![
        function("AND", CONDITION, CONDITION),
        function("OR", CONDITION, CONDITION),
        function("<=", CONDITION, SHARE),
        function(">=", CONDITION, SHARE),
        function("*", VALUE, VALUE),
        function("+", VALUE, VALUE),
        constant(SHARE),
        constant(VALUE),
    ];
    for terminal in TERMINALS {
        let used = f64::from(terminal.paper || set == TerminalSet::Extended);
        let leaf = |output, weight| Primitive {
            name: terminal.name.to_owned(),
            output,
            inputs: Vec::new(),
            constants: None,
            weight,
        };
        all.push(leaf(if terminal.flag { CONDITION } else { SHARE }, used));
        all.push(leaf(VALUE, used * f64::from(terminal.value)));
    }
    Primitives::new(all).expect("every type has a terminal")
}
