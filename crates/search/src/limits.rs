//! The limits of a search, and the watch that a running search asks whether one of them was reached.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much a search may use. Everything is unlimited by default.
///
/// ```
/// use clearway_search::{Limit, Limits};
/// let limits = Limits { nodes: Some(1_000), ..Limits::default() };
/// let watch = limits.watch();
/// assert_eq!(watch.check(999, 0), None);
/// assert_eq!(watch.check(1_000, 0), Some(Limit::Nodes));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most states that may be expanded.
    pub nodes: Option<u64>,
    /// The most wall-clock time that may pass.
    pub time: Option<Duration>,
    /// The most bytes that the search's own tables may take.
    pub memory: Option<usize>,
    /// Set by anybody to stop the search.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// Which limit ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// As many states were expanded as were allowed.
    Nodes,
    /// The time was up.
    Time,
    /// The tables would have outgrown the memory allowed.
    Memory,
    /// Somebody asked the search to stop.
    Cancelled,
    /// The search itself gave up: it is incomplete, and what it left out may hold a solution.
    Incomplete,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Nodes => "the node limit was reached",
            Limit::Time => "the time limit was reached",
            Limit::Memory => "the memory limit was reached",
            Limit::Cancelled => "the search was cancelled",
            Limit::Incomplete => "the search gave up: it is incomplete",
        })
    }
}

impl Limits {
    /// Starts the clock of one search.
    pub fn watch(&self) -> Watch<'_> {
        Watch { limits: self, started: Instant::now() }
    }

    /// The limits of what is still to be done when so much of the time is gone.
    #[must_use]
    pub fn after(&self, spent: Duration) -> Limits {
        Limits { time: self.time.map(|time| time.saturating_sub(spent)), ..self.clone() }
    }
}

/// The limits of one running search, and its clock.
#[derive(Debug)]
pub struct Watch<'a> {
    limits: &'a Limits,
    started: Instant,
}

impl Watch<'_> {
    /// The limit that is reached with so many nodes expanded and so many bytes in use, if any. Reads the clock:
    /// a search asks every few hundred nodes, and before its tables grow.
    pub fn check(&self, nodes: u64, bytes: usize) -> Option<Limit> {
        if self.limits.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        if self.limits.nodes.is_some_and(|most| nodes >= most) {
            return Some(Limit::Nodes);
        }
        if self.limits.memory.is_some_and(|most| bytes > most) {
            return Some(Limit::Memory);
        }
        if self.limits.time.is_some_and(|most| self.started.elapsed() >= most) {
            return Some(Limit::Time);
        }
        None
    }

    /// How many more nodes may be expanded before [`check`](Self::check) must be asked again, at most `batch`.
    pub fn nodes_until_check(&self, nodes: u64, batch: u64) -> u64 {
        self.limits.nodes.map_or(batch, |most| most.saturating_sub(nodes).min(batch))
    }

    /// The time since the search started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_reported_as_itself() {
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            nodes: Some(10),
            memory: Some(100),
            time: Some(Duration::from_secs(3600)),
            cancel: Some(cancel.clone()),
        };
        let watch = limits.watch();
        assert_eq!(watch.check(9, 100), None);
        assert_eq!(watch.check(10, 100), Some(Limit::Nodes));
        assert_eq!(watch.check(9, 101), Some(Limit::Memory));
        cancel.store(true, Ordering::Relaxed);
        assert_eq!(watch.check(0, 0), Some(Limit::Cancelled));
        let none = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(none.watch().check(0, 0), Some(Limit::Time));
    }

    #[test]
    fn time_that_is_gone_is_not_there_for_the_rest() {
        let limits = Limits { nodes: Some(10), time: Some(Duration::from_secs(5)), ..Limits::default() };
        let rest = limits.after(Duration::from_secs(2));
        assert_eq!((rest.nodes, rest.time), (Some(10), Some(Duration::from_secs(3))));
        assert_eq!(limits.after(Duration::from_secs(6)).time, Some(Duration::ZERO));
        assert_eq!(Limits::default().after(Duration::from_secs(6)).time, None);
    }

    #[test]
    fn the_batch_never_passes_the_node_limit() {
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        assert_eq!(limits.watch().nodes_until_check(4, 256), 6);
        assert_eq!(limits.watch().nodes_until_check(12, 256), 0);
        assert_eq!(Limits::default().watch().nodes_until_check(12, 256), 256);
    }
}
