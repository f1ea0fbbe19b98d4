//! What policies are made of: the functions, the constants, and the heuristics as terminals.
//!
//! A heuristic may stand in values (as its number) and in conditions (as its number divided by the greatest one it
//! usually has, so within 0 and 1); these are two primitives.

use clearway_gp::{Constants, Primitive, Primitives, Type};

/// True or false.
pub const CONDITION: Type = Type(0);
/// A number within 0 and 1, for comparisons.
pub const SHARE: Type = Type(1);
/// An estimate.
pub const VALUE: Type = Type(2);

/// A heuristic as a terminal.
#[allow(clippy::struct_excessive_bools, reason = "a row of a table, not a state")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terminal {
    /// The name of the heuristic in [`clearway_rush::heuristics::ALL`].
    pub name: &'static str,
    /// Its greatest usual number: what it is divided by in conditions.
    pub most: f64,
    /// Whether it is true or false and so a condition of its own.
    pub flag: bool,
    /// Whether it may stand in values too.
    pub value: bool,
    /// Whether it is among the terminals of GP-Rush (its Table 1).
    pub paper: bool,
    /// Whether its number depends on the state alone (and the start), not on the way to it.
    pub of_state: bool,
    /// What asking for it costs, in nanoseconds on 6x6, about.
    pub cost: f64,
}

const fn terminal(name: &'static str, most: f64, value: bool, paper: bool, of_state: bool, cost: f64) -> Terminal {
    Terminal { name, most, flag: false, value, paper, of_state, cost }
}

const fn flag(name: &'static str, paper: bool, cost: f64) -> Terminal {
    Terminal { name, most: 1.0, flag: true, value: false, paper, of_state: false, cost }
}

/// All terminals, those of the paper first. A terminal's number is its place in this list.
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
];

/// The numbers of the function and constant primitives; terminals follow.
pub mod primitive {
    /// Both conditions hold.
    pub const AND: u16 = 0;
    /// One condition holds at least.
    pub const OR: u16 = 1;
    /// The first share is not above the second.
    pub const AT_MOST: u16 = 2;
    /// The first share is not below the second.
    pub const AT_LEAST: u16 = 3;
    /// A product of values.
    pub const TIMES: u16 = 4;
    /// A sum of values.
    pub const PLUS: u16 = 5;
    /// A constant in comparisons.
    pub const SHARE_CONSTANT: u16 = 6;
    /// A constant in values.
    pub const VALUE_CONSTANT: u16 = 7;
    /// Terminal `i` in conditions is number `FIRST_TERMINAL + 2 * i`, in values the one after.
    pub const FIRST_TERMINAL: u16 = 8;
}

/// Which terminals evolution may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TerminalSet {
    /// Those of GP-Rush.
    Paper,
    /// All.
    #[default]
    Extended,
}

/// The primitives. Their numbers do not depend on the set: what is not in it has weight 0.
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
