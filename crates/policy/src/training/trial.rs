//! A policy put to the test on one board: one search.

use super::arena::{Arena, LAST_MOVE};
use crate::terminals::TERMINALS;
use crate::{Program, Source};
use clearway_rush::heuristics::phase;
use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::deepening::{Deepening, DeepeningOptions, Guide, Memo};
use clearway_search::{Domain, Heuristic, Limits, Node, Search, Verdict, Zero, run};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a policy guides the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guidance {
    /// IDA*: successors are searched in the order of the policy's numbers.
    IdaOrder,
    /// IDA*: what the path and the policy's number exceed the bound with is cut.
    IdaPrune,
    /// IDA*: both.
    #[default]
    IdaBoth,
    /// Best first, by the length of the path and a multiple of the policy's number.
    Wastar,
    /// Best first, by the policy's number alone.
    Greedy,
}

/// The search that a policy guides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SearchOptions {
    /// How.
    pub guidance: Guidance,
    /// By how much the bound of IDA* grows.
    pub increment: u32,
    /// What that increment is multiplied with each time the bound has grown.
    pub growth: f64,
    /// Whether IDA* keeps its table from one bound to the next.
    pub memo_kept: bool,
    /// Whether IDA* searches a state again under the same bound if it is reached by a shorter way. Best-first search never
    /// does.
    pub reopen: bool,
    /// Whether IDA* takes, at the end, the shortest way through what its table holds as expanded. Best-first search always does.
    pub shortcut: bool,
    /// What weighted A* multiplies the policy's number with.
    pub weight: f64,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            guidance: Guidance::default(),
            increment: 5,
            growth: 1.0,
            memo_kept: false,
            reopen: true,
            shortcut: false,
            weight: 1.0,
        }
    }
}

/// As an algorithm of the laboratory, in which `policy` stands for the policy.
impl fmt::Display for SearchOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let guide = match self.guidance {
            Guidance::IdaOrder => "order",
            Guidance::IdaPrune => "prune",
            Guidance::IdaBoth => "both",
            Guidance::Wastar => return write!(f, "wastar(policy, weight={})", self.weight),
            Guidance::Greedy => return f.write_str("greedy(policy)"),
        };
        let growth = if self.growth > 1.0 { format!(", growth={}", self.growth) } else { String::new() };
        let memo = if self.memo_kept { ", memo=kept" } else { "" };
        let reopen = if self.reopen { "" } else { ", reopen=no" };
        let shortcut = if self.shortcut { ", shortcut=yes" } else { "" };
        write!(f, "ida(policy, {guide}, increment={}{growth}{memo}{reopen}{shortcut})", self.increment)
    }
}

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

impl SearchOptions {
    /// Searches a board guided by a policy, expanding at most so many states.
    pub fn trial(&self, arena: &Arena, program: &Program, scratch: &mut Scratch, nodes: u64) -> Trial {
        let guide = Guided { program, scratch };
        guide.scratch.prepare(program.values(), arena.states());
        match self.guidance {
            Guidance::Wastar | Guidance::Greedy => {
                let greedy = self.guidance == Guidance::Greedy;
                let options = AStarOptions { weight: self.weight, greedy, reopen: false, shortcut: true };
                outcome(&mut AStar::new(arena, guide, options), nodes)
            }
            Guidance::IdaOrder => self.deepen(arena, Guide::Order, guide, nodes),
            Guidance::IdaPrune => self.deepen(arena, Guide::Prune, guide, nodes),
            Guidance::IdaBoth => self.deepen(arena, Guide::Both, guide, nodes),
        }
    }

    fn deepen(&self, arena: &Arena, how: Guide, guide: Guided<'_>, nodes: u64) -> Trial {
        let memo = if self.memo_kept { Memo::Kept } else { Memo::Cleared };
        let SearchOptions { increment, growth, reopen, shortcut, .. } = *self;
        let options = DeepeningOptions { increment, growth, guide: how, memo, reopen, shortcut };
        outcome(&mut Deepening::new(arena, Some(guide), options), nodes)
    }

    /// Whether the policy's number at the start sets the first bound.
    pub fn sets_bound(&self) -> bool {
        matches!(self.guidance, Guidance::IdaPrune | Guidance::IdaBoth)
    }

    /// Whether only the order of the policy's numbers counts, not the numbers themselves.
    pub fn by_rank(&self) -> bool {
        matches!(self.guidance, Guidance::IdaOrder | Guidance::Greedy)
    }
}

/// The search that savings are measured against: iterative deepening without a heuristic, in steps of 5.
pub fn baseline(arena: &Arena, nodes: u64) -> Trial {
    let options = DeepeningOptions { increment: 5, ..DeepeningOptions::default() };
    outcome(&mut Deepening::new(arena, None::<Zero>, options), nodes)
}

fn outcome(search: &mut impl Search<Arena>, nodes: u64) -> Trial {
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
