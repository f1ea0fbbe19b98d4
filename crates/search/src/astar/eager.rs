//! Best-first search that evaluates states as they are generated.

use super::AStarOptions;
use super::neighbourhood::Neighbourhood;
use super::novelty::NoveltyTable;
use super::open_list::{MoveRange, OpenEntry, OpenList};
use crate::heuristic::estimate;
use crate::search_space::SearchSpace;
use crate::successor_graph::SuccessorGraph;
use crate::{Domain, Heuristic, Limit, Node, Search, SearchStatistics, Verdict};

/// Best-first search that evaluates states as they are generated.
pub(super) struct EagerSearch<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: H,
    options: AStarOptions,
    space: SearchSpace<D>,
    /// Status by node.
    statuses: Vec<NodeStatus>,
    open: OpenList,
    /// Expanded states and their successors, if the shortcut is enabled.
    graph: Option<SuccessorGraph>,
    /// What moves have reached, if novelty is enabled.
    novelty: Option<NoveltyTable>,
    /// The states around the plan, once there is one and it is to be improved.
    neighbourhood: Option<Neighbourhood>,
    /// Number of nodes with the status `Open`.
    open_nodes: u64,
    /// Largest f-value of an expanded state so far.
    largest_f: f64,
    /// Lowest estimate so far.
    lowest_h: f64,
    /// Estimate of the start.
    start_estimate: f64,
    scratch: Scratch<D>,
    statistics: SearchStatistics,
    solution: Option<Vec<D::Move>>,
}

/// Memory of an expansion, kept for the next one.
struct Scratch<D: Domain> {
    moves: Vec<D::Move>,
    /// Keys of the successors.
    keys: Vec<D::Key>,
    /// Whether each move is preferred.
    preferred: Vec<bool>,
    /// Variables of a successor.
    variables: Vec<u8>,
}

impl<D: Domain> Default for Scratch<D> {
    fn default() -> Self {
        Scratch { moves: Vec::new(), keys: Vec::new(), preferred: Vec::new(), variables: Vec::new() }
    }
}

/// Status of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeStatus {
    /// In the open list.
    Open,
    /// Expanded.
    Closed,
    /// Neither, because its estimate is infinite. If the estimate depends on the path, it may still be opened later.
    DeadEnd,
}

impl<'a, D: Domain, H: Heuristic<D>> EagerSearch<'a, D, H> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D, heuristic: H, options: AStarOptions) -> Self {
        let start = domain.start();
        let mut search = EagerSearch {
            domain,
            heuristic,
            options,
            space: SearchSpace::new(domain.key(&start)),
            statuses: vec![NodeStatus::DeadEnd],
            open: OpenList::new(options.ties),
            graph: (options.shortcut || options.neighbourhood > 0).then(SuccessorGraph::default),
            neighbourhood: None,
            novelty: (options.novelty > 0).then(|| NoveltyTable::new(options.novelty)),
            open_nodes: 0,
            largest_f: f64::NEG_INFINITY,
            lowest_h: f64::INFINITY,
            start_estimate: 0.0,
            scratch: Scratch::default(),
            statistics: SearchStatistics { generated: 1, ..SearchStatistics::default() },
            solution: None,
        };
        let node = Node { state: &start, g: 0, last: None, siblings: 0 };
        search.start_estimate = search.evaluate(&node);
        search.add_goal(0, &start);
        search.push(0, 0, search.start_estimate, false, false);
        search.statistics.peak_open = search.open_nodes;
        search
    }

    /// Evaluates a state.
    fn evaluate(&mut self, node: &Node<'_, D>) -> f64 {
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

    /// Adds a state with its estimate to the open list, unless it is a dead end.
    fn push(&mut self, number: u32, g: u32, h: f64, is_preferred: bool, is_novel: bool) {
        if h == f64::INFINITY {
            return;
        }
        let f = if self.options.greedy { h } else { f64::from(g) + self.options.weight * h };
        self.open_nodes += 1;
        self.statuses[number as usize] = NodeStatus::Open;
        let entry = OpenEntry::new(number, g, h, f, MoveRange::STATE);
        self.open.push(entry, is_novel);
        if is_preferred {
            self.open.push_preferred(entry, is_novel);
        }
    }

    /// Removes the best state from the open list.
    fn pop(&mut self) -> Option<OpenEntry> {
        let (statuses, space) = (&self.statuses, &self.space);
        let entry = self.open.pop(|entry| is_current(statuses, space, entry));
        self.open.end_turn();
        entry
    }

    /// Marks a state as the end of a path for the shortcut, if it is a goal.
    #[inline]
    fn add_goal(&mut self, number: u32, state: &D::State) {
        if let Some(graph) = self.graph.as_mut().filter(|_| self.domain.is_goal(state)) {
            graph.add_goal(number);
        }
    }

    /// Returns the path found to a goal, or a shorter one through expanded states.
    fn path_to(&self, goal: u32) -> Vec<D::Move> {
        let found = self.space.path(goal);
        let shorter = self.graph.as_ref().and_then(|graph| graph.shortcut(self.domain, &self.space, found.len()));
        shorter.unwrap_or(found)
    }

    /// Generates and evaluates the successors of a state.
    fn expand(&mut self, number: u32, g: u32, state: &mut D::State) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.moves.clear();
        self.domain.moves_in(self.options.order, state, &mut scratch.moves);
        scratch.preferred.clear();
        scratch.preferred.resize(scratch.moves.len(), false);
        if self.options.preferred {
            self.heuristic.mark_preferred(self.domain, state, &scratch.moves, &mut scratch.preferred);
        }
        if let Some(novelty) = &mut self.novelty {
            novelty.set_state(|values| self.domain.variables(state, values));
        }
        let siblings = scratch.moves.len() as u32;
        scratch.keys.clear();
        scratch.keys.extend(scratch.moves.iter().map(|&mv| self.domain.key_after(state, mv)));
        self.space.prepare(&scratch.keys);
        for (i, (&mv, &key)) in scratch.moves.iter().zip(&scratch.keys).enumerate() {
            let (child, is_better) = self.generate(number, g + 1, mv, key);
            if let Some(graph) = &mut self.graph {
                graph.add(child);
            }
            if !is_better {
                continue;
            }
            self.domain.apply(state, mv);
            let h = self.evaluate(&Node { state, g: g + 1, last: Some(mv), siblings });
            let mut is_novel = false;
            if let Some(novelty) = self.novelty.as_mut().filter(|_| h < f64::INFINITY) {
                scratch.variables.clear();
                self.domain.variables(state, &mut scratch.variables);
                is_novel = novelty.insert(&scratch.variables, h);
            }
            if h < f64::INFINITY {
                self.add_goal(child, state);
            }
            self.domain.undo(state, mv);
            self.push(child, g + 1, h, scratch.preferred[i], is_novel);
        }
        if let Some(graph) = &mut self.graph {
            graph.finish_node(number, scratch.moves.len());
        }
        self.scratch = scratch;
    }

    /// Generates a successor. Returns its number, and whether it belongs in the open list: if it is new or reached by a shorter
    /// path.
    #[inline]
    fn generate(&mut self, parent: u32, g: u32, mv: D::Move, key: D::Key) -> (u32, bool) {
        self.statistics.generated += 1;
        let (node, new) = self.space.insert(key, parent, g, Some(mv));
        if new {
            self.statuses.push(NodeStatus::DeadEnd);
            return (node, true);
        }
        let known = self.space.get_mut(node);
        if known.g <= g || !self.options.reopen {
            self.statistics.duplicates += 1;
            return (node, false);
        }
        (known.g, known.parent, known.last) = (g, parent, Some(mv));
        match std::mem::replace(&mut self.statuses[node as usize], NodeStatus::DeadEnd) {
            NodeStatus::Open => self.open_nodes -= 1,
            NodeStatus::Closed => self.statistics.reopened += 1,
            NodeStatus::DeadEnd => {}
        }
        (node, true)
    }
}

/// Returns whether an entry of the open list is not outdated.
#[inline]
fn is_current<D: Domain>(statuses: &[NodeStatus], space: &SearchSpace<D>, entry: &OpenEntry) -> bool {
    statuses[entry.node as usize] == NodeStatus::Open && entry.g == space.get(entry.node).g
}

impl<D: Domain, H: Heuristic<D>> Search<D> for EagerSearch<'_, D, H> {
    fn step(&mut self) -> Option<Verdict> {
        if self.space.is_full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        if let (Some(neighbourhood), Some(graph), Some(plan)) =
            (&mut self.neighbourhood, &mut self.graph, &mut self.solution)
        {
            let is_done = neighbourhood.step(self.domain, &mut self.space, graph, plan, &mut self.statistics);
            return is_done.then_some(Verdict::Solved);
        }
        let Some(OpenEntry { f, node, g, .. }) = self.pop() else { return Some(Verdict::Unsolvable) };
        self.open_nodes -= 1;
        self.statuses[node as usize] = NodeStatus::Closed;
        if f > self.largest_f {
            self.largest_f = f;
            self.statistics.until_last_jump = if self.options.greedy { 0 } else { self.statistics.expanded };
        }
        let mut state = self.domain.state(self.space.get(node).key);
        self.statistics.goal_tests += 1;
        if self.domain.is_goal(&state) {
            self.solution = Some(self.path_to(node));
            self.neighbourhood = Neighbourhood::new(self.options.neighbourhood);
            return if self.neighbourhood.is_some() { None } else { Some(Verdict::Solved) };
        }
        self.statistics.expanded += 1;
        self.expand(node, g, &mut state);
        self.statistics.peak_open = self.statistics.peak_open.max(self.open_nodes);
        None
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        let graph = self.graph.as_ref().map_or(0, SuccessorGraph::memory_usage);
        let novelty = self.novelty.as_ref().map_or(0, NoveltyTable::memory_usage);
        let lists = self.statuses.capacity() + self.open.memory_usage();
        let neighbourhood = self.neighbourhood.as_ref().map_or(0, Neighbourhood::memory_usage);
        self.space.memory_usage() + lists + graph + novelty + neighbourhood + self.heuristic.memory_usage()
    }

    fn memory_usage_soon(&self) -> usize {
        let graph =
            self.graph.as_ref().map_or(0, |graph| graph.memory_usage_soon(self.space.len()) - graph.memory_usage());
        self.memory_usage() + self.space.memory_usage_soon() - self.space.memory_usage() + graph
    }

    /// With an admissible heuristic and reopening, the open list always contains a state of an optimal solution with its
    /// optimal g. So no solution is shorter than the minimum g + h of the open list or, in the order of A*, than the largest
    /// f-value expanded so far.
    fn lower_bound(&self, admissible: bool) -> u32 {
        let tested = u32::from(self.statistics.expanded > 0);
        if !admissible {
            return tested;
        }
        let mut proven = self.start_estimate;
        if self.options.reopen {
            let open = self.open.entries().filter(|entry| is_current(&self.statuses, &self.space, entry));
            let least = open.map(|entry| f64::from(entry.g) + entry.h).fold(f64::INFINITY, f64::min);
            proven = proven.max(if least.is_finite() { least } else { 0.0 });
            if self.options.is_in_order() {
                proven = proven.max(self.largest_f);
            }
        }
        let found = self.solution.as_ref().map_or(u32::MAX, |solution| solution.len() as u32);
        // The cast saturates.
        tested.max(proven.ceil() as u32).min(found)
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.solution.clone()
    }
}
