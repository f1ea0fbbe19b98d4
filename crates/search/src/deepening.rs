//! Iterative deepening with a transposition table, as in GP-Rush (Hauptman, Elyasaf, Sipper, Karmon: "GP-Rush: using
//! genetic programming to evolve solvers for the Rush Hour puzzle", 2009); and guided by a heuristic, IDA*.
//!
//! Depth-first search to a bound on the length; if that fails, the bound grows by the increment and the search starts
//! over. The first bound is the increment; if the heuristic prunes, it is the start's estimate rounded up, but the
//! increment at least. When a winning move exists it is made at once.
//!
//! The table holds, for each state met, with how much depth left it was searched; it is searched again only with more,
//! that is, if it is reached by a shorter way, or (with [`Memo::Kept`]) under a larger bound. A state is recorded when
//! its search begins. That is sound although its descendants are then cut where they meet it again: if an iteration
//! fails, but some state has a goal within the depth recorded for it, take such a state nearest to a goal; its successor
//! on the way was recorded with enough depth too and is nearer, or is the goal, which would have been found.
//!
//! With increment 1, and no heuristic or an admissible one that depends on the state alone, the solution is a shortest
//! one; else it is longer by less than the increment, if the heuristic is admissible. No goal can be reached when every
//! state in the table was expanded: the table is then closed under moves.
//!
//! Expanded: states asked for a winning move and for their successors, each time that happens. Generated: successors
//! made. Those at the bound are made and looked up, but neither evaluated nor expanded. Evaluated: with
//! [`Guide::Prune`], successors below the bound that are not cut by the table, and the start; with [`Guide::Order`] the
//! same, but all successors of a state at once, before the first of them is searched. Goal tests: the start, and one for
//! each state expanded, as it is asked for a winning move. Reopened: states searched again, for either reason. Duplicates:
//! successors cut by the table. Open: successors not yet made on the path.

use crate::heuristic::estimate;
use crate::table::Table;
use crate::{Counters, Domain, Heuristic, Limit, Node, Search, Verdict};

/// What the heuristic is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guide {
    /// Successors are searched in the order of their estimates.
    Order,
    /// A state is cut where the length of the way and the estimate exceed the bound together.
    #[default]
    Prune,
    /// Both.
    Both,
}

/// What becomes of the table between iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memo {
    /// It is emptied.
    #[default]
    Cleared,
    /// It is kept: what was searched in vain once is not searched again with the same depth left.
    Kept,
}

/// The options of [`Deepening`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeepeningOptions {
    /// By how much the bound grows; at least 1.
    pub increment: u32,
    /// What the heuristic is used for, if there is one.
    pub guide: Guide,
    /// What becomes of the table between iterations.
    pub memo: Memo,
}

impl Default for DeepeningOptions {
    fn default() -> Self {
        DeepeningOptions { increment: 1, guide: Guide::default(), memo: Memo::default() }
    }
}

/// Iterative deepening: plain without a heuristic, IDA* with one.
///
/// ```
/// use clearway_search::{Limits, Zero, deepening::{Deepening, DeepeningOptions}, run};
/// use clearway_tiles::{Board, Puzzle, heuristics::Manhattan};
/// let puzzle = Puzzle::with_goal(Board::parse("125340")?, Board::parse("012345")?)?;
/// let plain = run(&mut Deepening::new(&puzzle, None::<Zero>, DeepeningOptions::default()), &Limits::default());
/// let ida = run(&mut Deepening::new(&puzzle, Some(Manhattan), DeepeningOptions::default()), &Limits::default());
/// assert_eq!((plain.solution.unwrap().len(), ida.solution.unwrap().len()), (3, 3));
/// assert!(ida.counters.expanded < plain.counters.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Deepening<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: Option<H>,
    options: DeepeningOptions,
    /// 0 before the first iteration.
    bound: u32,
    state: D::State,
    /// The expanded nodes on the path, from the start on.
    frames: Vec<Frame<D::Move>>,
    /// The successors of all frames.
    moves: Vec<D::Move>,
    ranked: Vec<(f64, u32, D::Move)>,
    table: Table<D::Key, u32>,
    /// How many states in the table were not expanded.
    frontier: u64,
    waiting: u64,
    counters: Counters,
    verdict: Option<Verdict>,
    solution: Option<Vec<D::Move>>,
}

/// An expanded node.
struct Frame<M> {
    /// The move that led to it; none at the start.
    last: Option<M>,
    /// Its successors in the common list.
    first: usize,
    next: usize,
    end: usize,
    /// How many successors it has in all.
    siblings: u32,
    /// Whether they have been made, looked up and evaluated already.
    ranked: bool,
}

/// What the table holds: twice the depth left, plus 1 if the state was expanded or is a dead end.
const NEW: u32 = u32::MAX;
const SETTLED: u32 = 1;
/// No bound grows beyond this: who needs more has estimates without sense.
const LARGEST_BOUND: u32 = 1 << 30;

impl<'a, D: Domain, H: Heuristic<D>> Deepening<'a, D, H> {
    /// A search from the domain's start.
    pub fn new(domain: &'a D, heuristic: Option<H>, options: DeepeningOptions) -> Self {
        let increment = options.increment.clamp(1, LARGEST_BOUND);
        Deepening {
            domain,
            heuristic,
            options: DeepeningOptions { increment, ..options },
            bound: 0,
            state: domain.start(),
            frames: Vec::new(),
            moves: Vec::new(),
            ranked: Vec::new(),
            table: Table::new(),
            frontier: 0,
            waiting: 0,
            counters: Counters { peak_open: 1, ..Counters::default() },
            verdict: None,
            solution: None,
        }
    }

    /// The bound of the present iteration; 0 before the first.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    fn prunes(&self) -> bool {
        self.heuristic.is_some() && self.options.guide != Guide::Order
    }

    fn orders(&self) -> bool {
        self.heuristic.is_some() && self.options.guide != Guide::Prune
    }

    /// The estimate of the present state; 0 without a heuristic.
    fn estimate(&mut self, g: u32, last: Option<D::Move>, siblings: u32) -> f64 {
        let Some(heuristic) = &mut self.heuristic else { return 0.0 };
        self.counters.evaluated += 1;
        estimate(heuristic, self.domain, &Node { state: &self.state, g, last, siblings })
    }

    fn begin_iteration(&mut self) -> Option<Verdict> {
        if self.bound == 0 {
            self.counters.goal_tests += 1;
            if self.domain.is_goal(&self.state) {
                self.solution = Some(Vec::new());
                return Some(Verdict::Solved);
            }
            let least = if self.prunes() { self.estimate(0, None, 0) } else { 0.0 };
            if least == f64::INFINITY {
                return Some(Verdict::Unsolvable);
            }
            // The cast saturates, so that no estimate is too large for it.
            self.bound = (least.ceil() as u32).clamp(self.options.increment, LARGEST_BOUND);
        } else if self.frontier == 0 {
            return Some(Verdict::Unsolvable);
        } else if self.bound == LARGEST_BOUND {
            return Some(Verdict::Limit(Limit::Incomplete));
        } else {
            self.bound = (self.bound + self.options.increment).min(LARGEST_BOUND);
        }
        if self.options.memo == Memo::Cleared {
            self.table.clear();
            self.frontier = 0;
        }
        let place = self.table.place(self.domain.key(&self.state), NEW);
        self.record(place, self.bound);
        self.expand(place, None, self.bound)
    }

    /// Searches on until a node was expanded, or the iteration is over.
    fn advance(&mut self) -> Option<Verdict> {
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
            self.waiting -= 1;
            let left = self.bound - self.frames.len() as u32;
            self.counters.generated += u64::from(!ranked);
            let key = self.domain.key_after(&mut self.state, mv);
            let place = self.table.place(key, NEW);
            if self.searched(place, left) {
                self.counters.duplicates += 1;
                continue;
            }
            self.record(place, left);
            if left == 0 {
                continue;
            }
            self.domain.apply(&mut self.state, mv);
            if !ranked && self.prunes() && self.cut(place, left, mv, siblings) {
                self.domain.undo(&mut self.state, mv);
                continue;
            }
            return self.expand(place, Some(mv), left);
        }
        self.begin_iteration()
    }

    /// Whether the state at a place of the table was searched with so much depth left.
    #[inline]
    fn searched(&mut self, place: usize, left: u32) -> bool {
        let value = *self.table.at(place);
        value != NEW && value >> 1 >= left
    }

    /// Records that a state is searched with so much depth left, more than before.
    #[inline]
    fn record(&mut self, place: usize, left: u32) {
        let value = self.table.at(place);
        if *value == NEW {
            self.frontier += 1;
            *value = left << 1;
        } else {
            self.counters.reopened += 1;
            *value = left << 1 | (*value & SETTLED);
        }
    }

    /// Records that a state is expanded or a dead end.
    #[inline]
    fn settle(&mut self, place: usize) {
        let value = self.table.at(place);
        self.frontier -= u64::from(*value & SETTLED == 0);
        *value |= SETTLED;
    }

    /// Whether the present state, which was just recorded, is cut by its estimate.
    fn cut(&mut self, place: usize, left: u32, mv: D::Move, siblings: u32) -> bool {
        let h = self.estimate(self.bound - left, Some(mv), siblings);
        if h == f64::INFINITY {
            self.settle(place);
        }
        h > f64::from(left)
    }

    /// Wins at once from the present state, or makes its successors ready.
    fn expand(&mut self, place: usize, last: Option<D::Move>, left: u32) -> Option<Verdict> {
        self.settle(place);
        self.counters.expanded += 1;
        self.counters.goal_tests += 1;
        if let Some(wins) = self.domain.winning_move(&self.state) {
            let path = self.frames.iter().filter_map(|frame| frame.last);
            self.solution = Some(path.chain(last).chain([wins]).collect());
            return Some(Verdict::Solved);
        }
        let first = self.moves.len();
        self.domain.moves(&self.state, &mut self.moves);
        let siblings = (self.moves.len() - first) as u32;
        let ranked = left > 1 && self.orders();
        if ranked {
            self.rank(first, left - 1);
        }
        let end = self.moves.len();
        self.waiting += (end - first) as u64;
        self.counters.peak_open = self.counters.peak_open.max(self.waiting);
        self.frames.push(Frame { last, first, next: first, end, siblings, ranked });
        None
    }

    /// Makes the present state's successors, drops those that are cut, and sorts the others by their estimates.
    fn rank(&mut self, first: usize, left: u32) {
        let siblings = (self.moves.len() - first) as u32;
        self.ranked.clear();
        for order in 0..siblings {
            let mv = self.moves[first + order as usize];
            self.counters.generated += 1;
            let key = self.domain.key_after(&mut self.state, mv);
            if self.table.get(key).is_some_and(|value| value >> 1 >= left) {
                self.counters.duplicates += 1;
            } else {
                self.domain.apply(&mut self.state, mv);
                let h = self.estimate(self.bound - left, Some(mv), siblings);
                if h == f64::INFINITY || (self.prunes() && h > f64::from(left)) {
                    let place = self.table.place(key, NEW);
                    self.record(place, left);
                    if h == f64::INFINITY {
                        self.settle(place);
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

impl<D: Domain, H: Heuristic<D>> Search<D> for Deepening<'_, D, H> {
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
        self.table.bytes() + frames + self.moves.capacity() * size_of::<D::Move>()
    }
}
