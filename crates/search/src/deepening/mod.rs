//! Iterative deepening with a transposition table, as in GP-Rush (Hauptman, Elyasaf, Sipper, Karmon: "GP-Rush: using
//! genetic programming to evolve solvers for the Rush Hour puzzle", 2009); and guided by a heuristic, IDA*.
//!
//! Each iteration is a depth-first search up to a threshold on the solution length. If it fails, the threshold grows by the
//! increment and the search starts over. The increment may itself grow from one iteration to the next, to reduce the number of
//! failing iterations: the idea of DFS* (Rao, Kumar, Korf: "Depth-first versus best-first search", 1991). The first threshold
//! is the increment; if the heuristic prunes, it is the estimate of the start rounded up, but at least the increment. A winning
//! move, or the macro move that GP-Rush describes, is applied as soon as one exists. A search gives up when its threshold has reached 2^30.
//!
//! The table holds, for each generated state, the remaining depth with which it was searched. With reopening, a state is
//! searched again only with a larger remaining depth: when it is reached by a shorter path or (with [`Memo::Kept`]) under a
//! larger threshold. A state is recorded when its search starts. This is sound although its descendants are then pruned where
//! they reach it again: suppose that an iteration fails, but some state has a goal within its recorded depth, and take such a
//! state nearest to a goal. Its successor on the path was recorded with sufficient depth too and is nearer, or is the goal,
//! which would have been found.
//!
//! At the end, the path found may be replaced by the shortest path through expanded states only: those of the last iteration, or
//! of all iterations if the table is kept. This expands and counts nothing, but takes memory for the successors of every
//! expanded state.
//!
//! Without reopening, a state is searched at most once per iteration, even if a shorter path to it is found later; a state that
//! was only pruned may still be searched. An iteration then expands each state at most once, but may fail although a solution
//! within the threshold exists. This pays off where thresholds grow fast.
//!
//! With increment 1, no growth of the increment, reopening, and no heuristic or an admissible one that depends on the state
//! only, the solution is optimal; with other increments it exceeds the optimum by less than the last increment. If every state
//! in the table was expanded, the table is closed under moves, and no goal is reachable.
//!
//! Expanded: states tested for a winning move whose successors were listed, including repeated expansions. Generated: the start
//! of each iteration, and successors; those at the threshold are generated and looked up, but neither evaluated nor expanded.
//! Evaluated: the start and, with [`HeuristicUse::Prune`], successors below the threshold that are not pruned by the table; with
//! [`HeuristicUse::Order`] the same, but all successors of a state at once, before the first of them is searched. Goal tests: the
//! start, and one per expanded state, for a winning move. Reopened: states searched again, for either reason. Duplicates:
//! successors pruned by the table. Open: successors on the current path that are not yet generated. Table size: the largest
//! number of states in the table, which is the number of transpositions of GP-Rush.

mod expanded_graph;
mod options;

pub use options::{DeepeningOptions, HeuristicUse, Memo, NODE_LIMIT};
pub(crate) use options::{ID_INFO, IDA_INFO};

use crate::heuristic::estimate;
use crate::table::StateTable;
use crate::{Domain, Heuristic, Limit, Node, Search, SearchStatistics, Verdict};
use expanded_graph::ExpandedGraph;

/// Iterative deepening: plain without a heuristic, IDA* with one.
///
/// ```
/// use clearway_search::{Limits, Zero, deepening::{IterativeDeepening, DeepeningOptions}, run};
/// use clearway_search::pancakes::{Gaps, Pancakes};
/// let stack = Pancakes::new(&[3, 1, 4, 2]).unwrap();
/// let plain = run(&mut IterativeDeepening::new(&stack, None::<Zero>, DeepeningOptions::default()), &Limits::default());
/// let ida = run(&mut IterativeDeepening::new(&stack, Some(Gaps), DeepeningOptions::default()), &Limits::default());
/// assert_eq!((plain.solution.unwrap().len(), ida.solution.unwrap().len()), (4, 4));
/// assert!(ida.statistics.expanded < plain.statistics.expanded);
/// ```
pub struct IterativeDeepening<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: Option<H>,
    options: DeepeningOptions,
    /// Threshold of the current iteration; 0 before the first.
    threshold: u32,
    /// Next increment of the threshold.
    increment: f64,
    /// Threshold of the last iteration that was completed without a solution; 0 if there is none.
    failed: u32,
    /// Estimate of the start, if the heuristic prunes.
    start_estimate: f64,
    state: D::State,
    /// The expanded nodes on the current path, from the start on.
    frames: Vec<DeepeningFrame<D::Move>>,
    /// The successors of all frames.
    moves: Vec<D::Move>,
    ranked: Vec<(f64, u32, D::Move)>,
    table: StateTable<D::Key, u32>,
    /// Number of states in the table that are neither expanded nor dead ends.
    frontier: u64,
    /// The expanded states and their successors, if the shortcut is enabled.
    graph: Option<ExpandedGraph<D>>,
    /// Peak memory of `graph` in earlier iterations, in bytes.
    peak_graph_bytes: usize,
    /// Number of successors on the stack that are not yet searched.
    open_nodes: u64,
    statistics: SearchStatistics,
    solution: Option<Vec<D::Move>>,
}

/// An expanded node on the current path.
struct DeepeningFrame<M> {
    /// The move that led to it; `None` at the start.
    last: Option<M>,
    /// Its successors, as indices into `moves`.
    first: usize,
    next: usize,
    end: usize,
    /// Number of its successors before any were pruned.
    siblings: u32,
    /// Whether its successors were already generated, looked up and evaluated.
    ranked: bool,
}

// A value of the table is twice the remaining depth, plus 1 (`SETTLED`) if the state is expanded or a dead end.
const NEW: u32 = u32::MAX;
const SETTLED: u32 = 1;
/// Maximum threshold. Only meaningless estimates require a larger one.
const MAX_THRESHOLD: u32 = 1 << 30;

impl<'a, D: Domain, H: Heuristic<D>> IterativeDeepening<'a, D, H> {
    /// Creates a search from the domain's start. Out-of-range options are clamped.
    pub fn new(domain: &'a D, heuristic: Option<H>, options: DeepeningOptions) -> Self {
        let increment = options.increment.clamp(1, MAX_THRESHOLD);
        IterativeDeepening {
            domain,
            heuristic,
            options: DeepeningOptions { increment, growth: options.growth.max(1.0), ..options },
            threshold: 0,
            increment: f64::from(increment),
            failed: 0,
            start_estimate: 0.0,
            state: domain.start(),
            frames: Vec::new(),
            moves: Vec::new(),
            ranked: Vec::new(),
            table: StateTable::new(),
            frontier: 0,
            graph: options.shortcut.then(|| ExpandedGraph::new(domain)),
            peak_graph_bytes: 0,
            open_nodes: 0,
            statistics: SearchStatistics { peak_open: 1, ..SearchStatistics::default() },
            solution: None,
        }
    }

    /// Threshold of the current iteration; 0 before the first.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// Peak number of states in the table.
    fn table_size(&self) -> u64 {
        self.statistics.table_size.max(self.table.len() as u64)
    }

    fn prunes(&self) -> bool {
        self.heuristic.is_some() && self.options.prunes()
    }

    fn orders(&self) -> bool {
        self.heuristic.is_some() && self.options.guide != HeuristicUse::Prune
    }

    /// Evaluates the current state; 0 without a heuristic.
    fn estimate(&mut self, g: u32, last: Option<D::Move>, siblings: u32) -> f64 {
        let Some(heuristic) = &mut self.heuristic else { return 0.0 };
        self.statistics.evaluated += 1;
        estimate(heuristic, self.domain, &Node { state: &self.state, g, last, siblings })
    }

    /// Starts the next iteration, or returns the verdict.
    fn start_iteration(&mut self) -> Option<Verdict> {
        self.failed = self.threshold;
        if self.threshold == 0 {
            self.statistics.generated += 1;
            self.statistics.goal_tests += 1;
            if self.domain.is_goal(&self.state) {
                self.solution = Some(Vec::new());
                return Some(Verdict::Solved);
            }
            let h = if self.prunes() { self.estimate(0, None, 0) } else { 0.0 };
            self.start_estimate = h;
            if h == f64::INFINITY {
                return Some(Verdict::Unsolvable);
            }
            // The cast saturates for large estimates.
            self.threshold = (h.ceil() as u32).clamp(self.options.increment, MAX_THRESHOLD);
        } else if self.frontier == 0 {
            return Some(Verdict::Unsolvable);
        } else if self.threshold == MAX_THRESHOLD {
            return Some(Verdict::Limit(Limit::Incomplete));
        } else {
            // The cast saturates.
            self.threshold = self.threshold.saturating_add(self.increment.round() as u32).min(MAX_THRESHOLD);
            self.increment *= self.options.growth;
            self.statistics.generated += 1;
        }
        if self.options.memo == Memo::Cleared {
            self.statistics.table_size = self.table_size();
            self.table.clear();
            self.frontier = 0;
            let graph_bytes = self.graph.as_ref().map_or(0, ExpandedGraph::memory_usage);
            self.peak_graph_bytes = self.peak_graph_bytes.max(graph_bytes);
            self.graph = self.options.shortcut.then(|| ExpandedGraph::new(self.domain));
        }
        let slot = self.table.slot(self.domain.key(&self.state), NEW);
        self.record(slot, self.threshold);
        self.expand(slot, None, self.threshold)
    }

    /// Returns whether the state in a slot was already searched with at least this remaining depth.
    #[inline]
    fn is_searched(&mut self, slot: usize, left: u32) -> bool {
        let value = *self.table.value_mut(slot);
        value != NEW && value >> 1 >= self.recorded_depth(left)
    }

    /// Depth that is recorded for a search with this remaining depth: without reopening, one search per iteration suffices.
    #[inline]
    fn recorded_depth(&self, left: u32) -> u32 {
        if self.options.reopen { left } else { self.threshold }
    }

    /// Records that a state is searched with this remaining depth, which is larger than before.
    #[inline]
    fn record(&mut self, slot: usize, left: u32) {
        self.set_depth(slot, self.recorded_depth(left));
    }

    /// Records that a state is pruned with this remaining depth. Without reopening, the depth is recorded as 0, so that the
    /// state can still be searched when it is reached by a shorter path.
    #[inline]
    fn record_pruned(&mut self, slot: usize, left: u32) {
        self.set_depth(slot, if self.options.reopen { left } else { 0 });
    }

    #[inline]
    fn set_depth(&mut self, slot: usize, left: u32) {
        let value = self.table.value_mut(slot);
        if *value == NEW {
            self.frontier += 1;
            *value = left << 1;
        } else {
            // A depth of 0 means that the state is not searched now; a state that was never expanded is not reopened.
            self.statistics.reopened += u64::from(self.options.reopen || (left > 0 && *value & SETTLED != 0));
            *value = left << 1 | (*value & SETTLED);
        }
    }

    /// Records that a state is expanded or a dead end.
    #[inline]
    fn settle(&mut self, slot: usize) {
        let value = self.table.value_mut(slot);
        self.frontier -= u64::from(*value & SETTLED == 0);
        *value |= SETTLED;
    }

    /// Evaluates the current state and returns whether it is pruned; if so, records that.
    fn prune(&mut self, slot: usize, left: u32, mv: D::Move, siblings: u32) -> bool {
        let h = self.estimate(self.threshold - left, Some(mv), siblings);
        let is_pruned = h > f64::from(left);
        if is_pruned {
            self.record_pruned(slot, left);
        }
        if h == f64::INFINITY {
            self.settle(slot);
        }
        is_pruned
    }

    /// Expands the current state: solves the problem if there is a winning move, otherwise prepares the successors.
    fn expand(&mut self, slot: usize, last: Option<D::Move>, left: u32) -> Option<Verdict> {
        self.settle(slot);
        self.statistics.expanded += 1;
        self.statistics.goal_tests += 1;
        let win = if self.options.macros {
            self.domain.winning_macro(&self.state)
        } else {
            self.domain.winning_move(&self.state).into_iter().collect()
        };
        if !win.is_empty() {
            self.solution = Some(self.solution_through(last, &win));
            return Some(Verdict::Solved);
        }
        let first = self.moves.len();
        self.domain.moves(&self.state, &mut self.moves);
        if let Some(graph) = &mut self.graph {
            if graph.is_full() {
                return Some(Verdict::Limit(Limit::Memory));
            }
            graph.record(self.domain, &mut self.state, &self.moves[first..]);
        }
        let siblings = (self.moves.len() - first) as u32;
        let ranked = left > 1 && self.orders();
        if ranked {
            self.rank(first, left - 1);
        }
        let end = self.moves.len();
        self.open_nodes += (end - first) as u64;
        self.statistics.peak_open = self.statistics.peak_open.max(self.open_nodes);
        self.frames.push(DeepeningFrame { last, first, next: first, end, siblings, ranked });
        None
    }

    /// Returns the solution that reaches the current state by the move `last` and ends with the moves `win`: along the current
    /// path, or along a shorter one through expanded states.
    fn solution_through(&mut self, last: Option<D::Move>, win: &[D::Move]) -> Vec<D::Move> {
        let found: Vec<D::Move> = self.frames.iter().filter_map(|frame| frame.last).chain(last).collect();
        let key = self.domain.key(&self.state);
        let shorter = self.graph.as_mut().and_then(|graph| graph.shortcut(self.domain, key, found.len()));
        let mut solution = shorter.unwrap_or(found);
        solution.extend_from_slice(win);
        solution
    }

    /// Generates the successors of the current state, drops those that are pruned, and sorts the others by their estimates.
    fn rank(&mut self, first: usize, left: u32) {
        let siblings = (self.moves.len() - first) as u32;
        self.ranked.clear();
        for order in 0..siblings {
            let mv = self.moves[first + order as usize];
            self.statistics.generated += 1;
            let key = self.domain.key_after(&mut self.state, mv);
            if self.table.get(key).is_some_and(|value| value >> 1 >= self.recorded_depth(left)) {
                self.statistics.duplicates += 1;
            } else {
                self.domain.apply(&mut self.state, mv);
                let h = self.estimate(self.threshold - left, Some(mv), siblings);
                if h == f64::INFINITY || (self.prunes() && h > f64::from(left)) {
                    let slot = self.table.slot(key, NEW);
                    self.record_pruned(slot, left);
                    if h == f64::INFINITY {
                        self.settle(slot);
                    }
                } else {
                    self.ranked.push((h, order, mv));
                }
                self.domain.undo(&mut self.state, mv);
            }
        }
        self.ranked.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.moves.truncate(first);
        self.moves.extend(self.ranked.iter().map(|&(_, _, mv)| mv));
    }
}

impl<D: Domain, H: Heuristic<D>> Search<D> for IterativeDeepening<'_, D, H> {
    fn step(&mut self) -> Option<Verdict> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end {
                let last = frame.last;
                self.moves.truncate(frame.first);
                self.frames.pop();
                if let Some(mv) = last {
                    self.domain.undo(&mut self.state, mv);
                }
                continue;
            }
            let (mv, siblings, ranked) = (self.moves[frame.next], frame.siblings, frame.ranked);
            frame.next += 1;
            self.open_nodes -= 1;
            let left = self.threshold - self.frames.len() as u32;
            self.statistics.generated += u64::from(!ranked);
            let key = self.domain.key_after(&mut self.state, mv);
            let slot = self.table.slot(key, NEW);
            if self.is_searched(slot, left) {
                self.statistics.duplicates += 1;
                continue;
            }
            if left == 0 {
                self.record_pruned(slot, left);
                continue;
            }
            self.domain.apply(&mut self.state, mv);
            if !ranked && self.prunes() && self.prune(slot, left, mv, siblings) {
                self.domain.undo(&mut self.state, mv);
                continue;
            }
            self.record(slot, left);
            return self.expand(slot, Some(mv), left);
        }
        self.start_iteration()
    }

    fn statistics(&self) -> SearchStatistics {
        SearchStatistics { table_size: self.table_size(), ..self.statistics }
    }

    fn memory_usage(&self) -> usize {
        let frames = self.frames.capacity() * size_of::<DeepeningFrame<D::Move>>();
        let graph = self.graph.as_ref().map_or(0, ExpandedGraph::memory_usage);
        let moves = self.moves.capacity() * size_of::<D::Move>();
        let heuristic = self.heuristic.as_ref().map_or(0, Heuristic::memory_usage);
        self.table.memory_usage() + frames + moves + heuristic + graph.max(self.peak_graph_bytes)
    }

    fn memory_usage_soon(&self) -> usize {
        let graph = self.graph.as_ref().map_or(0, |graph| graph.memory_usage_soon() - graph.memory_usage());
        self.memory_usage() + self.table.memory_usage_soon() - self.table.memory_usage() + graph
    }

    /// An iteration that was completed without a solution proves that none exists within its threshold, provided that states
    /// are reopened and that a pruning heuristic is admissible.
    fn lower_bound(&self, admissible: bool) -> u32 {
        let tested = u32::from(self.statistics.expanded > 0);
        let failed = if self.options.reopen { self.failed } else { 0 };
        let failed = if failed > 0 { failed + 1 } else { tested };
        if !self.prunes() {
            failed
        } else if admissible {
            // The cast saturates.
            failed.max(self.start_estimate.ceil() as u32)
        } else {
            tested
        }
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.solution.clone()
    }
}
