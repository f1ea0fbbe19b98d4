//! The interface of all search algorithms. A search is a value that is stepped and can be stopped at any time without losing
//! what it has found.

use crate::{Domain, Limits, SearchStatistics, Verdict};

/// A search in progress.
pub trait Search<D: Domain> {
    /// Does a little work, expanding at most one node. Returns the verdict once it is known; not to be called again after that.
    fn step(&mut self) -> Option<Verdict>;
    /// Statistics so far. [`run`] fills in the peak memory.
    fn statistics(&self) -> SearchStatistics;
    /// Bytes that the search holds, including those of its heuristic.
    fn memory_usage(&self) -> usize;
    /// Bytes that the search may hold a few hundred steps later: more than now where a table is about to grow, or where
    /// finishing takes more memory than searching.
    fn memory_usage_soon(&self) -> usize {
        self.memory_usage()
    }
    /// Lower bound on the solution length that the search has proven so far. `admissible` is whether the heuristic is
    /// known never to exceed the distance to the nearest goal; it is irrelevant for searches without a heuristic. A solution of
    /// that length is optimal. Meaningless once the verdict is [`Verdict::Unsolvable`].
    ///
    /// By default 1 once the start was expanded, since it is then not a goal.
    fn lower_bound(&self, _admissible: bool) -> u32 {
        u32::from(self.statistics().expanded > 0)
    }
    /// Nodes left in the queue of a search over paths: at its end, or when depth-first search took over. `None` for other
    /// searches.
    fn queue_len(&self) -> Option<u64> {
        None
    }
    /// Best solution found so far, if any.
    fn solution(&self) -> Option<Vec<D::Move>>;
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// How the search ended.
    pub verdict: Verdict,
    /// Solution, if one was found, even if a limit then stopped the search for a better one.
    pub solution: Option<Vec<M>>,
    /// Work of the search until it ended.
    pub statistics: SearchStatistics,
}

/// Number of steps between two checks of the limits.
const BATCH: u64 = 256;

/// Runs a search until it ends or reaches a limit. The node limit is exact; the others are checked every few hundred steps,
/// the memory limit before a table grows.
pub fn run<D: Domain>(search: &mut dyn Search<D>, limits: &Limits) -> Outcome<D::Move> {
    let checker = limits.checker();
    let end = |search: &dyn Search<D>, verdict| {
        let mut statistics = search.statistics();
        statistics.peak_memory = statistics.peak_memory.max(search.memory_usage() as u64);
        Outcome { verdict, solution: search.solution(), statistics }
    };
    loop {
        let expanded = search.statistics().expanded;
        if let Some(limit) = checker.check(expanded, search.memory_usage_soon()) {
            return end(search, Verdict::Limit(limit));
        }
        // A step expands at most one node, so this number of steps cannot exceed the node limit.
        for _ in 0..checker.nodes_until_check(expanded, BATCH) {
            if let Some(verdict) = search.step() {
                return end(search, verdict);
            }
        }
    }
}
