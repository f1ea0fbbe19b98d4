//! Evaluation of a policy on one board by one search.

use super::arena::{Arena, ArenaMove, ArenaState, IS_PREFERRED_MOVE, MOVE_TERMINALS};
use super::search::PolicySearch;
use crate::terminals::TERMINALS;
use crate::{CompiledPolicy, TerminalSource};
use clearway_rush::heuristics::{HeuristicInfo, phase};
use clearway_search::deepening::{DeepeningOptions, IterativeDeepening};
use clearway_search::{Domain, Heuristic, Limits, Node, Search, Verdict, Zero, run};
use std::sync::LazyLock;

/// Result of a search on a training board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Number of states expanded.
    pub nodes: u64,
    /// Number of evaluations of the policy.
    pub evaluated: u64,
    /// Length of the solution; `None` if the node limit was reached first.
    pub length: Option<u32>,
}

impl PolicySearch {
    /// Searches a board guided by a policy, expanding at most `nodes` states.
    ///
    /// # Panics
    /// If the algorithm cannot be started, which does not happen for algorithms that take a heuristic.
    pub fn trial(&self, arena: &Arena, program: &CompiledPolicy, scratch: &mut Scratch, nodes: u64) -> Trial {
        scratch.prepare(program.value_count(), arena.states());
        let search = self.algorithm().start(arena, Some(PolicyGuide { program, scratch }));
        outcome(search.expect("an algorithm that takes a heuristic").as_mut(), nodes)
    }
}

/// Runs the baseline search that policies are compared with: iterative deepening without a heuristic, in steps of 5.
pub fn baseline(arena: &Arena, nodes: u64) -> Trial {
    let options = DeepeningOptions { increment: 5, ..DeepeningOptions::default() };
    outcome(&mut IterativeDeepening::new(arena, None::<Zero>, options), nodes)
}

/// Runs a search that expands at most `nodes` states.
pub(super) fn outcome<D: Domain>(search: &mut dyn Search<D>, nodes: u64) -> Trial {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let outcome = run(search, &limits);
    let solved = outcome.verdict == Verdict::Solved;
    Trial {
        nodes: outcome.statistics.expanded,
        evaluated: outcome.statistics.evaluated,
        length: outcome.solution.filter(|_| solved).map(|moves| moves.len() as u32),
    }
}

/// Memory for the values of rules by state, reused between searches. The value of a rule depends only on the state, so it is
/// computed once per search; only the conditions are evaluated at every node.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    values: Vec<Vec<f64>>,
    states: usize,
}

impl Scratch {
    fn prepare(&mut self, values: usize, states: usize) {
        self.values.iter_mut().for_each(Vec::clear);
        self.values.resize(values.max(self.values.len()), Vec::new());
        self.states = states;
    }
}

/// A policy that guides a search of an arena.
struct PolicyGuide<'a> {
    program: &'a CompiledPolicy,
    scratch: &'a mut Scratch,
}

impl Heuristic<Arena> for PolicyGuide<'_> {
    #[inline]
    fn estimate(&mut self, arena: &Arena, node: &Node<'_, Arena>) -> f64 {
        if arena.is_goal(node.state) {
            return 0.0;
        }
        let mut source = ArenaSource { arena, node };
        let rule = self.program.select_rule(&mut source);
        let values = &mut self.scratch.values[rule];
        if values.is_empty() {
            values.resize(self.scratch.states, f64::NAN);
        }
        let value = &mut values[*node.state as usize];
        if value.is_nan() {
            *value = self.program.rule_value(rule, &mut source);
        }
        *value
    }

    /// Prefers the moves of the relaxed plan if the policy reads it, like [`PolicyHeuristic`](crate::PolicyHeuristic).
    fn mark_preferred(&mut self, _: &Arena, _: &ArenaState, moves: &[ArenaMove], marks: &mut [bool]) {
        if self.program.terminals().iter().any(|&terminal| PLAN_TERMINALS[terminal]) {
            for (mv, mark) in moves.iter().zip(marks) {
                *mark |= mv.flag(IS_PREFERRED_MOVE);
            }
        }
    }
}

/// Whether each terminal is derived from the relaxed plan.
static PLAN_TERMINALS: LazyLock<Vec<bool>> = LazyLock::new(|| {
    let is_derived = |name| HeuristicInfo::find(name).is_some_and(|info| info.plan_statistic().is_some());
    TERMINALS.iter().map(|terminal| is_derived(terminal.name)).collect()
});

/// Terminal values at a node of an arena.
pub(super) struct ArenaSource<'a> {
    pub arena: &'a Arena,
    pub node: &'a Node<'a, Arena>,
}

/// Where the value of a terminal comes from.
#[derive(Clone, Copy)]
enum Origin {
    Table,
    Flag(usize),
    PathLength,
    PhaseByDistance,
    PhaseByBlockers,
    Siblings,
    Difficulty,
}

static ORIGINS: LazyLock<Vec<Origin>> = LazyLock::new(|| {
    let origin = |name: &str| match name {
        "g" => Origin::PathLength,
        "phase-by-distance" => Origin::PhaseByDistance,
        "phase-by-blockers" => Origin::PhaseByBlockers,
        "number-of-siblings" => Origin::Siblings,
        "difficulty-level" => Origin::Difficulty,
        _ => MOVE_TERMINALS.iter().position(|flag| *flag == name).map_or(Origin::Table, Origin::Flag),
    };
    TERMINALS.iter().map(|terminal| origin(terminal.name)).collect()
});

impl TerminalSource for ArenaSource<'_> {
    #[inline]
    fn terminal_value(&mut self, terminal: usize) -> f64 {
        let Node { state, g, last, siblings } = *self.node;
        match ORIGINS[terminal] {
            Origin::Table => self.arena.terminal_value(*state, terminal),
            Origin::Flag(bit) => f64::from(last.is_some_and(|last| last.flag(bit))),
            Origin::PathLength => f64::from(g),
            Origin::PhaseByDistance => phase(g, self.arena.terminal_value(*state, GOAL_DISTANCE)),
            Origin::PhaseByBlockers => phase(g, self.arena.terminal_value(*state, BLOCKERS_LOWER_BOUND)),
            Origin::Siblings => f64::from(siblings),
            Origin::Difficulty => self.arena.difficulty(),
        }
    }
}

/// Indices of H1 and H2 among the terminals.
const BLOCKERS_LOWER_BOUND: usize = 0;
const GOAL_DISTANCE: usize = 1;
