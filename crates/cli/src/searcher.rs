//! Searches boards within the limits of the command line.

use crate::output::Context;
use clearway_answers::{SolveMethod, SolveOutcome};
use clearway_forge::grade::{Graded, Grader};
use clearway_rush::exact::Analysis;
use clearway_rush::{Board, Improvement, Metric, Portfolio, Solver};
use clearway_search::{Limit, Limits, Verdict};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The limits of the command line, shared among searchers.
///
/// With several threads, a quarter of the memory is divided among them, which suffices for almost every board. The rest is
/// reserved for one board at a time: a board that exceeds its share is searched again with it. So the result of a board
/// does not depend on how many others are searched at the same time, and all tables together stay within the limit.
#[derive(Clone, Debug)]
pub struct SharedLimits {
    /// The limits of a board, with a thread's share of the memory.
    limits: Limits,
    /// The reserved memory in bytes, and the lock of the board that uses it.
    reserve: Option<(usize, Arc<Mutex<()>>)>,
    /// The deadline of all searches, in addition to the time limit of a board.
    deadline: Option<Instant>,
}

impl SharedLimits {
    /// Shares the limits of the command line among this number of searchers.
    pub fn new(searchers: usize, context: &Context) -> SharedLimits {
        let memory = context.global.memory;
        let several = searchers > 1;
        let limits = Limits {
            nodes: context.global.node_limit,
            time: context.global.time_limit,
            memory: Some(if several { memory / 4 / searchers } else { memory }),
            cancel: Some(context.interrupt.flag()),
        };
        SharedLimits { limits, reserve: several.then(|| (memory - memory / 4, Arc::default())), deadline: None }
    }

    /// Like [`SharedLimits::new`], but reserves memory even for a single searcher: the boards that exceed the memory limit
    /// are then the same for any number of searchers.
    pub fn for_many(searchers: usize, context: &Context) -> SharedLimits {
        SharedLimits::new(searchers.max(2), context)
    }

    /// Sets a deadline for all searches.
    pub fn with_deadline(self, deadline: Option<Instant>) -> SharedLimits {
        SharedLimits { deadline, ..self }
    }

    /// Returns the limits of a search that starts now.
    fn current(&self) -> Limits {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Limits { time: [self.limits.time, left].into_iter().flatten().min(), ..self.limits.clone() }
    }

    /// Creates a searcher.
    pub fn searcher(&self) -> Searcher {
        Searcher { limits: self.clone(), solver: Solver::new() }
    }
}

/// Searches boards one at a time, and reuses its tables.
#[derive(Debug)]
pub struct Searcher {
    limits: SharedLimits,
    solver: Solver,
}

impl Searcher {
    /// Solves a board. `observe` is called with every improvement of the portfolio.
    pub fn solve(
        &mut self,
        method: &SolveMethod,
        board: &Board,
        metric: Metric,
        observe: &dyn Fn(&Improvement),
    ) -> SolveOutcome {
        // With its share of the memory only, a search stops before its result would depend on the share.
        let trial = match method {
            SolveMethod::Portfolio(portfolio) if self.limits.reserve.is_some() => {
                SolveMethod::Portfolio(Portfolio { stops_at_memory_limit: true, ..*portfolio })
            }
            method => method.clone(),
        };
        let share = self.limits.limits.memory;
        let (mut outcome, before) = self.search(
            |solver, limits| {
                let method = if limits.memory == share { &trial } else { method };
                clearway_answers::solve(method, solver, board, metric, limits, &mut |step| observe(step))
            },
            |outcome| outcome.answer.verdict == Verdict::Limit(Limit::Memory),
        );
        outcome.answer.time += before;
        outcome
    }

    /// Analyses all reachable states.
    pub fn analyze(&mut self, board: &Board, metric: Metric) -> Analysis {
        self.search(
            |solver, limits| solver.analyze(board, metric, limits),
            |analysis| analysis.limit == Some(Limit::Memory),
        )
        .0
    }

    /// Grades a board. The parts that exceed their share of the memory are computed again with the reserve.
    pub fn grade(&mut self, board: &Board, grader: &Grader) -> Graded {
        let (limits, started) = (self.limits.current(), Instant::now());
        let mut graded = grader.grade(board, &mut self.solver, &limits);
        let spent = started.elapsed();
        let needs_more = graded.grade.unfinished.iter().any(|unfinished| unfinished.limit == Limit::Memory);
        if let Some((memory, turn)) = self.limits.reserve.as_ref().filter(|_| needs_more) {
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            let limits = Limits { memory: Some(*memory), ..limits.remaining_after(spent) };
            grader.resume(&mut graded, board, &mut Solver::new(), &limits);
        }
        graded
    }

    /// Runs a search, and again with the reserved memory if `needs_more` holds for the result. Also returns the time of the
    /// discarded first attempt.
    pub fn search<T>(
        &mut self,
        search: impl Fn(&mut Solver, &Limits) -> T,
        needs_more: impl Fn(&T) -> bool,
    ) -> (T, Duration) {
        let limits = self.limits.current();
        let started = Instant::now();
        let result = search(&mut self.solver, &limits);
        let spent = started.elapsed();
        let Some((memory, turn)) = self.limits.reserve.as_ref().filter(|_| needs_more(&result)) else {
            return (result, Duration::ZERO);
        };
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        // The first attempt counts towards the time limit of the board; waiting for the lock does not.
        (search(&mut Solver::new(), &Limits { memory: Some(*memory), ..limits.remaining_after(spent) }), spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discarded_first_attempt_counts_towards_the_time() {
        let limits = Limits { memory: Some(1), time: Some(Duration::from_secs(60)), ..Limits::default() };
        let limits = SharedLimits { limits, reserve: Some((8, Arc::default())), deadline: None };
        let attempt = |_: &mut Solver, limits: &Limits| {
            std::thread::sleep(Duration::from_millis(20));
            (limits.memory, limits.time)
        };
        let ((memory, time), before) = limits.searcher().search(attempt, |tried| tried.0 == Some(1));
        assert_eq!(memory, Some(8));
        assert!(before >= Duration::from_millis(20), "{before:?}");
        assert_eq!(time, Duration::from_secs(60).checked_sub(before));
        let (_, before) = limits.searcher().search(attempt, |_| false);
        assert_eq!(before, Duration::ZERO);
    }
}
