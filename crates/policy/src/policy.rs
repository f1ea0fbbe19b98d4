//! A policy: rules in order, and a default.

use clearway_gp::Tree;

/// The most rules of a policy.
pub const MOST_RULES: usize = 64;
/// The most functions, heuristics and constants in a condition or a value.
pub const MOST_NODES: usize = 2000;

/// Ordered rules over heuristics: the value of the first rule whose condition holds, else the default, estimates the
/// distance. Its trees are made of the primitives that [`terminals`](crate::terminals) lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// What it is and where it comes from, in any number of lines; empty if nothing is said.
    pub about: String,
    /// The search that it is made for, such as `ida(policy, prune, increment=5)`.
    pub search: Option<String>,
    /// The rules, in the order in which they are tried.
    pub rules: Vec<Rule>,
    /// The value where no rule holds.
    pub default: Tree,
}

/// IF condition THEN value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rule {
    /// When it fires: a tree of type [`CONDITION`](crate::terminals::CONDITION).
    pub condition: Tree,
    /// What it gives: a tree of type [`VALUE`](crate::terminals::VALUE).
    pub value: Tree,
}
