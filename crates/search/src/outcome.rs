//! How a search ended, and what it counted on the way.

use crate::Limit;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A goal was reached; the path comes with the answer.
    Solved,
    /// No goal can be reached from the start: proven, not merely not found.
    Unsolvable,
    /// A limit ended the search before either was known.
    Limit(Limit),
}

impl Verdict {
    /// The word for this verdict in tables and JSON: `solved`, `unsolvable` or `limit`.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Solved => "solved",
            Verdict::Unsolvable => "unsolvable",
            Verdict::Limit(_) => "limit",
        }
    }
}

/// What a search counts. The same board, algorithm and seed give the same counters on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// States whose successors were made.
    pub expanded: u64,
    /// Nodes generated, new or not: the start of each search, and all successors.
    pub generated: u64,
    /// States for which a heuristic was asked.
    pub evaluated: u64,
    /// States for which it was asked whether they are goals.
    pub goal_tests: u64,
    /// States expanded again because a shorter way to them was found.
    pub reopened: u64,
    /// Successors left out because they were known already.
    pub duplicates: u64,
    /// The most states that waited to be expanded at one time.
    pub peak_open: u64,
    /// The most bytes held, as far as the search accounts for them.
    pub peak_memory: u64,
    /// Expanded until the estimated total last grew: what tie-breaking cannot change. 0 where there is no such total.
    pub until_last_jump: u64,
}
