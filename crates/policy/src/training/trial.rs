//! A policy put to the test on one board: one search.

use super::arena::{Arena, LAST_MOVE};
use super::search::PolicySearch;
use crate::terminals::TERMINALS;
use crate::{Program, Source};
use clearway_rush::heuristics::phase;
use clearway_search::deepening::{Deepening, DeepeningOptions};
use clearway_search::{Domain, Heuristic, Limits, Node, Search, Verdict, Zero, run};

/// What a search took and found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// States expanded.
    pub nodes: u64,
    /// Times that the policy was asked.
    pub evaluated: u64,
    /// The length of the solution; none if the node limit came first.
    pub length: Option<u32>,
}

impl PolicySearch {
    /// Searches a board guided by a policy, expanding at most so many states.
    ///
    /// # Panics
    /// If the algorithm cannot be started, which no algorithm that takes a heuristic does.
    pub fn trial(&self, arena: &Arena, program: &Program, scratch: &mut Scratch, nodes: u64) -> Trial {
        scratch.prepare(program.values(), arena.states());
        let search = self.algorithm().start(arena, Some(Guided { program, scratch }));
        outcome(search.expect("an algorithm that takes a heuristic").as_mut(), nodes)
    }
}

/// The search that savings are measured against: iterative deepening without a heuristic, in steps of 5.
pub fn baseline(arena: &Arena, nodes: u64) -> Trial {
    let options = DeepeningOptions { increment: 5, ..DeepeningOptions::default() };
    outcome(&mut Deepening::new(arena, None::<Zero>, options), nodes)
}

fn outcome(search: &mut dyn Search<Arena>, nodes: u64) -> Trial {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let outcome = run(search, &limits);
    let solved = outcome.verdict == Verdict::Solved;
    Trial {
        nodes: outcome.counters.expanded,
        evaluated: outcome.counters.evaluated,
        length: outcome.solution.filter(|_| solved).map(|moves| moves.len() as u32),
    }
}

/// Room for numbers that were computed before: by rule and state. Values depend on the state alone, so each is computed
/// once in a search; only the conditions are looked at each time.
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
struct Guided<'a> {
    program: &'a Program,
    scratch: &'a mut Scratch,
}

impl Heuristic<Arena> for Guided<'_> {
    #[inline]
    fn estimate(&mut self, arena: &Arena, node: &Node<'_, Arena>) -> f64 {
        if arena.is_goal(node.state) {
            return 0.0;
        }
        let mut source = ArenaSource { arena, node };
        let rule = self.program.decide(&mut source);
        let values = &mut self.scratch.values[rule];
        if values.is_empty() {
            values.resize(self.scratch.states, f64::NAN);
        }
        let value = &mut values[*node.state as usize];
        if value.is_nan() {
            *value = self.program.value_of(rule, &mut source);
        }
        *value
    }
}

/// The terminals at a node of an arena.
pub(super) struct ArenaSource<'a> {
    pub arena: &'a Arena,
    pub node: &'a Node<'a, Arena>,
}

/// How a terminal gets its number.
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

static ORIGINS: std::sync::LazyLock<Vec<Origin>> = std::sync::LazyLock::new(|| {
    let origin = |name: &str| match name {
        "g" => Origin::PathLength,
        "phase-by-distance" => Origin::PhaseByDistance,
        "phase-by-blockers" => Origin::PhaseByBlockers,
        "number-of-siblings" => Origin::Siblings,
        "difficulty-level" => Origin::Difficulty,
        _ => LAST_MOVE.iter().position(|flag| *flag == name).map_or(Origin::Table, Origin::Flag),
    };
    TERMINALS.iter().map(|terminal| origin(terminal.name)).collect()
});

impl Source for ArenaSource<'_> {
    #[inline]
    fn number(&mut self, terminal: usize) -> f64 {
        let Node { state, g, last, siblings } = *self.node;
        match ORIGINS[terminal] {
            Origin::Table => self.arena.number(*state, terminal),
            Origin::Flag(bit) => f64::from(last.is_some_and(|last| last.flag(bit))),
            Origin::PathLength => f64::from(g),
            Origin::PhaseByDistance => phase(g, self.arena.number(*state, GOAL_DISTANCE)),
            Origin::PhaseByBlockers => phase(g, self.arena.number(*state, BLOCKERS_LOWER_BOUND)),
            Origin::Siblings => f64::from(siblings),
            Origin::Difficulty => self.arena.difficulty(),
        }
    }
}

/// The places of H1 and H2 among the terminals.
const BLOCKERS_LOWER_BOUND: usize = 0;
const GOAL_DISTANCE: usize = 1;
