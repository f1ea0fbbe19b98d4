//! The solver for boards of any size: several engines in turn, each of which may find plans, prove bounds, or both.
//!
//! - `known`: the best plan and the best bound so far, and when they suffice
//! - `engine`: the interface of the engines; A*, abstraction and invariants
//! - `layers`: the engine that works with layered SAT; `subset`: its proofs by a few of the vehicles
//! - `schedule`: the rounds in which the engines run, one after the other or side by side
//!
//! The engines work in rounds. In each round each of them works for a number of expanded nodes or conflicts that grows from round
//! to round, on what was known when the round began, and the findings are added in the order of the engines. So the answer and
//! its statistics depend on neither the machine nor the number of threads, unless a limit on time stops the search.

mod engine;
mod known;
mod layers;
mod schedule;
mod subset;

pub use known::{EngineName, StopRule};

use crate::exact::Solver;
use crate::part::BoardPart;
use crate::{Answer, Board, Metric, Solution};
use clearway_search::{Limits, Verdict};
use std::time::Duration;

/// A better plan or a better bound, as soon as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Improvement<'a> {
    /// Best plan so far, if any.
    pub solution: Option<&'a Solution>,
    /// Best lower bound so far, in the metric.
    pub lower_bound: u32,
    /// Engine that found the improvement.
    pub engine: EngineName,
    /// Time since the start of the search.
    pub time: Duration,
}

/// The solver for boards of any size: when it stops, and on how many threads it runs.
///
/// ```
/// use clearway_rush::{Metric, Portfolio, Solver, StopRule, suites::Suite};
/// let board = &Suite::find("course").unwrap().puzzles()[6].board; // 12x12
/// let portfolio = Portfolio { stop: StopRule::First, ..Portfolio::default() };
/// let answer = portfolio.solve(&mut Solver::new(), board, Metric::Moves, &Default::default(), &mut |_| {});
/// assert!(answer.solution.unwrap().moves() >= 25, "the optimum is 25");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portfolio {
    /// When to stop.
    pub stop: StopRule,
    /// Number of threads on which the engines of one board run side by side. The answer does not depend on it.
    pub threads: usize,
    /// Engines to use.
    pub engines: EngineSet,
    /// Whether to stop as soon as one engine reaches the memory limit, because the search can be repeated with more memory. The
    /// other engines go on otherwise.
    pub stops_at_memory_limit: bool,
}

/// A choice of engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineSet {
    /// A*, abstraction, layered SAT and invariants.
    #[default]
    All,
    /// Layered SAT, which gives up on plans of more than 256 layers, and invariants.
    Layers,
}

impl Default for Portfolio {
    fn default() -> Self {
        Portfolio { stop: StopRule::Optimal, threads: 1, engines: EngineSet::All, stops_at_memory_limit: false }
    }
}

impl Portfolio {
    /// Solves a board until the stop rule holds or a limit is reached. `observe` is called with every improvement.
    ///
    /// The verdict is [`Verdict::Solved`] if the stop rule holds for the solution. At a limit, the answer contains the best
    /// solution so far, if any, and the best lower bound; likewise, with the limit
    /// [`Incomplete`](clearway_search::Limit::Incomplete), if the bound alone meets the stop rule. The limit on nodes applies to
    /// the sum of expanded nodes and conflicts.
    ///
    /// # Panics
    /// If a solution does not pass the independent replay, or is shorter than the bound of another engine: either would be a
    /// bug in an engine.
    pub fn solve(
        &self,
        solver: &mut Solver,
        board: &Board,
        metric: Metric,
        limits: &Limits,
        observe: &mut dyn FnMut(&Improvement),
    ) -> Answer {
        let checker = limits.checker();
        // Small boards are searched faster than they are looked through for a part.
        let part = if board.is_large() { BoardPart::independent(board) } else { None };
        let outcome = match &part {
            None => schedule::run(self, solver, board, metric, limits, &checker, observe),
            Some(part) => {
                let mut observe = |step: &Improvement| {
                    let solution = step.solution.map(|plan| engine::verified(board, part.extended(plan), step.engine));
                    let lower_bound = part.extended_bound(step.lower_bound, metric);
                    observe(&Improvement { solution: solution.as_ref(), lower_bound, ..*step });
                };
                let portfolio = Portfolio { stop: self.stop.shortened(part.extended_bound(0, metric)), ..*self };
                let mut outcome =
                    schedule::run(&portfolio, solver, &part.board, metric, limits, &checker, &mut observe);
                let known = &mut outcome.known;
                known.lower_bound.0 = part.extended_bound(known.lower_bound.0, metric);
                if let Some((plan, engine)) = &mut known.plan {
                    *plan = engine::verified(board, part.extended(plan), engine);
                }
                outcome
            }
        };
        let known = outcome.known;
        if let Some((solution, engine)) = &known.plan {
            let (length, (bound, by)) = (solution.length(metric), known.lower_bound);
            assert!(length >= bound, "{by} claims at least {bound}, but {engine} found {length}");
        }
        let verdict = match (known.is_settled(), known.unsolvable) {
            (_, Some(_)) => Verdict::Unsolvable,
            (true, None) if known.plan.is_some() => Verdict::Solved,
            (_, None) => Verdict::Limit(outcome.limit),
        };
        let bound_algorithm = known.unsolvable.unwrap_or(known.lower_bound.1);
        Answer {
            verdict,
            lower_bound: if verdict == Verdict::Unsolvable { 0 } else { known.lower_bound.0 },
            algorithm: known.plan.as_ref().map_or(bound_algorithm, |&(_, engine)| engine),
            bound_algorithm,
            solution: known.plan.map(|(solution, _)| solution),
            statistics: outcome.statistics,
            memory: outcome.memory,
            time: checker.elapsed(),
        }
    }
}
