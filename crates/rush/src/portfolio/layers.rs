//! The engine that works with layered SAT: finds plans, shortens them, and proves bounds.

use super::engine::{Engine, Report, Slice, verified};
use super::known::{EngineName, Finding, Knowledge};
use super::subset::search_subset;
use crate::layers::{Layers, LayersAnswer, SatBudget};
use crate::plan::{self, Plan};
use crate::{Board, Metric, Solution};
use clearway_search::{Limit, LimitChecker, Limits, SearchStatistics};

/// Name of this engine.
pub(super) const NAME: EngineName = "layers";
/// Name of the proofs by a subset of the vehicles.
const SUBSET: EngineName = "subset";

/// Conflicts spent on a number of layers, for each of them, before more layers are tried.
const CONFLICTS_PER_LAYER: u64 = 100;
/// Conflicts spent on the attack on a plan with fewer layers than it may have moves.
const CONFLICTS_PER_ATTACK: u64 = 5_000;
/// Number of literals beyond which a conflict counts twice, then three times, and so on.
const LARGE_FORMULA: usize = 1_000_000;
/// Conflicts spent on one window of a plan.
const CONFLICTS_PER_WINDOW: u64 = 500;
/// Number of slides in the first windows.
const WINDOW: usize = 12;
/// Number of layers tried first.
const FIRST_DEPTH: usize = 4;
/// Number of layers that is not exceeded in the search for a first plan.
const MAX_DEPTH: usize = 256;
/// Number of layers without a plan from which a board is suspected to be unsolvable.
const SUSPICIOUS_DEPTH: usize = 20;
/// Nodes expanded to prove the first subset unsolvable. A first plan, which is more likely, waits for them.
const SUBSET_NODES: u64 = 1 << 17;

pub(super) struct LayersEngine<'a> {
    board: &'a Board,
    search: Search,
    /// The next search for an unsolvable subset: the number of layers without a plan from which it is worthwhile, and its nodes.
    next_subset: (usize, u64),
    /// Refutation of lengths from below, once the attack on the plan takes long.
    from_below: Option<FromBelow>,
    /// In steps: whether the plan has been shortened before the first attack on it.
    is_shortened: bool,
}

/// What the engine is doing.
enum Search {
    /// Searching for a first plan, with more and more layers.
    First(Box<Layers>),
    /// Searching for a plan shorter than the best with a number of layers.
    Shorter { layers: Option<Box<Layers>>, depth: usize },
}

/// Refutation of a length with as many layers.
struct FromBelow {
    layers: Box<Layers>,
    length: u32,
}

/// Why the work of a round ended.
enum End {
    /// The effort is used up.
    Effort,
    /// A limit of the search was reached.
    Limit(Limit),
    /// Nothing is left to do for the stop rule.
    Settled,
}

impl<'a> LayersEngine<'a> {
    pub fn new(board: &'a Board) -> LayersEngine<'a> {
        // Any plan will do first, so that nothing needs to be counted in steps.
        let search = Search::First(Box::new(Layers::new(board, Metric::Moves)));
        LayersEngine {
            board,
            search,
            next_subset: (SUSPICIOUS_DEPTH, SUBSET_NODES),
            from_below: None,
            is_shortened: false,
        }
    }
}

impl Engine for LayersEngine<'_> {
    fn run(&mut self, known: &Knowledge, limits: &Limits, report: &mut Report) -> Slice {
        let conflicts = limits.nodes.unwrap_or(u64::MAX);
        // The SAT solver does not expand nodes.
        let limits = Limits { nodes: None, ..limits.clone() };
        let checker = limits.checker();
        let mut work = Work {
            known: known.clone(),
            limits: &limits,
            checker: &checker,
            left: conflicts,
            statistics: SearchStatistics::default(),
            memory: 0,
            report,
        };
        let end = self.work(&mut work);
        Slice {
            statistics: work.statistics,
            memory: work.memory,
            exhausted: match end {
                End::Limit(limit @ (Limit::Memory | Limit::Incomplete)) => Some(limit),
                _ => None,
            },
        }
    }
}

/// The work of one round.
struct Work<'w, 'r> {
    known: Knowledge,
    limits: &'w Limits,
    checker: &'w LimitChecker<'w>,
    /// Conflicts left.
    left: u64,
    statistics: SearchStatistics,
    memory: usize,
    report: &'w mut Report<'r>,
}

impl Work<'_, '_> {
    fn find(&mut self, finding: Finding) {
        self.find_by(finding, NAME);
    }

    fn find_by(&mut self, finding: Finding, name: EngineName) {
        self.known.add(&finding, name);
        (self.report)(finding, name);
    }

    /// The limits, where other layers hold some memory already.
    fn budget(&self, held: usize) -> SatBudget<'_> {
        SatBudget { checker: self.checker, held }
    }

    /// Creates layers and a counter of the length of plans.
    fn build(&self, mut layers: Layers, depth: u32, length: u32, held: usize) -> Result<Box<Layers>, Limit> {
        let budget = self.budget(held);
        layers.grow(depth as usize, &budget)?;
        layers.count(length as usize, &budget)?;
        Ok(Box::new(layers))
    }

    /// Asks for a plan of at most a length and accounts for the conflicts.
    fn decide(&mut self, layers: &mut Layers, held: usize, length: Option<u32>, conflicts: u64) -> LayersAnswer {
        let before = layers.conflicts();
        let conflicts = conflicts.min(self.left);
        let answer = layers.decide(length.map(|length| length as usize), conflicts, &self.budget(held));
        let spent = layers.conflicts() - before;
        self.statistics.conflicts += spent;
        // Even an answer without conflicts takes some time, and conflicts of a large formula take longer.
        let weight = 1 + (layers.literals() / LARGE_FORMULA) as u64;
        self.left = self.left.saturating_sub(spent.max(10).saturating_mul(weight));
        self.memory = self.memory.max(held + layers.memory_usage());
        answer
    }

    fn found(&mut self, board: &Board, plan: Plan) -> Plan {
        let plan = plan::tidy(board, plan, self.known.metric);
        self.find(Finding::Plan(verified(board, Solution(plan::to_moves(board, &plan)), NAME)));
        plan
    }
}

impl LayersEngine<'_> {
    fn work(&mut self, work: &mut Work) -> End {
        loop {
            if work.known.is_settled() {
                return End::Settled;
            }
            let Some(length) = work.known.length() else {
                match self.search_first(work) {
                    Some(end) => return end,
                    None => continue,
                }
            };
            if let Search::First(layers) = &self.search {
                // Another engine may have found the plan, in which case the layers so far may have none.
                let depth = layers.layers().max(FIRST_DEPTH).min(length as usize);
                self.search = Search::Shorter { layers: None, depth };
            }
            if work.known.metric == Metric::Steps && !self.is_shortened {
                // The formulas for windows, and for moves, are much smaller than those for the steps of the whole plan.
                self.is_shortened = true;
                if let Some(end) = self.reduce_moves(work).or_else(|| self.shorten(work)) {
                    return end;
                }
                continue;
            }
            // Most of the effort goes into the attack on the best plan, which improves and proves at the same time.
            let reserve = work.left / 4;
            work.left -= reserve;
            let end = self.attack(work);
            work.left += reserve;
            match end {
                Some(End::Effort) => {
                    if let Some(end) = self.raise_bound(work, reserve / 2).or_else(|| self.shorten(work)) {
                        return end;
                    }
                    if !work.known.is_settled() {
                        return End::Effort;
                    }
                }
                // Without the layers that refute from below there may be room enough.
                Some(End::Limit(Limit::Memory)) if self.from_below.take().is_some() => {}
                Some(end @ End::Limit(Limit::Memory)) => {
                    self.search = Search::Shorter { layers: None, depth: FIRST_DEPTH };
                    self.shorten(work);
                    return end;
                }
                Some(end) => return end,
                None => {}
            }
        }
    }

    /// Searches for a first plan with the next number of layers. Returns why the round ends, if it does.
    fn search_first(&mut self, work: &mut Work) -> Option<End> {
        let Search::First(layers) = &mut self.search else { return Some(End::Effort) };
        if self.board.is_solved() {
            work.find(Finding::Plan(Solution(Vec::new())));
            return None;
        }
        if layers.is_hopeless() {
            work.find(Finding::Unsolvable);
            return None;
        }
        if work.left == 0 {
            return Some(End::Effort);
        }
        if layers.layers() < MAX_DEPTH {
            let depth = next_depth(layers.layers());
            if let Err(limit) = layers.grow(depth.min(MAX_DEPTH), &work.budget(0)) {
                return Some(End::Limit(limit));
            }
        }
        let depth = layers.layers();
        let conflicts = if depth < MAX_DEPTH { CONFLICTS_PER_LAYER * depth as u64 } else { work.left };
        match work.decide(layers, 0, None, conflicts) {
            LayersAnswer::Plan(plan) => {
                work.found(self.board, plan);
            }
            LayersAnswer::None => {
                // A plan of as many moves as layers would fit into them.
                work.find(Finding::Bound(depth as u32 + 1));
                let (suspicious, nodes) = self.next_subset;
                if depth >= suspicious {
                    self.next_subset = (2 * depth, 8 * nodes);
                    self.refute_subset(depth, nodes, work);
                }
                if depth >= MAX_DEPTH {
                    return Some(End::Limit(Limit::Incomplete));
                }
            }
            LayersAnswer::Unknown => {}
            LayersAnswer::Stopped(limit) => return Some(End::Limit(limit)),
        }
        None
    }

    /// Looks for a few vehicles that leave no solution, with a number of layers in which there is no plan.
    fn refute_subset(&self, depth: usize, nodes: u64, work: &mut Work) {
        let most = work.known.has_node_limit.then_some(work.left);
        let limits = Limits { nodes: most, ..work.limits.remaining_after(work.checker.elapsed()) };
        let outcome = search_subset(self.board, depth, nodes, work.known.metric, &limits, self.search_memory());
        work.statistics.add(&outcome.statistics);
        work.memory = work.memory.max(outcome.memory);
        // Without a limit on nodes, they are not part of the effort, which is a number of conflicts.
        let nodes = if work.known.has_node_limit { outcome.statistics.expanded } else { 0 };
        work.left = work.left.saturating_sub(outcome.statistics.conflicts + nodes);
        let finding = if outcome.is_unsolvable { Finding::Unsolvable } else { Finding::Bound(outcome.lower_bound) };
        work.find_by(finding, SUBSET);
    }

    /// Searches for a shorter plan until there is none. Returns why the round ends, if it does.
    fn attack(&mut self, work: &mut Work) -> Option<End> {
        let held = self.from_below.as_ref().map_or(0, |below| below.layers.memory_usage());
        let Search::Shorter { layers, depth } = &mut self.search else { return None };
        while !work.known.is_settled() {
            if work.left == 0 {
                return Some(End::Effort);
            }
            let length = work.known.length()?;
            // A plan that is longer than this would not settle anything.
            let most = work.known.stop.sufficient_bound(length) - 1;
            *depth = (*depth).min(most as usize);
            let current = match layers {
                Some(current) => current,
                None => match work.build(Layers::new(self.board, work.known.metric), *depth as u32, length, held) {
                    Ok(built) => layers.insert(built),
                    Err(limit) => return Some(End::Limit(limit)),
                },
            };
            let is_complete = current.layers() >= most as usize;
            let conflicts = if is_complete { u64::MAX } else { CONFLICTS_PER_ATTACK };
            match work.decide(current, held, Some(most), conflicts) {
                LayersAnswer::Plan(plan) => {
                    work.found(self.board, plan);
                }
                LayersAnswer::None if is_complete => work.find(Finding::Bound(most + 1)),
                LayersAnswer::Unknown if is_complete => {}
                LayersAnswer::None | LayersAnswer::Unknown => {
                    *depth = if 2 * *depth >= most as usize { most as usize } else { *depth * 3 / 2 + 2 };
                    *layers = None;
                }
                LayersAnswer::Stopped(limit) => return Some(End::Limit(limit)),
            }
        }
        None
    }

    /// In steps: searches for plans of fewer and fewer moves, which often have fewer steps. Returns the limit that was reached, if
    /// any.
    fn reduce_moves(&mut self, work: &mut Work) -> Option<End> {
        let Search::Shorter { depth, .. } = &self.search else { return None };
        let mut moves = work.known.plan.as_ref()?.0.moves();
        let depth = (*depth as u32).min(moves.saturating_sub(1));
        let mut layers = match work.build(Layers::new(self.board, Metric::Moves), depth, moves, 0) {
            Ok(layers) => layers,
            Err(Limit::Memory) => return None,
            Err(limit) => return Some(End::Limit(limit)),
        };
        while moves > 1 && work.left > 0 && !work.known.is_settled() {
            match work.decide(&mut layers, 0, Some(moves - 1), CONFLICTS_PER_ATTACK) {
                LayersAnswer::Plan(plan) => moves = work.found(self.board, plan).len() as u32,
                LayersAnswer::None | LayersAnswer::Unknown => break,
                LayersAnswer::Stopped(limit) => return Some(End::Limit(limit)),
            }
        }
        None
    }

    /// Refutes lengths from the lower bound upwards, as far as there is memory. Returns the limit that was reached, if any.
    fn raise_bound(&mut self, work: &mut Work, conflicts: u64) -> Option<End> {
        let held = self.search_memory();
        let end = work.left.saturating_sub(conflicts);
        while work.left > end && !work.known.is_settled() {
            let length = work.known.lower_bound.0;
            if self.from_below.as_ref().is_none_or(|below| below.length != length) {
                self.from_below = None;
                let layers = Layers::new(self.board, work.known.metric);
                match work.build(layers, length, length + 1, held) {
                    Ok(layers) => self.from_below = Some(FromBelow { layers, length }),
                    Err(Limit::Memory) => break,
                    Err(limit) => return Some(End::Limit(limit)),
                }
            }
            let Some(below) = &mut self.from_below else { break };
            match work.decide(&mut below.layers, held, Some(length), work.left - end) {
                LayersAnswer::Plan(plan) => {
                    work.found(self.board, plan);
                }
                LayersAnswer::None => work.find(Finding::Bound(length + 1)),
                LayersAnswer::Unknown => {}
                LayersAnswer::Stopped(Limit::Memory) => {
                    self.from_below = None;
                    break;
                }
                LayersAnswer::Stopped(limit) => return Some(End::Limit(limit)),
            }
        }
        None
    }

    /// Memory of the search for a first or a shorter plan, in bytes.
    fn search_memory(&self) -> usize {
        match &self.search {
            Search::First(layers) => layers.memory_usage(),
            Search::Shorter { layers, .. } => layers.as_ref().map_or(0, |layers| layers.memory_usage()),
        }
    }

    /// Shortens the plan: solves windows of it again, from the state at their start to the state at their end. Returns the
    /// limit that was reached, if any.
    fn shorten(&mut self, work: &mut Work) -> Option<End> {
        let held = self.search_memory() + self.from_below.as_ref().map_or(0, |below| below.layers.memory_usage());
        let (solution, _) = work.known.plan.as_ref()?;
        let mut plan = plan::from_moves(self.board, &solution.0);
        let (mut size, mut start, mut is_shorter) = (WINDOW, 0, false);
        while work.left > 0 && !work.known.is_settled() {
            if start >= plan.len() {
                // Larger windows once the plan is as short as these can make it.
                size = if is_shorter { size } else { size * 3 / 2 };
                (start, is_shorter) = (0, false);
            }
            if size >= plan.len() {
                break; // the attack on the whole plan does the same
            }
            let window = start..(start + size).min(plan.len());
            let length = plan::length(&plan[window.clone()], work.known.metric);
            let from = plan::state_after(self.board, &plan[..start]);
            let layers = if window.end == plan.len() {
                Layers::new(&from, work.known.metric)
            } else {
                let to = plan::state_after(self.board, &plan[..window.end]);
                Layers::to_positions(&from, &to, work.known.metric)
            };
            // A plan of fewer steps seldom needs more layers than this one has slides.
            let depth = length.saturating_sub(1).min(window.len() as u32);
            let mut layers = match work.build(layers, depth, length, held) {
                Ok(layers) => layers,
                Err(Limit::Memory) => break,
                Err(limit) => return Some(End::Limit(limit)),
            };
            match work.decide(&mut layers, held, Some(length.saturating_sub(1)), CONFLICTS_PER_WINDOW) {
                LayersAnswer::Plan(part) => {
                    let shorter = [&plan[..start], &part, &plan[window.end..]].concat();
                    plan = work.found(self.board, shorter);
                    is_shorter = true;
                }
                LayersAnswer::None | LayersAnswer::Unknown => start += size / 2,
                LayersAnswer::Stopped(limit) => return Some(End::Limit(limit)),
            }
        }
        None
    }
}

/// Number of layers after a number of layers: a third more.
fn next_depth(depth: usize) -> usize {
    if depth == 0 { FIRST_DEPTH } else { depth + depth / 3 + 2 }
}
