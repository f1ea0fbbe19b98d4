//! The limits under which clauses are built and solved.

use clearway_search::{Limit, LimitChecker};

/// The limits of a search, of whose memory others hold a part.
pub(crate) struct SatBudget<'a> {
    pub checker: &'a LimitChecker<'a>,
    /// Memory in use elsewhere, in bytes.
    pub held: usize,
}

impl SatBudget<'_> {
    /// Fails with the limit that is reached with this memory in use, in bytes, if any.
    pub fn check(&self, memory: usize) -> Result<(), Limit> {
        self.checker.check(0, self.held + memory).map_or(Ok(()), Err)
    }
}
