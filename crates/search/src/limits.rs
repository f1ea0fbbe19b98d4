//! The limits of a search, and the checker that a running search consults.

use clearway_util::time::Instant;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Resource limits of a search. Everything is unlimited by default.
///
/// ```
/// use clearway_search::{Limit, Limits};
/// let limits = Limits { nodes: Some(1_000), ..Limits::default() };
/// let checker = limits.checker();
/// assert_eq!(checker.check(999, 0), None);
/// assert_eq!(checker.check(1_000, 0), Some(Limit::Nodes));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Maximum number of expanded nodes.
    pub nodes: Option<u64>,
    /// Maximum wall-clock time.
    pub time: Option<Duration>,
    /// Maximum size of the search's own tables, in bytes.
    pub memory: Option<usize>,
    /// Flag that stops the search once it is set, from any thread.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// The limit that stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum Limit {
    /// The maximum number of nodes was expanded.
    Nodes,
    /// The time was used up.
    Time,
    /// The tables would have exceeded the memory limit.
    Memory,
    /// The search was cancelled.
    #[serde(rename = "interrupted")]
    Cancelled,
    /// The search gave up by itself: it is incomplete, and the part it skipped may contain a solution.
    Incomplete,
}

impl Limit {
    /// Name in tables and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Limit::Nodes => "nodes",
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Cancelled => "interrupted",
            Limit::Incomplete => "incomplete",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Nodes => "the node limit was reached",
            Limit::Time => "the time limit was reached",
            Limit::Memory => "the memory limit was reached",
            Limit::Cancelled => "the search was cancelled",
            Limit::Incomplete => "the algorithm is incomplete and gave up",
        })
    }
}

impl Limits {
    /// Starts the clock of a search and returns its checker.
    pub fn checker(&self) -> LimitChecker<'_> {
        LimitChecker { limits: self, started: Instant::now() }
    }

    /// Returns the limits for the remaining work after the given time was spent.
    #[must_use]
    pub fn remaining_after(&self, spent: Duration) -> Limits {
        Limits { time: self.time.map(|time| time.saturating_sub(spent)), ..self.clone() }
    }
}

/// Checks the limits of one running search.
#[derive(Debug)]
pub struct LimitChecker<'a> {
    limits: &'a Limits,
    started: Instant,
}

impl LimitChecker<'_> {
    /// Returns the limit that is reached with this number of expanded nodes and bytes in use, if any. As this reads the
    /// clock, searches call it once every few hundred nodes, and before their tables grow.
    pub fn check(&self, nodes: u64, bytes: usize) -> Option<Limit> {
        if self.limits.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        if self.limits.nodes.is_some_and(|max| nodes >= max) {
            return Some(Limit::Nodes);
        }
        if self.limits.memory.is_some_and(|max| bytes > max) {
            return Some(Limit::Memory);
        }
        if self.limits.time.is_some_and(|max| self.started.elapsed() >= max) {
            return Some(Limit::Time);
        }
        None
    }

    /// Number of nodes that may be expanded before the next call of [`check`](Self::check), at most `batch`.
    pub fn nodes_until_check(&self, nodes: u64, batch: u64) -> u64 {
        self.limits.nodes.map_or(batch, |max| max.saturating_sub(nodes).min(batch))
    }

    /// Time at which the time limit is reached, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.limits.time.and_then(|time| self.started.checked_add(time))
    }

    /// Flag that cancels the search, if there is one.
    pub fn cancel_flag(&self) -> Option<Arc<AtomicBool>> {
        self.limits.cancel.clone()
    }

    /// Time since the search started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_reported_when_it_is_reached() {
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            nodes: Some(10),
            memory: Some(100),
            time: Some(Duration::from_secs(3600)),
            cancel: Some(cancel.clone()),
        };
        let checker = limits.checker();
        assert_eq!(checker.check(9, 100), None);
        assert_eq!(checker.check(10, 100), Some(Limit::Nodes));
        assert_eq!(checker.check(9, 101), Some(Limit::Memory));
        cancel.store(true, Ordering::Relaxed);
        assert_eq!(checker.check(0, 0), Some(Limit::Cancelled));
        let none = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(none.checker().check(0, 0), Some(Limit::Time));
    }

    #[test]
    fn spent_time_reduces_the_time_limit() {
        let limits = Limits { nodes: Some(10), time: Some(Duration::from_secs(5)), ..Limits::default() };
        let rest = limits.remaining_after(Duration::from_secs(2));
        assert_eq!((rest.nodes, rest.time), (Some(10), Some(Duration::from_secs(3))));
        assert_eq!(limits.remaining_after(Duration::from_secs(6)).time, Some(Duration::ZERO));
        assert_eq!(Limits::default().remaining_after(Duration::from_secs(6)).time, None);
    }

    #[test]
    fn a_batch_never_exceeds_the_node_limit() {
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        assert_eq!(limits.checker().nodes_until_check(4, 256), 6);
        assert_eq!(limits.checker().nodes_until_check(12, 256), 0);
        assert_eq!(Limits::default().checker().nodes_until_check(12, 256), 256);
    }
}
