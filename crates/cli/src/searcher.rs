//! One worker's way to search boards within the limits of the command line.

use crate::output::Context;
use clearway_forge::grade::{Graded, Grader};
use clearway_lab::{Algorithm, Found};
use clearway_rush::Board;
use clearway_rush::exact::{Analysis, Answer, Metric, Solver};
use clearway_search::{Limit, Limits, Verdict};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How the limits of the command line are shared among searchers.
///
/// With several threads a quarter of the memory is divided among them, which is plenty for almost every board. The
/// rest is for one board at a time: a board that outgrows its share is searched again with that. So the answer to a
/// board does not depend on how many others are in work, and all tables together stay within the limit.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The limits of a board with its thread's share of the memory.
    limits: Limits,
    /// The memory for the one board that may have much, and the right to be that board.
    large: Option<(usize, Arc<Mutex<()>>)>,
    /// When all searches end, whatever the time limit of a board.
    until: Option<Instant>,
}

impl Plan {
    /// Shares the limits among so many searchers.
    pub fn new(searchers: usize, context: &Context) -> Plan {
        let memory = context.global.memory;
        let several = searchers > 1;
        let limits = Limits {
            nodes: context.global.node_limit,
            time: context.global.time_limit,
            memory: Some(if several { memory / 4 / searchers } else { memory }),
            cancel: Some(context.interrupt.flag()),
        };
        Plan { limits, large: several.then(|| (memory - memory / 4, Arc::default())), until: None }
    }

    /// Shares the limits as among several even if there is but one searcher: which boards are decided within the memory
    /// is then the same for any number of them.
    pub fn for_many(searchers: usize, context: &Context) -> Plan {
        Plan::new(searchers.max(2), context)
    }

    /// All searches end then.
    pub fn until(self, until: Option<Instant>) -> Plan {
        Plan { until, ..self }
    }

    /// The limits of a board that is begun now.
    fn limits(&self) -> Limits {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        Limits { time: [self.limits.time, left].into_iter().flatten().min(), ..self.limits.clone() }
    }

    /// One of the searchers.
    pub fn searcher(&self) -> Searcher {
        Searcher { plan: self.clone(), solver: Solver::new() }
    }
}

/// Searches one board after the other, and keeps its tables in between.
#[derive(Debug)]
pub struct Searcher {
    plan: Plan,
    solver: Solver,
}

impl Searcher {
    /// A shortest solution, a proof that there is none, or the limit that was reached.
    pub fn solve(&mut self, board: &Board, metric: Metric) -> Answer {
        let (mut answer, before) = self.search(
            |solver, limits| solver.solve(board, metric, limits),
            |answer| answer.verdict == Verdict::Limit(Limit::Memory),
        );
        answer.time += before;
        answer
    }

    /// What the algorithm asked for finds, or else the exact solver.
    pub fn solve_by(&mut self, algorithm: Option<&Algorithm>, board: &Board, metric: Metric) -> Found {
        let (mut found, before) = self.search(
            |solver, limits| clearway_lab::solve(algorithm, solver, board, metric, limits),
            |found| found.answer.verdict == Verdict::Limit(Limit::Memory),
        );
        found.answer.time += before;
        found
    }

    /// Facts about all states that can be reached.
    pub fn analyze(&mut self, board: &Board, metric: Metric) -> Analysis {
        self.search(
            |solver, limits| solver.analyze(board, metric, limits),
            |analysis| analysis.limit == Some(Limit::Memory),
        )
        .0
    }

    /// How hard a board is. What outgrew its share of the memory is done again with more; what is known stays.
    pub fn grade(&mut self, board: &Board, grader: &Grader) -> Graded {
        let (limits, started) = (self.plan.limits(), Instant::now());
        let mut graded = grader.grade(board, &mut self.solver, &limits);
        let spent = started.elapsed();
        let needs_more = graded.grade.unfinished.iter().any(|unfinished| unfinished.limit == Limit::Memory);
        if let Some((memory, turn)) = self.plan.large.as_ref().filter(|_| needs_more) {
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            let limits = Limits { memory: Some(*memory), ..limits.after(spent) };
            grader.go_on(&mut graded, board, &mut Solver::new(), &limits);
        }
        graded
    }

    /// Searches, if need be a second time; also returns the time that a first attempt took in vain.
    pub fn search<T>(
        &mut self,
        search: impl Fn(&mut Solver, &Limits) -> T,
        needs_more: impl Fn(&T) -> bool,
    ) -> (T, Duration) {
        let limits = self.plan.limits();
        let started = Instant::now();
        let result = search(&mut self.solver, &limits);
        let spent = started.elapsed();
        let Some((memory, turn)) = self.plan.large.as_ref().filter(|_| needs_more(&result)) else {
            return (result, Duration::ZERO);
        };
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        // Waiting for its turn is not the board's fault; the first attempt is.
        (search(&mut Solver::new(), &Limits { memory: Some(*memory), ..limits.after(spent) }), spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_attempt_in_vain_costs_its_time() {
        let limits = Limits { memory: Some(1), time: Some(Duration::from_secs(60)), ..Limits::default() };
        let plan = Plan { limits, large: Some((8, Arc::default())), until: None };
        let attempt = |_: &mut Solver, limits: &Limits| {
            std::thread::sleep(Duration::from_millis(20));
            (limits.memory, limits.time)
        };
        let ((memory, time), before) = plan.searcher().search(attempt, |tried| tried.0 == Some(1));
        assert_eq!(memory, Some(8));
        assert!(before >= Duration::from_millis(20), "{before:?}");
        assert_eq!(time, Duration::from_secs(60).checked_sub(before));
        let (_, before) = plan.searcher().search(attempt, |_| false);
        assert_eq!(before, Duration::ZERO);
    }
}
