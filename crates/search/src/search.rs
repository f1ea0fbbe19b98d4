//! A search as a value: it is stepped, stopped and asked for its counters, and a limit never loses what was found.

use crate::{Counters, Domain, Limits, Verdict};

/// A search under way.
pub trait Search<D: Domain> {
    /// Does a little work, and expands one node at most. The verdict once it is known, and from then on always the same.
    fn step(&mut self) -> Option<Verdict>;
    /// What was counted so far.
    fn counters(&self) -> Counters;
    /// The best solution found so far, if any.
    fn solution(&self) -> Option<Vec<D::Move>>;
    /// The bytes that the search holds, those of its heuristic included.
    fn bytes(&self) -> usize;
    /// The lower bound on the length of solutions that the search has proven so far: no solution is shorter. `admissible`
    /// says whether the heuristic is known never to exceed the distance to the nearest goal; without a heuristic it does
    /// not matter. A solution of that length is a shortest one. Meaningless once the verdict is that there is none.
    fn lower_bound(&self, admissible: bool) -> u32;
    /// The nodes left in the queue of a search over paths: at its end, or when depth-first search took over. None for
    /// other searches.
    fn queue_len(&self) -> Option<u64> {
        None
    }
    /// The bytes that it may hold a few hundred steps on: more where a table is about to grow, or where its end takes
    /// more than its beginning.
    fn bytes_soon(&self) -> usize;
}

/// What a search ended with.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// How it ended.
    pub verdict: Verdict,
    /// The solution, if one was found: also when a limit ended the search for a better one.
    pub solution: Option<Vec<M>>,
    /// What was counted.
    pub counters: Counters,
}

/// How many steps are made between two looks at the clock.
const BATCH: u64 = 256;

/// Runs a search to its end, or to a limit. The node limit is exact; the others are checked now and then, that on memory
/// before a table grows.
pub fn run<D: Domain>(search: &mut dyn Search<D>, limits: &Limits) -> Outcome<D::Move> {
    let watch = limits.watch();
    let end = |search: &dyn Search<D>, verdict| {
        let mut counters = search.counters();
        counters.peak_memory = counters.peak_memory.max(search.bytes() as u64);
        Outcome { verdict, solution: search.solution(), counters }
    };
    loop {
        let expanded = search.counters().expanded;
        if let Some(limit) = watch.check(expanded, search.bytes_soon()) {
            return end(search, Verdict::Limit(limit));
        }
        // A step expands one node at most, so that many steps cannot pass the node limit.
        for _ in 0..watch.nodes_until_check(expanded, BATCH) {
            if let Some(verdict) = search.step() {
                return end(search, verdict);
            }
        }
    }
}
