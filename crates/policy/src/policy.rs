//! Policies: ordered rules and a default value.

use clearway_gp::Tree;

/// Maximum number of rules in a policy, not counting the default.
pub const MAX_RULES: usize = 64;
/// Maximum number of nodes (functions, heuristics and constants) in a condition or a value.
pub const MAX_NODES: usize = 2000;

/// Ordered rules over heuristics that estimate the distance to the goal. The estimate is the value of the first rule whose
/// condition holds, or the default if no condition holds. The trees consist of the primitives in
/// [`terminals`](crate::terminals).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// Description and provenance, any number of lines; may be empty.
    pub about: String,
    /// Search expression that the policy is meant for, such as `ida(policy, prune, increment=5)`.
    pub search: Option<String>,
    /// Rules in the order in which they are tried.
    pub rules: Vec<Rule>,
    /// Value used when no rule fires.
    pub default: Tree,
}

/// A rule IF condition THEN value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rule {
    /// Condition under which the rule fires, a tree of type [`CONDITION`](crate::terminals::CONDITION).
    pub condition: Tree,
    /// Estimate of the rule, a tree of type [`VALUE`](crate::terminals::VALUE).
    pub value: Tree,
}
