//! How a search ended.

use crate::Limit;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A goal was reached; the result contains the path.
    Solved,
    /// No goal is reachable from the start; this is proven.
    Unsolvable,
    /// A limit stopped the search before either was known.
    Limit(Limit),
}

impl Verdict {
    /// Name of this verdict in tables and JSON: `solved`, `unsolvable` or `limit`.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Solved => "solved",
            Verdict::Unsolvable => "unsolvable",
            Verdict::Limit(_) => "limit",
        }
    }
}
