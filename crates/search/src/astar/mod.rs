//! A* and its relatives: weighted A* and greedy best-first search.
//!
//! The open list is ordered by f = g + weight * h (greedy: h alone). Ties are broken in favour of the lower h, then of the
//! state generated later, or by the order of generation alone. When a shorter path to a state is found, the state returns to the
//! open list, even if it was already expanded; it is evaluated again, because an estimate may depend on the path.
//!
//! Three options for large problems, which may be combined and give up optimality:
//! - *Deferred evaluation*: a state enters the open list with the estimate of its parent and is evaluated when it is expanded.
//!   States that are never expanded cost no evaluation.
//! - *Preferred moves*: states reached by moves that the heuristic recommends are also in a second open list, which alternates
//!   with the first and takes precedence after progress, as in Fast Downward and LAMA.
//! - *Novelty*: states in which a move has reached something new precede all others.
//!
//! At the end, the path found may be replaced by the shortest path through expanded states only. This expands and counts
//! nothing, but takes memory for the successors of every expanded state. With *neighbourhood*, further states around the path are
//! expanded, and counted, to find a still shorter one.
//!
//! Expanded: states whose successors were generated, including repeated expansions. Generated: the start and all successors.
//! Evaluated: the start, new states, and states to which a shorter path was found; with deferred evaluation, the start and
//! those of these states that are removed from the open list and are not goals. Goal tests: states removed from the open
//! list, including the goal. Reopened: expanded states returned to the open list. Duplicates: successors generated before and
//! not reached by a shorter path. Open: states in the open list, each counted once.

mod neighbourhood;
mod novelty;
mod open_list;
mod options;

pub use open_list::TieBreaking;
pub use options::AStarOptions;
pub(crate) use options::{ASTAR_INFO, GREEDY_INFO, WASTAR_INFO};

use crate::heuristic::estimate;
use crate::search_space::SearchSpace;
use crate::successor_graph::SuccessorGraph;
use crate::{Domain, Heuristic, Limit, Node, Search, SearchStatistics, Verdict};
use neighbourhood::Neighbourhood;
use novelty::NoveltyTable;
use open_list::{OpenEntry, OpenList};

/// A* search. With an admissible heuristic and the default options, the solution is optimal.
///
/// ```
/// use clearway_search::{Limits, astar::{AStar, AStarOptions}, run};
/// use clearway_search::pancakes::{Gaps, Pancakes};
/// let stack = Pancakes::new(&[3, 1, 4, 2]).unwrap();
/// let outcome = run(&mut AStar::new(&stack, Gaps, AStarOptions::default()), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 4);
/// assert_eq!(outcome.statistics.expanded, 4);
/// ```
pub struct AStar<'a, D: Domain, H> {
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
    /// Number of siblings by node, if evaluation is deferred.
    siblings: Vec<u32>,
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
    /// Variables of the expanded state.
    before: Vec<u8>,
    /// Variables of its successor.
    after: Vec<u8>,
}

impl<D: Domain> Default for Scratch<D> {
    fn default() -> Self {
        Scratch { moves: Vec::new(), keys: Vec::new(), preferred: Vec::new(), before: Vec::new(), after: Vec::new() }
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

impl<'a, D: Domain, H: Heuristic<D>> AStar<'a, D, H> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D, heuristic: H, options: AStarOptions) -> Self {
        let start = domain.start();
        let mut search = AStar {
            domain,
            heuristic,
            options,
            space: SearchSpace::new(domain.key(&start)),
            statuses: vec![NodeStatus::DeadEnd],
            open: OpenList::new(options.ties),
            graph: (options.shortcut || options.neighbourhood > 0).then(SuccessorGraph::default),
            neighbourhood: None,
            novelty: (options.novelty > 0).then(|| NoveltyTable::new(options.novelty)),
            siblings: if options.deferred { vec![0] } else { Vec::new() },
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
        self.open.push(number, g, h, f, is_preferred, is_novel);
    }

    /// Removes the best state from the open list.
    fn pop(&mut self) -> Option<OpenEntry> {
        let (statuses, space) = (&self.statuses, &self.space);
        self.open.pop(|entry| is_current(statuses, space, entry))
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

    /// Starts another round of improvement of the plan. Returns false if nothing is left to do.
    fn start_round(&mut self, is_last: bool) -> bool {
        let (Some(neighbourhood), Some(plan)) = (&mut self.neighbourhood, &self.solution) else { return false };
        let mut state = self.domain.start();
        let mut states = vec![(0, state.clone())];
        for &mv in plan {
            self.domain.apply(&mut state, mv);
            states.extend(self.space.number(&self.domain.key(&state)).map(|number| (number, state.clone())));
        }
        neighbourhood.start_round(self.domain, &states, is_last)
    }

    /// Expands one state around the plan or, at the end of a round, replaces the plan by a shorter one.
    fn improve(&mut self) -> Option<Verdict> {
        let neighbourhood = self.neighbourhood.as_mut()?;
        let Some(number) = neighbourhood.next() else {
            let is_last = neighbourhood.is_last_round();
            let length = self.solution.as_ref().map_or(0, Vec::len);
            let shorter = self.graph.as_ref().and_then(|graph| graph.shortcut(self.domain, &self.space, length));
            let is_improved = shorter.is_some();
            if is_improved {
                self.solution = shorter;
            }
            let goes_on = !is_last && (is_improved && self.start_round(false) || self.start_round(true));
            return if goes_on { None } else { Some(Verdict::Solved) };
        };
        let (key, g) = (self.space.get(number).key, self.space.get(number).g);
        let mut state = self.domain.state(key);
        if !self.domain.is_goal(&state) {
            self.statistics.expanded += 1;
            self.expand_around(number, g, &mut state);
        }
        None
    }

    /// Generates the successors of a state that are in the neighbourhood of the plan.
    fn expand_around(&mut self, number: u32, g: u32, state: &mut D::State) {
        let (Some(neighbourhood), Some(graph)) = (&mut self.neighbourhood, &mut self.graph) else { return };
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.moves.clear();
        self.domain.moves(state, &mut scratch.moves);
        scratch.before.clear();
        self.domain.variables(state, &mut scratch.before);
        let is_recorded = graph.has_successors(number);
        let mut count = 0;
        for &mv in &scratch.moves {
            self.domain.apply(state, mv);
            scratch.after.clear();
            self.domain.variables(state, &mut scratch.after);
            if neighbourhood.allows(&scratch.before, &scratch.after) {
                self.statistics.generated += 1;
                let (child, is_new) = self.space.insert(self.domain.key(state), number, g + 1, Some(mv));
                if is_new {
                    self.statuses.push(NodeStatus::DeadEnd);
                    if self.options.deferred {
                        self.siblings.push(0);
                    }
                    if self.domain.is_goal(state) {
                        graph.add_goal(child);
                    }
                } else {
                    self.statistics.duplicates += 1;
                }
                if !is_recorded {
                    graph.add(child);
                    count += 1;
                }
                neighbourhood.reach(child);
            }
            self.domain.undo(state, mv);
        }
        if !is_recorded {
            graph.finish_node(number, count);
        }
        self.scratch = scratch;
    }

    /// Evaluates a state that is removed from the open list, if evaluation is deferred; else returns 0. Only the start already
    /// has its own estimate.
    fn evaluate_deferred(&mut self, number: u32, g: u32, state: &D::State) -> f64 {
        if !self.options.deferred {
            return 0.0;
        }
        let siblings = self.siblings[number as usize];
        match self.space.get(number).last {
            Some(last) => self.evaluate(&Node { state, g, last: Some(last), siblings }),
            None => self.start_estimate,
        }
    }

    /// Generates the successors of a state. `h` is its estimate if evaluation is deferred.
    fn expand(&mut self, number: u32, g: u32, state: &mut D::State, h: f64) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.moves.clear();
        self.domain.moves_in(self.options.order, state, &mut scratch.moves);
        scratch.preferred.clear();
        scratch.preferred.resize(scratch.moves.len(), false);
        if self.options.preferred {
            self.heuristic.mark_preferred(self.domain, state, &scratch.moves, &mut scratch.preferred);
        }
        if self.novelty.is_some() {
            scratch.before.clear();
            self.domain.variables(state, &mut scratch.before);
        }
        let winning = if self.options.deferred { self.domain.winning_move(state) } else { None };
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
            let is_winning = winning == Some(mv);
            let mut child_h = if is_winning { 0.0 } else { h };
            let mut is_novel = false;
            if self.options.deferred {
                self.siblings[child as usize] = siblings;
            }
            if !self.options.deferred || is_winning || self.novelty.is_some() {
                self.domain.apply(state, mv);
                if !self.options.deferred {
                    child_h = self.evaluate(&Node { state, g: g + 1, last: Some(mv), siblings });
                }
                if let Some(novelty) = self.novelty.as_mut().filter(|_| child_h < f64::INFINITY) {
                    scratch.after.clear();
                    self.domain.variables(state, &mut scratch.after);
                    is_novel = novelty.insert(&scratch.before, &scratch.after, child_h);
                }
                if child_h < f64::INFINITY {
                    self.add_goal(child, state);
                }
                self.domain.undo(state, mv);
            }
            self.push(child, g + 1, child_h, scratch.preferred[i], is_novel);
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
            if self.options.deferred {
                self.siblings.push(0);
            }
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

impl<D: Domain, H: Heuristic<D>> Search<D> for AStar<'_, D, H> {
    fn step(&mut self) -> Option<Verdict> {
        if self.space.is_full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        if self.neighbourhood.is_some() {
            return self.improve();
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
            if self.options.deferred {
                self.add_goal(node, &state);
            }
            self.solution = Some(self.path_to(node));
            self.neighbourhood =
                (self.options.neighbourhood > 0).then(|| Neighbourhood::new(self.options.neighbourhood));
            return if self.start_round(false) { None } else { Some(Verdict::Solved) };
        }
        let h = self.evaluate_deferred(node, g, &state);
        if h == f64::INFINITY {
            self.statuses[node as usize] = NodeStatus::DeadEnd;
            return None;
        }
        self.statistics.expanded += 1;
        self.expand(node, g, &mut state, h);
        self.statistics.peak_open = self.statistics.peak_open.max(self.open_nodes);
        None
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        let graph = self.graph.as_ref().map_or(0, SuccessorGraph::memory_usage);
        let novelty = self.novelty.as_ref().map_or(0, NoveltyTable::memory_usage);
        let lists = self.statuses.capacity() + self.siblings.capacity() * size_of::<u32>() + self.open.memory_usage();
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
    /// f-value expanded so far. With deferred evaluation, h is the estimate of the parent on that solution, whose g is less
    /// by 1.
    fn lower_bound(&self, admissible: bool) -> u32 {
        let tested = u32::from(self.statistics.expanded > 0);
        if !admissible {
            return tested;
        }
        let mut proven = self.start_estimate;
        if self.options.reopen {
            let open = self.open.entries().filter(|entry| is_current(&self.statuses, &self.space, entry));
            let evaluated_g = |g: u32| f64::from(if self.options.deferred { g.saturating_sub(1) } else { g });
            let least = open.map(|entry| evaluated_g(entry.g) + entry.h).fold(f64::INFINITY, f64::min);
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
