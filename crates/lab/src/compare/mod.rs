//! Comparison of algorithms: each algorithm on each board, with the same counts on any number of threads.

mod log;
#[cfg(feature = "parquet")]
mod part;
mod record;
mod report;
mod summary;

pub use log::{ComparisonError, ComparisonLog};
pub use record::ComparisonRecord;
pub use report::{csv, html};
pub use summary::{AlgorithmSummary, board_table, summaries, summary_table};

use crate::{ConfiguredAlgorithm, fault};
use clearway_rush::heuristics::{DifficultyLevel, HeuristicContext};
use clearway_rush::{Board, Metric};
use clearway_search::{Limit, Limits, Verdict};
use clearway_util::parallel;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{LazyLock, Mutex, PoisonError};

/// An algorithm with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// Label in the results: usually the text that was given.
    pub label: String,
    /// Algorithm to run.
    pub algorithm: ConfiguredAlgorithm,
}

/// A board with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedBoard {
    /// Name, if any.
    pub name: Option<String>,
    /// Board to solve.
    pub board: Board,
}

/// A comparison of algorithms on boards.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Boards to solve.
    pub boards: Vec<NamedBoard>,
    /// Algorithms to compare.
    pub algorithms: Vec<Contestant>,
    /// Metric of solution lengths.
    pub metric: Metric,
    /// Limits of each run; the memory limit is for all runs together.
    pub limits: Limits,
    /// Number of runs in parallel.
    pub threads: usize,
}

/// How many runs of a comparison are finished, those of an earlier process included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparisonProgress {
    /// Number of finished runs.
    pub done: usize,
    /// Total number of runs: one for each board and algorithm, and one for the optimum of each board.
    pub total: usize,
}

impl Comparison {
    /// Executes all runs that are not yet in the log, and passes the records to `take`, ordered by board and then by algorithm.
    /// Calls `progress` after each run. Returns early, without an error, if the limits cancel the runs.
    pub fn run(
        &self,
        log: &mut ComparisonLog,
        progress: impl Fn(ComparisonProgress),
        mut take: impl FnMut(ComparisonRecord) -> std::io::Result<()>,
    ) -> Result<(), ComparisonError> {
        // The first run of a board finds its optimum. The log holds it as a run of the algorithm `exact`.
        let runs = self.algorithms.len() + 1;
        let total = self.boards.len() * runs;
        let known = log.take_known();
        let large = Mutex::new(());
        // Returns the record, or no record if the first run of the board gives it, and whether the log needs no line for it.
        let work = |task: usize| {
            let (board, algorithm) = (task / runs, self.algorithm(task % runs));
            if self.repeats_first_run(task % runs) {
                return Some((None, true));
            }
            let policy = algorithm.policy().map(ToString::to_string);
            if let Some(record) = known.get(&(board, algorithm.to_string(), policy)) {
                return Some((Some(record.clone()), true));
            }
            let run = || self.run_one(board, task % runs, &large);
            let record = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
                // The message of the panic names the board and the algorithm.
                let name = self.boards[board].name.clone().unwrap_or_else(|| format!("#{}", board + 1));
                resume_unwind(Box::new(format!("{name}, {algorithm}: {}", fault::message(&*payload))))
            });
            record.map(|record| (Some(record), false))
        };
        let mut done = 0;
        let mut first: Option<ComparisonRecord> = None;
        parallel::ordered(
            total,
            self.threads,
            work,
            |task, (record, known)| {
                done += 1;
                progress(ComparisonProgress { done, total });
                match record {
                    Some(record) if !known => log.append(task / runs, record),
                    _ => Ok(()),
                }
            },
            |task, (record, _)| {
                if task % runs == 0 {
                    first = record;
                    return Ok(());
                }
                let Some(mut record) = record.or_else(|| first.clone()) else { return Ok(()) };
                record.algorithm.clone_from(&self.algorithms[task % runs - 1].label);
                record.name.clone_from(&self.boards[task / runs].name);
                record.optimum = first.as_ref().filter(|first| first.solved()).and_then(ComparisonRecord::length);
                take(record).map_err(ComparisonError::Take)
            },
        )
    }

    /// Executes one run on this thread with other limits, for callers that schedule runs themselves: the run of an algorithm, or
    /// the run that finds the optimum if `algorithm` is `None`. Returns `None` if the run was cancelled.
    pub fn run_alone(&self, board: usize, algorithm: Option<usize>, limits: &Limits) -> Option<ComparisonRecord> {
        let run = algorithm.map_or(0, |algorithm| algorithm + 1);
        let alone = Comparison { limits: limits.clone(), threads: 1, ..self.clone() };
        let mut record = alone.run_one(board, run, &Mutex::new(()))?;
        if let Some(algorithm) = algorithm {
            record.algorithm.clone_from(&self.algorithms[algorithm].label);
        }
        record.name.clone_from(&self.boards[board].name);
        Some(record)
    }

    fn algorithm(&self, run: usize) -> &ConfiguredAlgorithm {
        static EXACT: LazyLock<ConfiguredAlgorithm> = LazyLock::new(ConfiguredAlgorithm::exact);
        run.checked_sub(1).map_or(&*EXACT, |run| &self.algorithms[run].algorithm)
    }

    /// Whether a run would repeat the first run of its board, which is that of the exact solver. Its record is used instead.
    fn repeats_first_run(&self, run: usize) -> bool {
        run > 0 && self.algorithm(run).is_exact()
    }

    /// Executes one run. Returns `None` if it was cancelled.
    ///
    /// With several threads, a run first gets its share of a quarter of the memory. If that is not enough, it is repeated with
    /// three quarters of the memory, one such run at a time. With a single thread, a run gets three quarters at once. Either
    /// way, the result is that of a run with three quarters.
    fn run_one(&self, board: usize, run: usize, large: &Mutex<()>) -> Option<ComparisonRecord> {
        let algorithm = self.algorithm(run);
        let entry = &self.boards[board];
        fault::inject(entry.name.as_deref().unwrap_or_default());
        let difficulty = DifficultyLevel::among(board, self.boards.len());
        let context = HeuristicContext { difficulty, ..HeuristicContext::default() };
        let solve = |memory: Option<usize>| {
            algorithm.solve(&entry.board, self.metric, &Limits { memory, ..self.limits.clone() }, &context)
        };
        let max = self.limits.memory.map(|memory| memory - memory / 4);
        let share = self.limits.memory.filter(|_| self.threads > 1).map(|memory| memory / 4 / self.threads);
        let mut outcome = solve(share.or(max));
        if share.is_some() && outcome.verdict == Verdict::Limit(Limit::Memory) {
            let _turn = large.lock().unwrap_or_else(PoisonError::into_inner);
            outcome = solve(max);
        }
        let cancelled = outcome.verdict == Verdict::Limit(Limit::Cancelled);
        (!cancelled).then(|| ComparisonRecord::new(entry, algorithm, self.metric, &outcome))
    }
}
