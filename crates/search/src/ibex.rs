//! Budgeted tree search: iterative deepening for heuristics with many distinct values (Helmert, Lattimore, Lelis,
//! Orseau, Sturtevant: "Iterative Budgeted Exponential Search", 2019).
//!
//! IDA* searches to the smallest total that was cut before. With many distinct totals each iteration may add a single
//! node, and the work becomes quadratic. Here, when an iteration has not grown by the factor 2, larger limits on the
//! total are tried, each with a budget of nodes: first in steps of 1, 2, 4 and so on, then halving the interval between
//! the largest limit known to be too small and the smallest one known to exceed the budget, until a search takes 2 to 8
//! times the nodes of the last one. A solution counts as proven when its length is no more than the smallest total
//! known to be needed; one that was found with too large a limit is kept in the meantime.
//!
//! The paper searches a tree. Here each of the searches also has a table of its own, with the shortest way to each state
//! so far, and cuts whatever is reached by no shorter way: puzzles with moves that can be taken back are all cycles.
//!
//! If every state of that table was expanded, it is closed under moves, and no goal can be reached.
//!
//! With an admissible heuristic that depends on the state alone, the solution is a shortest one; and if a search limited
//! by the length C of the solution takes N nodes, all searches together take O(N log C).
//!
//! Expanded: states whose successors were made, in all searches. Generated: the start of each search and all successors. Evaluated: states not cut by
//! the table. Goal tests: states within the limits. Reopened: states searched again in one search, by a shorter way.
//! Duplicates: successors cut by the table. Open: successors not yet made on the path. Until the last jump: expanded
//! before the last search that started over from an unbudgeted limit.

use crate::heuristic::estimate;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, When};
use crate::table::Table;
use crate::{Counters, Domain, Heuristic, Node, Search, Verdict};

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "ibex",
    selector: None,
    about: "iterative deepening with a node budget, for heuristics with many distinct values",
    guided: true,
    options: &[],
    example: "ibex(landmarks)",
    new: |_| Algorithm::Ibex,
};

pub(crate) const CLAIMS: Claims =
    Claims { complete: When::Admissible, optimal: When::Admissible, bound: (Bound::Threshold, When::Admissible) };

/// A search must take so many times the nodes of the one before.
const LEAST_GROWTH: u64 = 2;
/// A search that tries a limit is stopped at so many times the nodes of the one before.
const MOST_GROWTH: u64 = 8;

/// Budgeted tree search with a table.
///
/// ```
/// use clearway_search::{Limits, ibex::Ibex, run};
/// use clearway_tiles::{Board, Puzzle, heuristics::Manhattan};
/// let puzzle = Puzzle::with_goal(Board::parse("125340")?, Board::parse("012345")?)?;
/// let outcome = run(&mut Ibex::new(&puzzle, Manhattan), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Ibex<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: H,
    state: D::State,
    /// The expanded nodes on the path, from the start on.
    frames: Vec<Frame<D::Move>>,
    /// The successors of all frames.
    moves: Vec<D::Move>,
    /// The shortest way to each state in this search.
    shortest: Table<D::Key, Way>,
    /// How many states in that table were not expanded, and are no dead ends.
    frontier: u64,
    phase: Phase,
    tried: Try,
    /// The nodes of the last search that counts.
    budget: u64,
    /// No solution is shorter than this.
    lower: f64,
    /// Searching to this total exceeds the budget.
    upper: f64,
    /// `lower` when the present search began: a solution as short ends everything.
    proven: f64,
    /// How often the step of the exponential phase was doubled.
    doublings: i32,
    /// The length of the solution; infinity without one.
    length: f64,
    solution: Option<Vec<D::Move>>,
    waiting: u64,
    counters: Counters,
    verdict: Option<Verdict>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing was searched yet.
    Fresh,
    /// A search to `lower` without a budget.
    Regular,
    /// Larger and larger limits are tried.
    Exponential,
    /// Limits between `lower` and `upper` are tried.
    Binary,
}

/// One depth-first search.
struct Try {
    limit: f64,
    most_nodes: u64,
    nodes: u64,
    /// The largest total within the limit, and the smallest beyond.
    below: f64,
    above: f64,
    over_budget: bool,
}

/// What is known of a state in one search.
#[derive(Clone, Copy)]
struct Way {
    length: u32,
    /// Whether it was expanded or is a dead end.
    settled: bool,
}

const UNKNOWN: Way = Way { length: u32::MAX, settled: false };

/// An expanded node.
struct Frame<M> {
    /// The move that led to it; none at the start.
    last: Option<M>,
    /// Its successors in the common list.
    first: usize,
    next: usize,
    end: usize,
}

impl<'a, D: Domain, H: Heuristic<D>> Ibex<'a, D, H> {
    /// A search from the domain's start.
    pub fn new(domain: &'a D, heuristic: H) -> Self {
        Ibex {
            domain,
            heuristic,
            state: domain.start(),
            frames: Vec::new(),
            moves: Vec::new(),
            shortest: Table::new(),
            frontier: 0,
            phase: Phase::Fresh,
            tried: Try { limit: 0.0, most_nodes: 0, nodes: 0, below: 0.0, above: 0.0, over_budget: false },
            budget: 0,
            lower: 0.0,
            upper: f64::INFINITY,
            proven: 0.0,
            doublings: 0,
            length: f64::INFINITY,
            solution: None,
            waiting: 0,
            counters: Counters { peak_open: 1, ..Counters::default() },
            verdict: None,
        }
    }

    /// Decides about the next search, and begins it.
    fn begin(&mut self) -> Option<Verdict> {
        if self.phase == Phase::Fresh {
            self.counters.evaluated += 1;
            let start = Node { state: &self.state, g: 0, last: None, siblings: 0 };
            self.lower = estimate(&mut self.heuristic, self.domain, &start);
            return self.begin_regular();
        }
        if self.frontier == 0 && self.solution.is_none() {
            return Some(Verdict::Unsolvable);
        }
        self.narrow();
        let Try { nodes, .. } = self.tried;
        if self.phase == Phase::Regular {
            if nodes >= LEAST_GROWTH * self.budget {
                self.budget = nodes;
                return self.begin_regular();
            }
            (self.phase, self.doublings) = (Phase::Exponential, 0);
        }
        if self.phase == Phase::Exponential {
            if self.lower < self.upper && nodes < LEAST_GROWTH * self.budget {
                let limit = self.lower + 2f64.powi(self.doublings);
                self.doublings += 1;
                return self.begin_try(limit, MOST_GROWTH * self.budget);
            }
            self.phase = Phase::Binary;
        }
        let fits = (LEAST_GROWTH * self.budget..MOST_GROWTH * self.budget).contains(&nodes);
        if self.lower >= self.upper || fits {
            self.budget = nodes.max(LEAST_GROWTH * self.budget);
            return self.begin_regular();
        }
        let middle = f64::midpoint(self.lower, self.upper);
        // Rounding must not try the upper end again for ever.
        let limit = if middle < self.upper { middle } else { self.lower };
        self.begin_try(limit, MOST_GROWTH * self.budget)
    }

    /// Draws the conclusions from a search that is over.
    fn narrow(&mut self) {
        if self.length <= self.proven || (!self.tried.over_budget && self.tried.above >= self.length) {
            (self.lower, self.upper) = (self.length, self.length);
        } else if self.tried.over_budget {
            self.upper = self.upper.min(self.tried.below);
        } else {
            self.lower = self.lower.max(self.tried.above);
        }
    }

    fn begin_regular(&mut self) -> Option<Verdict> {
        if self.length <= self.lower {
            let solved = self.solution.is_some();
            return Some(if solved { Verdict::Solved } else { Verdict::Unsolvable });
        }
        (self.phase, self.upper) = (Phase::Regular, f64::INFINITY);
        self.counters.until_last_jump = self.counters.expanded;
        self.begin_try(self.lower, u64::MAX)
    }

    fn begin_try(&mut self, limit: f64, most_nodes: u64) -> Option<Verdict> {
        self.proven = self.lower;
        let (below, above) = (f64::NEG_INFINITY, f64::INFINITY);
        self.tried = Try { limit, most_nodes, nodes: 0, below, above, over_budget: false };
        self.counters.generated += 1;
        self.shortest.clear();
        self.frontier = 0;
        let place = self.shortest.place(self.domain.key(&self.state), UNKNOWN);
        self.visit(place, 0, None, 0);
        None
    }

    /// Searches on until a node was expanded, or the search is over.
    fn advance(&mut self) -> Option<Verdict> {
        while let Some(frame) = self.frames.last_mut() {
            let over = self.tried.over_budget || self.length <= self.proven;
            if frame.next == frame.end || over {
                let last = frame.last;
                self.waiting -= (frame.end - frame.next) as u64;
                self.moves.truncate(frame.first);
                self.frames.pop();
                if let Some(mv) = last {
                    self.domain.undo(&mut self.state, mv);
                }
                continue;
            }
            let (mv, siblings) = (self.moves[frame.next], (frame.end - frame.first) as u32);
            frame.next += 1;
            self.waiting -= 1;
            self.counters.generated += 1;
            let key = self.domain.key_after(&mut self.state, mv);
            let g = self.frames.len() as u32;
            let place = self.shortest.place(key, UNKNOWN);
            if self.shortest.at(place).length <= g {
                self.counters.duplicates += 1;
                continue;
            }
            self.domain.apply(&mut self.state, mv);
            if self.visit(place, g, Some(mv), siblings) {
                return None;
            }
            self.domain.undo(&mut self.state, mv);
        }
        self.begin()
    }

    /// Visits the present state, reached by a shorter way than is known at its place. Whether it was expanded.
    fn visit(&mut self, place: usize, g: u32, last: Option<D::Move>, siblings: u32) -> bool {
        let way = self.shortest.at(place);
        self.frontier += u64::from(way.length == u32::MAX);
        way.length = g;
        let settled = way.settled;
        self.counters.evaluated += 1;
        let seen = Node { state: &self.state, g, last, siblings };
        let total = f64::from(g) + estimate(&mut self.heuristic, self.domain, &seen);
        if total == f64::INFINITY {
            self.settle(place);
            return false;
        }
        if total > self.tried.limit {
            self.tried.above = self.tried.above.min(total);
            return false;
        }
        if total >= self.length {
            self.tried.below = self.length;
            return false;
        }
        self.tried.below = self.tried.below.max(total);
        if self.tried.nodes >= self.tried.most_nodes {
            self.tried.over_budget = true;
            return false;
        }
        self.counters.goal_tests += 1;
        if self.domain.is_goal(&self.state) {
            if f64::from(g) < self.length {
                self.length = f64::from(g);
                self.solution = Some(self.frames.iter().filter_map(|frame| frame.last).chain(last).collect());
            }
            return false;
        }
        self.tried.nodes += 1;
        self.counters.expanded += 1;
        self.counters.reopened += u64::from(settled);
        self.settle(place);
        let first = self.moves.len();
        self.domain.moves(&self.state, &mut self.moves);
        let end = self.moves.len();
        self.waiting += (end - first) as u64;
        self.counters.peak_open = self.counters.peak_open.max(self.waiting);
        self.frames.push(Frame { last, first, next: first, end });
        true
    }

    /// Records that a state is expanded or a dead end.
    fn settle(&mut self, place: usize) {
        let way = self.shortest.at(place);
        self.frontier -= u64::from(!std::mem::replace(&mut way.settled, true));
    }
}

impl<D: Domain, H: Heuristic<D>> Search<D> for Ibex<'_, D, H> {
    fn step(&mut self) -> Option<Verdict> {
        if self.verdict.is_none() {
            self.verdict = self.advance();
        }
        self.verdict
    }

    fn counters(&self) -> Counters {
        Counters { peak_memory: self.bytes() as u64, ..self.counters }
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.solution.clone()
    }

    fn bytes(&self) -> usize {
        let frames = self.frames.capacity() * size_of::<Frame<D::Move>>();
        let moves = self.moves.capacity() * size_of::<D::Move>();
        self.shortest.bytes() + frames + moves + self.heuristic.bytes()
    }

    fn bytes_soon(&self) -> usize {
        self.bytes() + self.shortest.bytes_soon() - self.shortest.bytes()
    }

    /// The smallest total that is known to be needed. The start was tested if a state was expanded.
    fn lower_bound(&self, admissible: bool) -> u32 {
        let tested = u32::from(self.counters.expanded > 0);
        // The cast saturates.
        if admissible { tested.max(self.lower.ceil() as u32) } else { tested }
    }
}
