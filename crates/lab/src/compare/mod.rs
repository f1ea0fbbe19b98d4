//! Algorithms side by side: all of them on all boards, on all cores, with the same counts on any number of threads.

mod log;
mod part;
mod record;
mod report;
mod summary;

pub use log::{Log, LogError};
pub use record::Record;
pub use report::{csv, html};
pub use summary::{Summary, board_table, summaries, summary_table};

use crate::{Algorithm, fault, parallel};
use clearway_rush::heuristics::{Context, DifficultyLevel};
use clearway_rush::{Board, Metric};
use clearway_search::{Limit, Limits, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{LazyLock, Mutex, PoisonError};

/// An algorithm under the name that it was given by.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// The text that named it.
    pub label: String,
    /// The algorithm.
    pub algorithm: Algorithm,
}

/// A board with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: Option<String>,
    /// The board.
    pub board: Board,
}

/// What to compare.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The boards.
    pub boards: Vec<Entry>,
    /// The algorithms.
    pub algorithms: Vec<Contestant>,
    /// What a solution's length counts.
    pub metric: Metric,
    /// The limits of each run. The memory is that of all runs together.
    pub limits: Limits,
    /// How many runs are made at a time.
    pub threads: usize,
}

/// How far a comparison has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The runs that are done.
    pub done: usize,
    /// The runs that there are: one for each board and algorithm, and one for each board's optimum.
    pub total: usize,
}

impl Comparison {
    /// Makes all runs, but for those that the log holds already, and hands the records over in the order of the boards,
    /// and for each board in that of the algorithms. `progress` is told after each run. Ends early, without an error,
    /// when the runs are cancelled by their limits.
    pub fn run(
        &self,
        log: &mut Log,
        progress: impl Fn(Progress),
        mut take: impl FnMut(Record) -> std::io::Result<()>,
    ) -> Result<(), LogError> {
        // The first run of a board finds its optimum. It is also the run of the algorithm `exact`, if that is asked for.
        let runs = self.algorithms.len() + 1;
        let total = self.boards.len() * runs;
        let known = log.take_known();
        let large = Mutex::new(());
        let work = |task: usize| {
            let (board, algorithm) = (task / runs, self.algorithm(task % runs));
            let policy = algorithm.policy().map(ToString::to_string);
            if let Some(record) = known.get(&(board, algorithm.to_string(), policy)) {
                return Some((record.clone(), true));
            }
            let run = || self.run_one(board, task % runs, &large);
            let record = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
                // Whoever hears of it should know where it was.
                let name = self.boards[board].name.clone().unwrap_or_else(|| format!("#{}", board + 1));
                resume_unwind(Box::new(format!("{name}, {algorithm}: {}", fault::message(&*payload))))
            });
            record.map(|record| (record, false))
        };
        let mut done = 0;
        let mut optimum = None;
        parallel::ordered(
            total,
            self.threads,
            work,
            |task, (record, known)| {
                done += 1;
                progress(Progress { done, total });
                if *known { Ok(()) } else { log.append(task / runs, record) }
            },
            |task, (mut record, _)| {
                if task % runs == 0 {
                    optimum = record.length().filter(|_| record.status == "solved");
                    return Ok(());
                }
                record.algorithm.clone_from(&self.algorithms[task % runs - 1].label);
                record.name.clone_from(&self.boards[task / runs].name);
                record.optimum = optimum;
                take(record).map_err(LogError::Take)
            },
        )
    }

    /// Makes one run on this thread within limits of its own, for callers that do other things between the runs: that of an
    /// algorithm, or the one that finds the optimum of a board. None if it was cancelled.
    pub fn run_alone(&self, board: usize, algorithm: Option<usize>, limits: &Limits) -> Option<Record> {
        let run = algorithm.map_or(0, |algorithm| algorithm + 1);
        let alone = Comparison { limits: limits.clone(), threads: 1, ..self.clone() };
        let mut record = alone.run_one(board, run, &Mutex::new(()))?;
        if let Some(algorithm) = algorithm {
            record.algorithm.clone_from(&self.algorithms[algorithm].label);
        }
        record.name.clone_from(&self.boards[board].name);
        Some(record)
    }

    fn algorithm(&self, run: usize) -> &Algorithm {
        static EXACT: LazyLock<Algorithm> = LazyLock::new(Algorithm::exact);
        run.checked_sub(1).map_or(&*EXACT, |run| &self.algorithms[run].algorithm)
    }

    /// One run. None if it was cancelled.
    ///
    /// With several threads a run first gets its share of a quarter of the memory, and if that is not enough it is made
    /// again with three quarters, one such run at a time. A single thread has those three quarters at once: so every
    /// run ends as if it had them.
    fn run_one(&self, board: usize, run: usize, large: &Mutex<()>) -> Option<Record> {
        let algorithm = self.algorithm(run);
        let entry = &self.boards[board];
        fault::inject(entry.name.as_deref().unwrap_or_default());
        let difficulty = DifficultyLevel::among(board, self.boards.len());
        let context = Context { difficulty, ..Context::default() };
        let solve = |memory: Option<usize>| {
            algorithm.solve(&entry.board, self.metric, &Limits { memory, ..self.limits.clone() }, &context)
        };
        let most = self.limits.memory.map(|memory| memory - memory / 4);
        let share = self.limits.memory.filter(|_| self.threads > 1).map(|memory| memory / 4 / self.threads);
        let mut outcome = solve(share.or(most));
        if share.is_some() && outcome.verdict == Verdict::Limit(Limit::Memory) {
            let _turn = large.lock().unwrap_or_else(PoisonError::into_inner);
            outcome = solve(most);
        }
        let cancelled = outcome.verdict == Verdict::Limit(Limit::Cancelled);
        (!cancelled).then(|| Record::new(entry, algorithm, self.metric, &outcome))
    }
}
