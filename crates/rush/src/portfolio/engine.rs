//! The interface of the engines, and three of them: A*, abstraction and invariants.

use super::known::{EngineName, Finding, Knowledge};
use crate::abstraction::Abstraction;
use crate::exact::Solver;
use crate::layers::{Invariant, InvariantAnswer, SatBudget};
use crate::{Answer, Board, Solution, replay};
use clearway_search::{Limit, Limits, SearchStatistics, Verdict};

/// The work of an engine in one round.
#[derive(Clone, Debug, Default)]
pub(super) struct Slice {
    pub statistics: SearchStatistics,
    /// Size of the tables, in bytes.
    pub memory: usize,
    /// Limit that stopped the engine for good: it will not be run again.
    pub exhausted: Option<Limit>,
}

/// Receives findings, each with the name of its engine.
pub(super) type Report<'r> = dyn FnMut(Finding, EngineName) + 'r;

/// An engine, which works in rounds and keeps its state between them.
pub(super) trait Engine {
    /// Works for a round. `known` is what was known at its beginning; the limit on nodes limits expanded nodes or conflicts.
    fn run(&mut self, known: &Knowledge, limits: &Limits, report: &mut Report) -> Slice;
}

/// A* from the start, with more nodes each time.
pub(super) struct AStarEngine<'a> {
    pub board: &'a Board,
    pub solver: &'a mut Solver,
}

impl Engine for AStarEngine<'_> {
    fn run(&mut self, known: &Knowledge, limits: &Limits, report: &mut Report) -> Slice {
        let answer = self.solver.solve(self.board, known.metric, limits);
        report_answer(&answer, report);
        Slice {
            statistics: answer.statistics,
            memory: answer.memory,
            exhausted: (answer.verdict == Verdict::Limit(Limit::Memory)).then_some(Limit::Memory),
        }
    }
}

/// Reports an answer of the exact solver.
pub(super) fn report_answer(answer: &Answer, report: &mut Report) {
    match (answer.verdict, &answer.solution) {
        (Verdict::Unsolvable, _) => report(Finding::Unsolvable, answer.algorithm),
        (_, solution) => {
            report(Finding::Bound(answer.lower_bound), answer.algorithm);
            if let Some(solution) = solution {
                report(Finding::Plan(solution.clone()), answer.algorithm);
            }
        }
    }
}

/// Returns a plan that has passed the independent replay.
///
/// # Panics
/// If it does not, which would be a bug in the engine.
pub(super) fn verified(board: &Board, plan: Solution, engine: EngineName) -> Solution {
    let check = replay(board, &plan.0);
    assert!(check.is_ok_and(|check| check.solved), "{engine}: the plan {plan} does not pass the replay");
    plan
}

/// Counterexample-guided abstraction.
pub(super) struct AbstractionEngine<'a> {
    board: &'a Board,
    solver: Solver,
    abstraction: Abstraction,
}

/// Nodes of a small part that count as one node of a larger one.
const SMALL_NODES: u64 = 1024;

impl<'a> AbstractionEngine<'a> {
    const NAME: EngineName = "abstraction";

    pub fn new(board: &'a Board) -> AbstractionEngine<'a> {
        AbstractionEngine { board, solver: Solver::new(), abstraction: Abstraction::new(board) }
    }
}

impl Engine for AbstractionEngine<'_> {
    fn run(&mut self, known: &Knowledge, limits: &Limits, report: &mut Report) -> Slice {
        let small_nodes = if known.has_node_limit { 1 } else { SMALL_NODES };
        let outcome = self.abstraction.run(self.board, known.metric, &mut self.solver, limits, small_nodes);
        if outcome.verdict == Verdict::Unsolvable {
            report(Finding::Unsolvable, Self::NAME);
        } else {
            report(Finding::Bound(self.abstraction.lower_bound()), Self::NAME);
        }
        if let Some(solution) = outcome.solution {
            report(Finding::Plan(verified(self.board, solution, Self::NAME)), Self::NAME);
        }
        // A subset that is as hard as the whole board is left to the other engines.
        let exhausted = match outcome.verdict {
            Verdict::Limit(limit @ (Limit::Memory | Limit::Incomplete)) => Some(limit),
            _ => None,
        };
        Slice { statistics: outcome.statistics, memory: outcome.memory, exhausted }
    }
}

/// Property-directed reachability, which proves that there is no plan.
pub(super) struct InvariantEngine {
    /// `None` if the proof is not needed or not possible.
    invariant: Option<Invariant>,
}

impl InvariantEngine {
    const NAME: EngineName = "invariant";

    pub fn new(board: &Board) -> InvariantEngine {
        InvariantEngine { invariant: Invariant::new(board) }
    }
}

impl Engine for InvariantEngine {
    fn run(&mut self, known: &Knowledge, limits: &Limits, report: &mut Report) -> Slice {
        let mut slice = Slice { exhausted: Some(Limit::Incomplete), ..Slice::default() };
        let Some(invariant) = self.invariant.as_mut().filter(|_| known.plan.is_none()) else {
            self.invariant = None;
            return slice;
        };
        let effort = limits.nodes.unwrap_or(u64::MAX);
        let limits = Limits { nodes: None, ..limits.clone() };
        let before = invariant.conflicts();
        let answer = invariant.run(effort, &SatBudget { checker: &limits.checker(), held: 0 });
        slice.statistics.conflicts = invariant.conflicts() - before;
        slice.memory = invariant.memory_usage();
        match answer {
            InvariantAnswer::Unsolvable => report(Finding::Unsolvable, Self::NAME),
            InvariantAnswer::Unknown | InvariantAnswer::Stopped(Limit::Time | Limit::Cancelled) => {
                slice.exhausted = None;
            }
            InvariantAnswer::Stopped(limit) => slice.exhausted = Some(limit),
            InvariantAnswer::Solvable => {}
        }
        if slice.exhausted.is_some() {
            self.invariant = None;
        }
        slice
    }
}
