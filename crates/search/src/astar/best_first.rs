//! What best-first search does whenever states are evaluated: the open list, the plan and its improvement, memory and bounds.

use super::AStarOptions;
use super::neighbourhood::Neighbourhood;
use super::novelty::NoveltyTable;
use super::open_list::{OpenEntry, OpenList};
use crate::heuristic::estimate;
use crate::search_space::SearchSpace;
use crate::successor_graph::SuccessorGraph;
use crate::{Domain, Heuristic, Limit, Node, Search, SearchStatistics, Verdict};

/// Best-first search that evaluates states [eagerly](super::eager::Eager) or [later](super::deferred::Deferred).
pub(super) struct BestFirst<'a, D: Domain, H, E> {
    core: Core<'a, D, H>,
    evaluation: E,
}

/// When states are evaluated.
pub(super) trait Evaluation<D: Domain, H> {
    /// Starts a search: adds the start to what is to be expanded, with its estimate.
    fn start(core: &mut Core<'_, D, H>) -> Self;
    /// Expands at most one state.
    fn step(&mut self, core: &mut Core<'_, D, H>) -> Option<Verdict>;
    /// Lower bound on the length of every solution through an entry of the open list, if the heuristic is admissible; `None` if the
    /// entry is outdated.
    fn bound(&self, core: &Core<'_, D, H>, entry: &OpenEntry) -> Option<f64>;
    /// Whether its numbers may run out within the next expansion.
    fn is_full(&self) -> bool;
    /// Bytes held.
    fn memory_usage(&self) -> usize;
}

/// The parts of a search that do not depend on when states are evaluated.
pub(super) struct Core<'a, D: Domain, H> {
    pub domain: &'a D,
    pub heuristic: H,
    pub options: AStarOptions,
    pub space: SearchSpace<D>,
    pub open: OpenList,
    /// Expanded states and their generated successors, if the shortcut is enabled.
    pub graph: Option<SuccessorGraph>,
    /// What moves have reached, if novelty is enabled.
    pub novelty: Option<NoveltyTable>,
    pub statistics: SearchStatistics,
    /// Estimate of the start, which bounds every solution from below if the heuristic is admissible.
    pub start_estimate: f64,
    /// Largest f-value of an expanded state so far.
    largest_f: f64,
    /// Lowest estimate so far.
    lowest_h: f64,
    /// The states around the plan, once there is one and it is to be improved.
    neighbourhood: Option<Neighbourhood>,
    solution: Option<Vec<D::Move>>,
}

impl<D: Domain, H: Heuristic<D>> Core<'_, D, H> {
    /// Evaluates a state.
    pub fn evaluate(&mut self, node: &Node<'_, D>) -> f64 {
        self.statistics.evaluated += 1;
        let h = estimate(&mut self.heuristic, self.domain, node);
        if h < self.lowest_h {
            self.lowest_h = h;
            // The start is not progress.
            if self.options.preferred && node.last.is_some() {
                self.open.boost_preferred();
            }
        }
        h
    }

    /// The value by which the open list is ordered.
    pub fn f(&self, g: u32, h: f64) -> f64 {
        if self.options.greedy { h } else { f64::from(g) + self.options.weight * h }
    }

    /// Records the f-value of a state that is about to be expanded.
    pub fn record_f(&mut self, f: f64) {
        if f > self.largest_f {
            self.largest_f = f;
            self.statistics.until_last_jump = if self.options.greedy { 0 } else { self.statistics.expanded };
        }
    }

    /// Ends the search at a goal, unless the plan is to be improved. The plan is the path found to the goal, or a shorter one through
    /// expanded states.
    pub fn finish(&mut self, goal: u32) -> Option<Verdict> {
        let found = self.space.path(goal);
        let shorter = self.graph.as_ref().and_then(|graph| graph.shortcut(self.domain, &self.space, found.len()));
        self.solution = Some(shorter.unwrap_or(found));
        self.neighbourhood = Neighbourhood::new(self.options.neighbourhood);
        if self.neighbourhood.is_some() { None } else { Some(Verdict::Solved) }
    }
}

impl<'a, D: Domain, H: Heuristic<D>, E: Evaluation<D, H>> BestFirst<'a, D, H, E> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D, heuristic: H, options: AStarOptions) -> Self {
        let start = domain.start();
        let mut core = Core {
            domain,
            heuristic,
            options,
            space: SearchSpace::new(domain.key(&start)),
            open: OpenList::new(options.ties),
            graph: (options.shortcut || options.neighbourhood > 0).then(SuccessorGraph::default),
            novelty: (options.novelty > 0).then(|| NoveltyTable::new(options.novelty)),
            statistics: SearchStatistics { generated: 1, ..SearchStatistics::default() },
            start_estimate: 0.0,
            largest_f: f64::NEG_INFINITY,
            lowest_h: f64::INFINITY,
            neighbourhood: None,
            solution: None,
        };
        core.start_estimate = core.evaluate(&Node { state: &start, g: 0, last: None, siblings: 0 });
        let evaluation = E::start(&mut core);
        BestFirst { core, evaluation }
    }
}

impl<D: Domain, H: Heuristic<D>, E: Evaluation<D, H>> Search<D> for BestFirst<'_, D, H, E> {
    fn step(&mut self) -> Option<Verdict> {
        let core = &mut self.core;
        if core.space.is_full() || self.evaluation.is_full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        if let (Some(neighbourhood), Some(graph), Some(plan)) =
            (&mut core.neighbourhood, &mut core.graph, &mut core.solution)
        {
            let is_done = neighbourhood.step(core.domain, &mut core.space, graph, plan, &mut core.statistics);
            return is_done.then_some(Verdict::Solved);
        }
        self.evaluation.step(core)
    }

    fn statistics(&self) -> SearchStatistics {
        self.core.statistics
    }

    fn memory_usage(&self) -> usize {
        let core = &self.core;
        let graph = core.graph.as_ref().map_or(0, SuccessorGraph::memory_usage);
        let novelty = core.novelty.as_ref().map_or(0, NoveltyTable::memory_usage);
        let neighbourhood = core.neighbourhood.as_ref().map_or(0, Neighbourhood::memory_usage);
        let lists = self.evaluation.memory_usage() + core.open.memory_usage();
        core.space.memory_usage() + lists + graph + novelty + neighbourhood + core.heuristic.memory_usage()
    }

    fn memory_usage_soon(&self) -> usize {
        let Core { space, graph, .. } = &self.core;
        let graph = graph.as_ref().map_or(0, |graph| graph.memory_usage_soon(space.len()) - graph.memory_usage());
        self.memory_usage() + space.memory_usage_soon() - space.memory_usage() + graph
    }

    /// With an admissible heuristic and reopening, an optimal solution always passes through an entry of the open list, with an
    /// optimal path to it. So no solution is shorter than the minimum [bound](Evaluation::bound) of an entry or, in the order of A*,
    /// than the largest f-value expanded so far.
    fn lower_bound(&self, admissible: bool) -> u32 {
        let core = &self.core;
        let tested = u32::from(core.statistics.expanded > 0);
        if !admissible {
            return tested;
        }
        let mut proven = core.start_estimate;
        if core.options.reopen {
            let bounds = core.open.entries().filter_map(|entry| self.evaluation.bound(core, entry));
            let least = bounds.fold(f64::INFINITY, f64::min);
            proven = proven.max(if least.is_finite() { least } else { 0.0 });
            if core.options.is_in_order() {
                proven = proven.max(core.largest_f);
            }
        }
        let found = core.solution.as_ref().map_or(u32::MAX, |solution| solution.len() as u32);
        // The cast saturates.
        tested.max(proven.ceil() as u32).min(found)
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.core.solution.clone()
    }
}
