//! The engine that proves boards unsolvable, by a few of their vehicles or by an invariant.

use super::engine::{Engine, Report, Slice};
use super::known::{EngineName, Finding, Known};
use crate::exact::Solver;
use crate::layers::{Budget, Invariant, InvariantAnswer, UnsatCore};
use crate::part::Part;
use crate::{Board, vehicle_ranges};
use clearway_search::{Limit, Limits, Verdict};

/// Number of layers without a plan from which a board is suspected to be unsolvable.
const SUSPICIOUS_LAYERS: usize = 20;
/// Conflicts spent on each question about a subset of the vehicles.
const CONFLICTS_PER_QUESTION: u64 = 5_000;
/// Nodes expanded to prove a subset unsolvable.
const SUBSET_NODES: u64 = 1 << 20;

/// Proves that there is no plan.
pub(super) struct RefutationEngine<'a> {
    board: &'a Board,
    /// Number of layers without a plan from which to look for a subset next.
    next_layers: usize,
    /// `None` if the proof is not needed or not possible.
    invariant: Option<Invariant>,
}

impl<'a> RefutationEngine<'a> {
    pub fn new(board: &'a Board) -> RefutationEngine<'a> {
        RefutationEngine { board, next_layers: SUSPICIOUS_LAYERS, invariant: Invariant::new(board) }
    }
}

impl Engine for RefutationEngine<'_> {
    fn run(&mut self, known: &Known, limits: &Limits, report: &mut Report) -> Slice {
        let mut slice = Slice { exhausted: Some(Limit::Incomplete), ..Slice::default() };
        if known.plan.is_some() || self.invariant.is_none() {
            self.invariant = None;
            return slice;
        }
        let mut effort = limits.nodes.unwrap_or(u64::MAX);
        let limits = Limits { nodes: None, ..limits.clone() };
        if known.refuted_layers >= self.next_layers {
            self.next_layers = 2 * known.refuted_layers;
            if self.refute_subset(known, &mut effort, &limits, &mut slice, report) {
                return slice;
            }
        }
        self.search_invariant(effort, &limits, &mut slice, report);
        slice
    }
}

impl RefutationEngine<'_> {
    /// Looks for a few vehicles that alone leave no plan in the layers that were refuted, and searches the board with only these
    /// vehicles. Returns whether it is unsolvable; if not, its bound is one for the whole board.
    fn refute_subset(
        &self,
        known: &Known,
        effort: &mut u64,
        limits: &Limits,
        slice: &mut Slice,
        report: &mut Report,
    ) -> bool {
        const NAME: EngineName = "subset";
        let checker = limits.checker();
        let held = self.invariant.as_ref().map_or(0, Invariant::memory_usage);
        let budget = Budget { checker: &checker, held };
        let Some(mut formula) = UnsatCore::new(self.board, known.refuted_layers, &budget) else { return false };
        let core = formula.find(CONFLICTS_PER_QUESTION.min(*effort), &budget);
        slice.statistics.conflicts += formula.conflicts();
        slice.memory = slice.memory.max(held + formula.memory_usage());
        *effort = effort.saturating_sub(formula.conflicts());
        drop(formula);
        let Some(core) = core else { return false };
        let mut included = vec![false; self.board.vehicles().len()];
        for vehicle in core {
            included[vehicle] = true;
        }
        included[0] = true;
        let Some(part) = Part::new(self.board, &vehicle_ranges(self.board), &included) else { return false };
        // Without a limit on nodes, they are not part of the effort, which is a number of conflicts.
        let nodes = if known.has_node_limit { SUBSET_NODES.min(*effort) } else { SUBSET_NODES };
        let memory = limits.memory.map(|memory| memory.saturating_sub(held));
        let limits = Limits { nodes: Some(nodes), memory, ..limits.remaining_after(checker.elapsed()) };
        let answer = part.solve(&mut Solver::new(), known.metric, &limits);
        slice.statistics.add(&answer.statistics);
        slice.memory = slice.memory.max(held + answer.memory);
        if known.has_node_limit {
            *effort -= answer.statistics.expanded.min(*effort);
        }
        let is_unsolvable = answer.verdict == Verdict::Unsolvable;
        report(
            if is_unsolvable {
                Finding::Unsolvable
            } else {
                Finding::Bound(part.extended_bound(answer.lower_bound, known.metric))
            },
            NAME,
        );
        is_unsolvable
    }

    /// Works on the invariant.
    fn search_invariant(&mut self, effort: u64, limits: &Limits, slice: &mut Slice, report: &mut Report) {
        const NAME: EngineName = "invariant";
        let Some(invariant) = &mut self.invariant else { return };
        let before = invariant.conflicts();
        let answer = invariant.run(effort, &Budget { checker: &limits.checker(), held: 0 });
        slice.statistics.conflicts += invariant.conflicts() - before;
        slice.memory = slice.memory.max(invariant.memory_usage());
        match answer {
            InvariantAnswer::Unsolvable => report(Finding::Unsolvable, NAME),
            InvariantAnswer::Unknown | InvariantAnswer::Stopped(Limit::Time | Limit::Cancelled) => {
                slice.exhausted = None;
            }
            InvariantAnswer::Stopped(limit) => slice.exhausted = Some(limit),
            InvariantAnswer::Solvable => {}
        }
        if slice.exhausted.is_some() {
            self.invariant = None;
        }
    }
}
