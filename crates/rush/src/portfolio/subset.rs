//! Proofs that a board is unsolvable because a few of its vehicles leave no solution.

use crate::exact::Solver;
use crate::layers::{SatBudget, UnsatCore};
use crate::part::BoardPart;
use crate::{Board, Metric, vehicle_ranges};
use clearway_search::{Limits, SearchStatistics, Verdict};

/// Conflicts spent on each question about a subset of the vehicles.
const CONFLICTS_PER_QUESTION: u64 = 5_000;

/// What was found about a subset.
#[derive(Default)]
pub(super) struct SubsetOutcome {
    /// Whether the subset, and so the whole board, is unsolvable.
    pub is_unsolvable: bool,
    /// Lower bound on the length of every solution of the whole board.
    pub lower_bound: u32,
    pub statistics: SearchStatistics,
    /// Size of the tables, in bytes.
    pub memory: usize,
}

/// Looks for a few vehicles that alone leave no plan in a number of layers, and searches the board with only these vehicles,
/// expanding at most `nodes`. The limit on nodes limits the conflicts and nodes of both together. `held` bytes of the memory are
/// in use elsewhere.
pub(super) fn search_subset(
    board: &Board,
    layers: usize,
    nodes: u64,
    metric: Metric,
    limits: &Limits,
    held: usize,
) -> SubsetOutcome {
    let mut outcome = SubsetOutcome::default();
    let most = limits.nodes.unwrap_or(u64::MAX);
    let limits = Limits { nodes: None, ..limits.clone() };
    let checker = limits.checker();
    let budget = SatBudget { checker: &checker, held };
    let Some(mut formula) = UnsatCore::new(board, layers, &budget) else { return outcome };
    let core = formula.find(CONFLICTS_PER_QUESTION, most, &budget);
    outcome.statistics.conflicts = formula.conflicts();
    outcome.memory = held + formula.memory_usage();
    drop(formula);
    let Some(core) = core else { return outcome };
    let mut included = vec![false; board.vehicles().len()];
    included[0] = true;
    for vehicle in core {
        included[vehicle] = true;
    }
    let Some(part) = BoardPart::new(board, &vehicle_ranges(board), &included) else { return outcome };
    let memory = limits.memory.map(|memory| memory.saturating_sub(held));
    let nodes = nodes.min(most.saturating_sub(outcome.statistics.conflicts));
    let limits = Limits { nodes: Some(nodes), memory, ..limits.remaining_after(checker.elapsed()) };
    let answer = part.solve(&mut Solver::new(), metric, &limits);
    outcome.statistics.add(&answer.statistics);
    outcome.memory = outcome.memory.max(held + answer.memory);
    outcome.is_unsolvable = answer.verdict == Verdict::Unsolvable;
    if !outcome.is_unsolvable {
        outcome.lower_bound = part.extended_bound(answer.lower_bound, metric);
    }
    outcome
}
