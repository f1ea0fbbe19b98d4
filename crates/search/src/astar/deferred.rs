//! Best-first search with deferred evaluation, the *lazy* search of Fast Downward.
//!
//! The open list holds moves of expanded states, with the estimates of these states. A move is applied when it is removed from the
//! list, and only then is it known whether its state is new. A search that expands a state for every fifty moves it finds thus
//! looks up and stores a fiftieth of the states that are generated otherwise, which is most of the work on large boards.

use super::AStarOptions;
use super::neighbourhood::Neighbourhood;
use super::novelty::NoveltyTable;
use super::open_list::{MoveRange, OpenEntry, OpenList};
use crate::heuristic::estimate;
use crate::search_space::SearchSpace;
use crate::successor_graph::SuccessorGraph;
use crate::{Domain, Heuristic, Limit, Node, Search, SearchStatistics, Verdict};

/// Best-first search that generates and evaluates states when it is their turn.
pub(super) struct DeferredSearch<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: H,
    options: AStarOptions,
    /// All states that were generated.
    space: SearchSpace<D>,
    /// Whether each state was expanded.
    is_expanded: Vec<bool>,
    open: OpenList,
    /// The moves that entries of the open list refer to.
    moves: Vec<D::Move>,
    /// The last state whose successor was generated, with its number.
    parent: (u32, D::State),
    /// Number of moves of each state, which heuristics may use.
    move_counts: Vec<u16>,
    /// The generated successors, if the shortcut is enabled.
    graph: Option<SuccessorGraph>,
    novelty: Option<NoveltyTable>,
    neighbourhood: Option<Neighbourhood>,
    largest_f: f64,
    lowest_h: f64,
    start_estimate: f64,
    /// Memory of an expansion, kept for the next one: the moves, and whether each is preferred.
    scratch: (Vec<D::Move>, Vec<bool>),
    /// Memory for the variables of a state.
    variables: Vec<u8>,
    statistics: SearchStatistics,
    solution: Option<Vec<D::Move>>,
}

impl<'a, D: Domain, H: Heuristic<D>> DeferredSearch<'a, D, H> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D, heuristic: H, options: AStarOptions) -> Self {
        let start = domain.start();
        let mut search = DeferredSearch {
            domain,
            heuristic,
            options,
            space: SearchSpace::new(domain.key(&start)),
            is_expanded: vec![false],
            open: OpenList::new(options.ties),
            moves: Vec::new(),
            parent: (0, start.clone()),
            move_counts: vec![0],
            graph: (options.shortcut || options.neighbourhood > 0).then(SuccessorGraph::default),
            novelty: (options.novelty > 0).then(|| NoveltyTable::new(options.novelty)),
            neighbourhood: None,
            largest_f: f64::NEG_INFINITY,
            lowest_h: f64::INFINITY,
            start_estimate: 0.0,
            scratch: (Vec::new(), Vec::new()),
            variables: Vec::new(),
            statistics: SearchStatistics { generated: 1, peak_open: 1, ..SearchStatistics::default() },
            solution: None,
        };
        search.start_estimate = search.evaluate(&Node { state: &start, g: 0, last: None, siblings: 0 });
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

    fn f(&self, g: u32, h: f64) -> f64 {
        if self.options.greedy { h } else { f64::from(g) + self.options.weight * h }
    }

    /// Ends the search at a goal, unless the plan is to be improved.
    fn finish(&mut self, goal: u32) -> Option<Verdict> {
        let found = self.space.path(goal);
        if let Some(graph) = &mut self.graph {
            graph.add_goal(goal);
        }
        let shorter = self.graph.as_ref().and_then(|graph| graph.shortcut(self.domain, &self.space, found.len()));
        self.solution = Some(shorter.unwrap_or(found));
        self.neighbourhood = Neighbourhood::new(self.options.neighbourhood);
        if self.neighbourhood.is_some() { None } else { Some(Verdict::Solved) }
    }

    /// Visits a state that is new or reached by a shorter path: tests whether it is a goal, evaluates and expands it.
    fn visit(&mut self, number: u32, node: &Node<'_, D>) -> Option<Verdict> {
        self.statistics.goal_tests += 1;
        self.open.end_turn();
        if self.domain.is_goal(node.state) {
            return self.finish(number);
        }
        let h = if node.last.is_some() { self.evaluate(node) } else { self.start_estimate };
        if h < f64::INFINITY {
            self.is_expanded[number as usize] = true;
            self.expand(number, node, h);
        }
        None
    }

    /// Adds the moves of a state to the open list, except those of the piece that has moved to reach it: they lead to states that
    /// its parent leads to, or back.
    fn expand(&mut self, number: u32, node: &Node<'_, D>, h: f64) {
        self.statistics.expanded += 1;
        let (mut moves, mut is_preferred) = std::mem::take(&mut self.scratch);
        moves.clear();
        self.domain.moves_in(self.options.order, node.state, &mut moves);
        self.move_counts[number as usize] = moves.len().min(u16::MAX.into()) as u16;
        if let Some(last) = node.last {
            moves.retain(|&mv| !self.domain.same_piece(last, mv));
        }
        is_preferred.clear();
        is_preferred.resize(moves.len(), false);
        if self.options.preferred {
            self.heuristic.mark_preferred(self.domain, node.state, &moves, &mut is_preferred);
        }
        let is_novel = self.is_novel(node, h);
        let winning = self.domain.winning_move(node.state);
        let g = node.g + 1;
        for (is_winning, h) in [(false, h), (true, 0.0)] {
            if is_winning && winning.is_none() {
                continue;
            }
            let f = self.f(g, h);
            let is_chosen = |i: usize| (winning == Some(moves[i])) == is_winning;
            let range = self.list(&moves, is_chosen);
            if range.count > 0 {
                self.open.push(OpenEntry::new(number, g, h, f, range), is_novel);
            }
            if self.options.preferred {
                let range = self.list(&moves, |i| is_preferred[i] && is_chosen(i));
                if range.count > 0 {
                    self.open.push_preferred(OpenEntry::new(number, g, h, f, range), is_novel);
                }
            }
        }
        self.statistics.peak_open = self.statistics.peak_open.max(self.open.len());
        self.scratch = (moves, is_preferred);
    }

    /// Returns whether the last move to a state is novel.
    fn is_novel(&mut self, node: &Node<'_, D>, h: f64) -> bool {
        let (Some(novelty), Some(last)) = (&mut self.novelty, node.last) else { return false };
        let mut state = node.state.clone();
        self.variables.clear();
        self.domain.variables(&state, &mut self.variables);
        self.domain.undo(&mut state, last);
        novelty.set_state(|values| self.domain.variables(&state, values));
        novelty.insert(&self.variables, h)
    }

    /// Stores some of the moves for an entry of the open list.
    fn list(&mut self, moves: &[D::Move], is_chosen: impl Fn(usize) -> bool) -> MoveRange {
        let first = self.moves.len() as u32;
        self.moves.extend(moves.iter().enumerate().filter(|&(i, _)| is_chosen(i)).map(|(_, &mv)| mv));
        MoveRange { first, count: self.moves.len() as u32 - first }
    }

    /// Returns whether the numbers of moves may run out within the next expansion.
    fn is_full(&self) -> bool {
        self.space.is_full() || self.moves.len() >= (u32::MAX - (1 << 20)) as usize
    }
}

/// Returns whether the parent of an entry was not reached by a shorter path since.
#[inline]
fn is_current<D: Domain>(space: &SearchSpace<D>, entry: &OpenEntry) -> bool {
    space.get(entry.node).g + 1 == entry.g
}

impl<D: Domain, H: Heuristic<D>> Search<D> for DeferredSearch<'_, D, H> {
    fn step(&mut self) -> Option<Verdict> {
        if self.is_full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        if let (Some(neighbourhood), Some(graph), Some(plan)) =
            (&mut self.neighbourhood, &mut self.graph, &mut self.solution)
        {
            let is_done = neighbourhood.step(self.domain, &mut self.space, graph, plan, &mut self.statistics);
            return is_done.then_some(Verdict::Solved);
        }
        if self.statistics.goal_tests == 0 {
            let start = self.domain.start();
            return self.visit(0, &Node { state: &start, g: 0, last: None, siblings: 0 });
        }
        let space = &self.space;
        let Some(entry) = self.open.pop(|entry| is_current(space, entry)) else { return Some(Verdict::Unsolvable) };
        let OpenEntry { f, node: parent, g, moves, .. } = entry;
        if f > self.largest_f {
            self.largest_f = f;
            self.statistics.until_last_jump = if self.options.greedy { 0 } else { self.statistics.expanded };
        }
        if self.parent.0 != parent {
            self.parent = (parent, self.domain.state(self.space.get(parent).key));
        }
        let mv = self.moves[moves.first as usize];
        self.statistics.generated += 1;
        let key = self.domain.key_after(&mut self.parent.1, mv);
        let (number, is_new) = self.space.insert(key, parent, g, Some(mv));
        if let Some(graph) = &mut self.graph {
            graph.add_edge(parent, number);
        }
        if is_new {
            self.is_expanded.push(false);
            self.move_counts.push(0);
        } else {
            let known = self.space.get_mut(number);
            if known.g <= g || !self.options.reopen {
                self.statistics.duplicates += 1;
                return None;
            }
            (known.g, known.parent, known.last) = (g, parent, Some(mv));
            self.statistics.reopened += u64::from(self.is_expanded[number as usize]);
        }
        let mut state = self.parent.1.clone();
        self.domain.apply(&mut state, mv);
        let siblings = u32::from(self.move_counts[parent as usize]);
        self.visit(number, &Node { state: &state, g, last: Some(mv), siblings })
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        let graph = self.graph.as_ref().map_or(0, SuccessorGraph::memory_usage);
        let novelty = self.novelty.as_ref().map_or(0, NoveltyTable::memory_usage);
        let neighbourhood = self.neighbourhood.as_ref().map_or(0, Neighbourhood::memory_usage);
        let lists = self.is_expanded.capacity()
            + self.move_counts.capacity() * size_of::<u16>()
            + self.moves.capacity() * size_of::<D::Move>()
            + self.open.memory_usage();
        self.space.memory_usage() + lists + graph + novelty + neighbourhood + self.heuristic.memory_usage()
    }

    fn memory_usage_soon(&self) -> usize {
        let graph =
            self.graph.as_ref().map_or(0, |graph| graph.memory_usage_soon(self.space.len()) - graph.memory_usage());
        self.memory_usage() + self.space.memory_usage_soon() - self.space.memory_usage() + graph
    }

    /// With an admissible heuristic and reopening, the open list always contains a move of an optimal solution, of a state that was
    /// reached on an optimal path. So no solution is shorter than the minimum g + h of the states with moves in the open list.
    fn lower_bound(&self, admissible: bool) -> u32 {
        let tested = u32::from(self.statistics.expanded > 0);
        if !admissible {
            return tested;
        }
        let mut proven = self.start_estimate;
        if self.options.reopen {
            let open = self.open.entries().filter(|entry| is_current(&self.space, entry));
            let least = open.map(|entry| f64::from(entry.g - 1) + entry.h).fold(f64::INFINITY, f64::min);
            proven = proven.max(if least.is_finite() { least } else { 0.0 });
        }
        let found = self.solution.as_ref().map_or(u32::MAX, |solution| solution.len() as u32);
        // The cast saturates.
        tested.max(proven.ceil() as u32).min(found)
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.solution.clone()
    }
}
