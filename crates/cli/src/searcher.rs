//! One worker's way to search boards within the limits of the command line.

use crate::output::Context;
use clearway_rush::Board;
use clearway_rush::exact::{Analysis, Answer, Metric, Solver};
use clearway_search::{Limit, Limits, Verdict};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Searches boards with tables of its own, and hard ones with the large tables that all searchers share.
///
/// With several threads a quarter of the memory is divided among them, which is plenty for almost every board. The
/// rest is for one board at a time: a board that outgrows its share is searched again with that. So the answer to a
/// board does not depend on how many others are in work, and all tables together stay within the limit.
pub struct Searcher {
    solver: Solver,
    limits: Limits,
    large: Option<Arc<Mutex<Solver>>>,
    large_memory: usize,
}

impl Searcher {
    /// So many searchers that together stay within the limits.
    pub fn several(count: usize, context: &Context) -> Vec<Searcher> {
        let memory = context.global.memory;
        let (share, large_memory) =
            if count > 1 { (memory / 4 / count, memory - memory / 4) } else { (memory, memory) };
        let large = (count > 1).then(Arc::default);
        let searcher = || Searcher {
            solver: Solver::new(),
            limits: Limits {
                nodes: context.global.node_limit,
                time: context.global.time_limit,
                memory: Some(share),
                cancel: Some(context.interrupt.flag()),
            },
            large: large.clone(),
            large_memory,
        };
        (0..count).map(|_| searcher()).collect()
    }

    /// A single searcher.
    pub fn one(context: &Context) -> Searcher {
        Searcher::several(1, context).remove(0)
    }

    /// A shortest solution, a proof that there is none, or the limit that was reached.
    pub fn solve(&mut self, board: &Board, metric: Metric) -> Answer {
        self.search(
            |solver, limits| solver.solve(board, metric, limits),
            |answer| answer.verdict == Verdict::Limit(Limit::Memory),
        )
    }

    /// Facts about all states that can be reached.
    pub fn analyze(&mut self, board: &Board, metric: Metric) -> Analysis {
        self.search(
            |solver, limits| solver.analyze(board, metric, limits),
            |analysis| analysis.limit == Some(Limit::Memory),
        )
    }

    fn search<T>(&mut self, search: impl Fn(&mut Solver, &Limits) -> T, needs_more: impl Fn(&T) -> bool) -> T {
        let started = Instant::now();
        let result = search(&mut self.solver, &self.limits);
        let spent = started.elapsed();
        let Some(large) = self.large.as_ref().filter(|_| needs_more(&result)) else {
            return result;
        };
        let mut solver = large.lock().unwrap_or_else(PoisonError::into_inner);
        // Waiting for the large tables is not the board's fault; the first attempt is.
        let time = self.limits.time.map(|time| time.saturating_sub(spent));
        search(&mut solver, &Limits { memory: Some(self.large_memory), time, ..self.limits.clone() })
    }
}
