//! Budgeted tree search: iterative deepening for heuristics with many distinct values (Helmert, Lattimore, Lelis,
//! Orseau, Sturtevant: "Iterative Budgeted Exponential Search", 2019).
//!
//! IDA* raises its threshold to the smallest f-value that was pruned. With many distinct f-values an iteration may add a single
//! node, and the work becomes quadratic. Here, if an iteration has not grown by a factor of 2, larger thresholds are tried, each
//! with a node budget: first in steps of 1, 2, 4 and so on, then by halving the interval between the largest threshold known to
//! be too small and the smallest one known to exceed the budget, until an iteration takes 2 to 8 times the nodes of the last
//! one. A solution is proven optimal when its length does not exceed the proven lower bound; a solution that was found with a
//! larger threshold is kept in the meantime.
//!
//! The paper searches a tree. Here each iteration also has a transposition table with the length of the shortest path to each
//! state so far, and prunes states that are not reached by a shorter path, because reversible moves produce many cycles.
//!
//! If every state in the table was expanded, the table is closed under moves, and no goal is reachable.
//!
//! With an admissible heuristic that depends on the state only, the solution is optimal; and if an iteration whose threshold is
//! the optimal solution length C takes N nodes, all iterations together take O(N log C).
//!
//! Expanded: states whose successors were generated, in all iterations. Generated: the start of each iteration and all
//! successors. Evaluated: states not pruned by the table. Goal tests: states within threshold and budget. Reopened: states
//! expanded again in one iteration, by a shorter path. Duplicates: successors pruned by the table. Open: successors on the
//! current path that are not yet generated. Until the last jump: nodes expanded before the last iteration without a budget.

use crate::heuristic::estimate;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims};
use crate::table::StateTable;
use crate::{Domain, Heuristic, Node, Search, SearchStatistics, Verdict};

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "ibex",
    selector: None,
    about: "iterative deepening with a node budget, for heuristics with many distinct values",
    guided: true,
    options: &[],
    example: "ibex(landmarks)",
    new: |_| Algorithm::Ibex,
};

pub(crate) const CLAIMS: Claims = Claims {
    complete: ClaimCondition::Admissible,
    optimal: ClaimCondition::Admissible,
    bound: (Bound::Threshold, ClaimCondition::Admissible),
};

/// An iteration must take at least this many times the nodes of the last one.
const MIN_GROWTH: u64 = 2;
/// Budget of an iteration that tries a threshold, as a multiple of the nodes of the last one.
const MAX_GROWTH: u64 = 8;

/// Budgeted tree search with a transposition table.
///
/// ```
/// use clearway_search::{Limits, ibex::Ibex, run};
/// use clearway_search::pancakes::{Gaps, Pancakes};
/// let stack = Pancakes::new(&[3, 1, 4, 2]).unwrap();
/// let outcome = run(&mut Ibex::new(&stack, Gaps), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 4);
/// ```
pub struct Ibex<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: H,
    state: D::State,
    /// The expanded nodes on the current path, from the start on.
    frames: Vec<IbexFrame<D::Move>>,
    /// The successors of all frames.
    moves: Vec<D::Move>,
    /// The states reached in this iteration.
    table: StateTable<D::Key, StateRecord>,
    /// Number of states in the table that are neither expanded nor dead ends.
    frontier: u64,
    phase: Phase,
    iteration: Iteration,
    /// Nodes of the last accepted iteration.
    budget: u64,
    /// Lower bound on the solution length.
    lower: f64,
    /// Smallest f-value known to exceed the budget.
    upper: f64,
    /// `lower` at the start of the current iteration: a solution of this length is optimal.
    proven: f64,
    /// Number of times that the step of the exponential phase was doubled.
    doublings: i32,
    /// Length of the best solution; infinite without one.
    length: f64,
    solution: Option<Vec<D::Move>>,
    /// Number of successors on the stack that are not yet searched.
    open_nodes: u64,
    statistics: SearchStatistics,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing was searched yet.
    Initial,
    /// An iteration with the threshold `lower`, without a budget.
    Regular,
    /// Thresholds above `lower`, in doubling steps.
    Exponential,
    /// Thresholds between `lower` and `upper`.
    Binary,
}

/// A depth-first search with a threshold on f and a node budget.
struct Iteration {
    threshold: f64,
    max_nodes: u64,
    nodes: u64,
    /// The largest f-value within the threshold, and the smallest above it.
    below: f64,
    above: f64,
    over_budget: bool,
}

/// What an iteration knows about a state.
#[derive(Clone, Copy)]
struct StateRecord {
    /// Length of the shortest path so far.
    g: u32,
    /// Whether it is expanded or a dead end.
    is_settled: bool,
}

const NEW: StateRecord = StateRecord { g: u32::MAX, is_settled: false };

/// An expanded node on the current path.
struct IbexFrame<M> {
    /// The move that led to it; `None` at the start.
    last: Option<M>,
    /// Its successors, as indices into `moves`.
    first: usize,
    next: usize,
    end: usize,
}

impl<'a, D: Domain, H: Heuristic<D>> Ibex<'a, D, H> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D, heuristic: H) -> Self {
        Ibex {
            domain,
            heuristic,
            state: domain.start(),
            frames: Vec::new(),
            moves: Vec::new(),
            table: StateTable::new(),
            frontier: 0,
            phase: Phase::Initial,
            iteration: Iteration { threshold: 0.0, max_nodes: 0, nodes: 0, below: 0.0, above: 0.0, over_budget: false },
            budget: 0,
            lower: 0.0,
            upper: f64::INFINITY,
            proven: 0.0,
            doublings: 0,
            length: f64::INFINITY,
            solution: None,
            open_nodes: 0,
            statistics: SearchStatistics { peak_open: 1, ..SearchStatistics::default() },
        }
    }

    /// Chooses and starts the next iteration, or returns the verdict.
    fn start_next(&mut self) -> Option<Verdict> {
        if self.phase == Phase::Initial {
            self.statistics.evaluated += 1;
            let start = Node { state: &self.state, g: 0, last: None, siblings: 0 };
            self.lower = estimate(&mut self.heuristic, self.domain, &start);
            return self.start_regular();
        }
        if self.frontier == 0 && self.solution.is_none() {
            return Some(Verdict::Unsolvable);
        }
        self.update_bounds();
        let Iteration { nodes, .. } = self.iteration;
        if self.phase == Phase::Regular {
            if nodes >= MIN_GROWTH * self.budget {
                self.budget = nodes;
                return self.start_regular();
            }
            (self.phase, self.doublings) = (Phase::Exponential, 0);
        }
        if self.phase == Phase::Exponential {
            if self.lower < self.upper && nodes < MIN_GROWTH * self.budget {
                let threshold = self.lower + 2f64.powi(self.doublings);
                self.doublings += 1;
                return self.start_iteration(threshold, MAX_GROWTH * self.budget);
            }
            self.phase = Phase::Binary;
        }
        let fits = (MIN_GROWTH * self.budget..MAX_GROWTH * self.budget).contains(&nodes);
        if self.lower >= self.upper || fits {
            self.budget = nodes.max(MIN_GROWTH * self.budget);
            return self.start_regular();
        }
        let middle = f64::midpoint(self.lower, self.upper);
        // If rounding makes the middle equal to the upper end, `lower` ensures progress.
        let threshold = if middle < self.upper { middle } else { self.lower };
        self.start_iteration(threshold, MAX_GROWTH * self.budget)
    }

    /// Updates the bounds after an iteration.
    fn update_bounds(&mut self) {
        if self.length <= self.proven || (!self.iteration.over_budget && self.iteration.above >= self.length) {
            (self.lower, self.upper) = (self.length, self.length);
        } else if self.iteration.over_budget {
            self.upper = self.upper.min(self.iteration.below);
        } else {
            self.lower = self.lower.max(self.iteration.above);
        }
    }

    fn start_regular(&mut self) -> Option<Verdict> {
        if self.length <= self.lower {
            let solved = self.solution.is_some();
            return Some(if solved { Verdict::Solved } else { Verdict::Unsolvable });
        }
        (self.phase, self.upper) = (Phase::Regular, f64::INFINITY);
        self.statistics.until_last_jump = self.statistics.expanded;
        self.start_iteration(self.lower, u64::MAX)
    }

    fn start_iteration(&mut self, threshold: f64, max_nodes: u64) -> Option<Verdict> {
        self.proven = self.lower;
        let (below, above) = (f64::NEG_INFINITY, f64::INFINITY);
        self.iteration = Iteration { threshold, max_nodes, nodes: 0, below, above, over_budget: false };
        self.statistics.generated += 1;
        self.table.clear();
        self.frontier = 0;
        let slot = self.table.slot(self.domain.key(&self.state), NEW);
        self.visit(slot, 0, None, 0);
        None
    }

    /// Visits the current state, which was reached by a shorter path than its record in the table. Returns whether it was
    /// expanded.
    fn visit(&mut self, slot: usize, g: u32, last: Option<D::Move>, siblings: u32) -> bool {
        let record = self.table.value_mut(slot);
        self.frontier += u64::from(record.g == u32::MAX);
        record.g = g;
        let is_settled = record.is_settled;
        self.statistics.evaluated += 1;
        let node = Node { state: &self.state, g, last, siblings };
        let f = f64::from(g) + estimate(&mut self.heuristic, self.domain, &node);
        if f == f64::INFINITY {
            self.settle(slot);
            return false;
        }
        if f > self.iteration.threshold {
            self.iteration.above = self.iteration.above.min(f);
            return false;
        }
        if f >= self.length {
            self.iteration.below = self.length;
            return false;
        }
        self.iteration.below = self.iteration.below.max(f);
        if self.iteration.nodes >= self.iteration.max_nodes {
            self.iteration.over_budget = true;
            return false;
        }
        self.statistics.goal_tests += 1;
        if self.domain.is_goal(&self.state) {
            if f64::from(g) < self.length {
                self.length = f64::from(g);
                self.solution = Some(self.frames.iter().filter_map(|frame| frame.last).chain(last).collect());
            }
            return false;
        }
        self.iteration.nodes += 1;
        self.statistics.expanded += 1;
        self.statistics.reopened += u64::from(is_settled);
        self.settle(slot);
        let first = self.moves.len();
        self.domain.moves(&self.state, &mut self.moves);
        let end = self.moves.len();
        self.open_nodes += (end - first) as u64;
        self.statistics.peak_open = self.statistics.peak_open.max(self.open_nodes);
        self.frames.push(IbexFrame { last, first, next: first, end });
        true
    }

    /// Records that a state is expanded or a dead end.
    fn settle(&mut self, slot: usize) {
        let record = self.table.value_mut(slot);
        self.frontier -= u64::from(!std::mem::replace(&mut record.is_settled, true));
    }
}

impl<D: Domain, H: Heuristic<D>> Search<D> for Ibex<'_, D, H> {
    fn step(&mut self) -> Option<Verdict> {
        while let Some(frame) = self.frames.last_mut() {
            let is_over = self.iteration.over_budget || self.length <= self.proven;
            if frame.next == frame.end || is_over {
                let last = frame.last;
                self.open_nodes -= (frame.end - frame.next) as u64;
                self.moves.truncate(frame.first);
                self.frames.pop();
                if let Some(mv) = last {
                    self.domain.undo(&mut self.state, mv);
                }
                continue;
            }
            let (mv, siblings) = (self.moves[frame.next], (frame.end - frame.first) as u32);
            frame.next += 1;
            self.open_nodes -= 1;
            self.statistics.generated += 1;
            let key = self.domain.key_after(&mut self.state, mv);
            let g = self.frames.len() as u32;
            let slot = self.table.slot(key, NEW);
            if self.table.value_mut(slot).g <= g {
                self.statistics.duplicates += 1;
                continue;
            }
            self.domain.apply(&mut self.state, mv);
            if self.visit(slot, g, Some(mv), siblings) {
                return None;
            }
            self.domain.undo(&mut self.state, mv);
        }
        self.start_next()
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        let frames = self.frames.capacity() * size_of::<IbexFrame<D::Move>>();
        let moves = self.moves.capacity() * size_of::<D::Move>();
        self.table.memory_usage() + frames + moves + self.heuristic.memory_usage()
    }

    fn memory_usage_soon(&self) -> usize {
        self.memory_usage() + self.table.memory_usage_soon() - self.table.memory_usage()
    }

    /// The lower bound of the last iteration. The start is not a goal if a state was expanded.
    fn lower_bound(&self, admissible: bool) -> u32 {
        let tested = u32::from(self.statistics.expanded > 0);
        // The cast saturates.
        if admissible { tested.max(self.lower.ceil() as u32) } else { tested }
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.solution.clone()
    }
}
