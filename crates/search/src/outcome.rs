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
    /// Successors made, new or not.
    pub generated: u64,
}
