//! Iterative deepening with a transposition table, as in GP-Rush (Hauptman, Elyasaf, Sipper, Karmon: "GP-Rush: using
//! genetic programming to evolve solvers for the Rush Hour puzzle", 2009); and guided by a heuristic, IDA*.
//!
//! Depth-first search to a bound on the length; if that fails, the bound grows by the increment and the search starts
//! over. The increment may itself grow from one iteration to the next, so that few of them are searched in vain: the idea of
//! DFS* (Rao, Kumar, Korf: "Depth-first versus best-first search", 1991). The first bound is the increment; if the
//! heuristic prunes, it is the start's estimate rounded up, but the increment at least. When a winning move exists it is
//! made at once. A search whose bound would pass 2^30 is given up.
//!
//! The table holds, for each state met, with how much depth left it was searched; with reopening it is searched again
//! only with more, that is, if it is reached by a shorter way, or (with [`Memo::Kept`]) under a larger bound. A state is recorded when
//! its search begins. That is sound although its descendants are then cut where they meet it again: if an iteration
//! fails, but some state has a goal within the depth recorded for it, take such a state nearest to a goal; its successor
//! on the way was recorded with enough depth too and is nearer, or is the goal, which would have been found.
//!
//! At the end the way that was found may be replaced by the shortest one that leads through expanded states alone: those of
//! the last iteration, or of all if the table is kept. That expands nothing and counts nothing, but takes memory for who
//! was made from whom.
//!
//! Without reopening, a state is searched once in an iteration, even if it is then reached by a shorter way; a state that was
//! merely cut may still be searched. An iteration then takes no more nodes than there are states, but may fail although
//! there is a solution within the bound: that pays where bounds grow fast.
//!
//! With increment 1, reopening, and no heuristic or an admissible one that depends on the state alone, the solution is a
//! shortest one if the increment does not grow; with other increments it is longer by less than the last of them. No goal
//! can be reached when every state in the table was expanded: the table is then closed under moves.
//!
//! Expanded: states asked for a winning move and for their successors, each time that happens. Generated: the
//! start of each iteration, and successors. Those at the bound are made and looked up, but neither evaluated nor expanded. Evaluated: with
//! [`Guide::Prune`], successors below the bound that are not cut by the table, and the start; with [`Guide::Order`] the
//! same, but all successors of a state at once, before the first of them is searched. Goal tests: the start, and one for
//! each state expanded, as it is asked for a winning move. Reopened: states searched again, for either reason. Duplicates:
//! successors cut by the table. Open: successors not yet made on the path.

use crate::heuristic::estimate;
use crate::nodes::Nodes;
use crate::shortcut::Links;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, OptionInfo, OptionKind, When, option, words};
use crate::table::Table;
use crate::{Counters, Domain, Heuristic, Limit, Node, Search, Verdict};

/// The node limit of iterative deepening unless another one is given: as in GP-Rush.
pub const NODE_LIMIT: u64 = 1_500_000;

pub(crate) static ID_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "id",
    selector: None,
    about: "iterative deepening with a transposition table, as in GP-Rush",
    guided: false,
    options: &[INCREMENT, GROWTH, MEMO, REOPEN, SHORTCUT],
    example: "id(increment=5)",
    new: |_| Algorithm::Id(DeepeningOptions::default()),
};

pub(crate) static IDA_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "ida",
    selector: None,
    about: "IDA*: iterative deepening guided by a heuristic",
    guided: true,
    options: &[
        option!(
            Id | Ida(guide),
            OptionKind::BareWord(Guide::WORDS),
            *"sort successors by their estimates, prune what exceeds the threshold, or both"
        ),
        INCREMENT,
        GROWTH,
        MEMO,
        REOPEN,
        SHORTCUT,
    ],
    example: "ida(h1, prune, increment=5, memo=kept)",
    new: |_| Algorithm::Ida(DeepeningOptions::default()),
};

const INCREMENT: OptionInfo =
    option!(Id | Ida(increment), OptionKind::Integer(1, 1_000_000), *"increment of the threshold");
const GROWTH: OptionInfo =
    option!(Id | Ida(growth), OptionKind::Real(1.0, 1e6), "factor by which the increment grows after each iteration");
const MEMO: OptionInfo =
    option!(Id | Ida(memo), OptionKind::Word(Memo::WORDS), "transposition table between iterations");
const REOPEN: OptionInfo = option!(
    Id | Ida(reopen),
    OptionKind::YesNo,
    "search a state again in the same iteration when a shorter path to it is found"
);
const SHORTCUT: OptionInfo = option!(
    Id | Ida(shortcut),
    OptionKind::YesNo,
    "return the shortest path through the expanded states instead of the one found"
);

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

words! { Guide { Order => "order", Prune => "prune", Both => "both" } }

/// What becomes of the table between iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memo {
    /// It is emptied.
    #[default]
    Cleared,
    /// It is kept: what was searched in vain once is not searched again with the same depth left. Without reopening every
    /// iteration searches all again, and what is kept are only the states that a shortcut may lead through.
    Kept,
}

words! { Memo { Cleared => "cleared", Kept => "kept" } }

/// The options of [`Deepening`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeepeningOptions {
    /// By how much the bound grows; at least 1.
    pub increment: u32,
    /// What the increment is multiplied with each time the bound has grown; at least 1.
    pub growth: f64,
    /// What the heuristic is used for, if there is one.
    pub guide: Guide,
    /// What becomes of the table between iterations.
    pub memo: Memo,
    /// Whether a state is searched again in the same iteration when a shorter way to it is found. Without, an iteration
    /// expands no state twice, and the solution may be longer than needed even with an admissible estimate.
    pub reopen: bool,
    /// Whether the way that was found is replaced at the end by the shortest one through expanded states.
    pub shortcut: bool,
}

impl Default for DeepeningOptions {
    fn default() -> Self {
        DeepeningOptions {
            increment: 1,
            growth: 1.0,
            guide: Guide::default(),
            memo: Memo::default(),
            reopen: true,
            shortcut: false,
        }
    }
}

impl DeepeningOptions {
    /// Whether a heuristic prunes.
    pub fn prunes(&self) -> bool {
        self.guide != Guide::Order
    }

    /// What the search proves, with or without a heuristic. An iteration without reopening may fail although there is a
    /// solution within its threshold; and a threshold that grows by more than 1 may let a longer solution in.
    pub(crate) fn claims(&self, guided: bool) -> Claims {
        // An inadmissible estimate may exceed every threshold.
        let sound = if guided && self.prunes() { When::Admissible } else { When::Always };
        let bound = if self.reopen { Bound::Threshold } else { Bound::Start };
        Claims {
            complete: sound,
            optimal: sound.only_if(self.reopen && self.increment == 1 && self.growth <= 1.0),
            bound: (bound, sound),
        }
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
    /// By how much it grows next.
    increment: f64,
    /// The bound of the last iteration that was searched in vain; 0 if there is none.
    failed: u32,
    /// The estimate of the start, if the heuristic prunes.
    start_estimate: f64,
    state: D::State,
    /// The expanded nodes on the path, from the start on.
    frames: Vec<Frame<D::Move>>,
    /// The successors of all frames.
    moves: Vec<D::Move>,
    ranked: Vec<(f64, u32, D::Move)>,
    table: Table<D::Key, u32>,
    /// How many states in the table were not expanded.
    frontier: u64,
    /// What the shortcut at the end needs, if one is wanted.
    trail: Option<Trail<D>>,
    /// The most bytes that those of earlier iterations took.
    peak_trail: usize,
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

/// The expanded states, and who was made from whom.
struct Trail<D: Domain> {
    nodes: Nodes<D>,
    links: Links,
}

impl<D: Domain> Trail<D> {
    fn new(domain: &D) -> Self {
        Trail { nodes: Nodes::new(domain.key(&domain.start())), links: Links::default() }
    }

    /// The number of a state.
    fn number(&mut self, key: D::Key) -> u32 {
        self.nodes.insert(key, 0, 0, None).0
    }

    /// Notes the successors of a state, unless they are known.
    fn note(&mut self, domain: &D, state: &mut D::State, moves: &[D::Move]) {
        let node = self.number(domain.key(state));
        if self.links.are_known(node) {
            return;
        }
        for &mv in moves {
            let successor = self.number(domain.key_after(state, mv));
            self.links.add(successor);
        }
        self.links.close(node, moves.len());
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.links.bytes()
    }

    fn bytes_soon(&self) -> usize {
        self.nodes.bytes_soon() + self.links.bytes_soon(self.nodes.len())
    }

    /// The moves of the shortest way to a state, if that is shorter than what is known.
    fn shortcut(&mut self, domain: &D, key: D::Key, known: usize) -> Option<Vec<D::Move>> {
        let node = self.number(key);
        self.links.goal(node);
        self.links.shortcut(domain, &self.nodes, known)
    }
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
            options: DeepeningOptions { increment, growth: options.growth.max(1.0), ..options },
            bound: 0,
            increment: f64::from(increment),
            failed: 0,
            start_estimate: 0.0,
            state: domain.start(),
            frames: Vec::new(),
            moves: Vec::new(),
            ranked: Vec::new(),
            table: Table::new(),
            frontier: 0,
            trail: options.shortcut.then(|| Trail::new(domain)),
            peak_trail: 0,
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
        self.heuristic.is_some() && self.options.prunes()
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
        self.failed = self.bound;
        if self.bound == 0 {
            self.counters.generated += 1;
            self.counters.goal_tests += 1;
            if self.domain.is_goal(&self.state) {
                self.solution = Some(Vec::new());
                return Some(Verdict::Solved);
            }
            let least = if self.prunes() { self.estimate(0, None, 0) } else { 0.0 };
            self.start_estimate = least;
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
            // The cast saturates.
            self.bound = self.bound.saturating_add(self.increment.round() as u32).min(LARGEST_BOUND);
            self.increment *= self.options.growth;
            self.counters.generated += 1;
        }
        if self.options.memo == Memo::Cleared {
            self.table.clear();
            self.frontier = 0;
            self.peak_trail = self.peak_trail.max(self.trail.as_ref().map_or(0, Trail::bytes));
            self.trail = self.options.shortcut.then(|| Trail::new(self.domain));
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
            if left == 0 {
                self.record_cut(place, left);
                continue;
            }
            self.domain.apply(&mut self.state, mv);
            if !ranked && self.prunes() && self.cut(place, left, mv, siblings) {
                self.domain.undo(&mut self.state, mv);
                continue;
            }
            self.record(place, left);
            return self.expand(place, Some(mv), left);
        }
        self.begin_iteration()
    }

    /// Whether the state at a place of the table was searched with so much depth left.
    #[inline]
    fn searched(&mut self, place: usize, left: u32) -> bool {
        let value = *self.table.at(place);
        value != NEW && value >> 1 >= self.worth(left)
    }

    /// What a search with so much depth left is recorded as.
    #[inline]
    fn worth(&self, left: u32) -> u32 {
        if self.options.reopen { left } else { self.bound }
    }

    /// Records that a state is searched with so much depth left, more than before.
    #[inline]
    fn record(&mut self, place: usize, left: u32) {
        self.note(place, self.worth(left));
    }

    /// Records that a state is not searched with so much depth left. If states are not reopened, that must not keep it from
    /// being searched when it is reached by a shorter way.
    #[inline]
    fn record_cut(&mut self, place: usize, left: u32) {
        self.note(place, if self.options.reopen { left } else { 0 });
    }

    #[inline]
    fn note(&mut self, place: usize, left: u32) {
        let value = self.table.at(place);
        if *value == NEW {
            self.frontier += 1;
            *value = left << 1;
        } else {
            // What is recorded as 0 is not searched, and what was never expanded is not searched again.
            self.counters.reopened += u64::from(self.options.reopen || (left > 0 && *value & SETTLED != 0));
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

    /// Whether the present state is cut by its estimate; if so, that is recorded.
    fn cut(&mut self, place: usize, left: u32, mv: D::Move, siblings: u32) -> bool {
        let h = self.estimate(self.bound - left, Some(mv), siblings);
        let cut = h > f64::from(left);
        if cut {
            self.record_cut(place, left);
        }
        if h == f64::INFINITY {
            self.settle(place);
        }
        cut
    }

    /// Wins at once from the present state, or makes its successors ready.
    fn expand(&mut self, place: usize, last: Option<D::Move>, left: u32) -> Option<Verdict> {
        self.settle(place);
        self.counters.expanded += 1;
        self.counters.goal_tests += 1;
        if let Some(wins) = self.domain.winning_move(&self.state) {
            self.solution = Some(self.way(last, wins));
            return Some(Verdict::Solved);
        }
        let first = self.moves.len();
        self.domain.moves(&self.state, &mut self.moves);
        if let Some(trail) = &mut self.trail {
            if trail.nodes.full() {
                return Some(Verdict::Limit(Limit::Memory));
            }
            trail.note(self.domain, &mut self.state, &self.moves[first..]);
        }
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

    /// The way through the present state, which `last` led to, to the goal one move on: along the path, or a shorter one.
    fn way(&mut self, last: Option<D::Move>, wins: D::Move) -> Vec<D::Move> {
        let found: Vec<D::Move> = self.frames.iter().filter_map(|frame| frame.last).chain(last).collect();
        let key = self.domain.key(&self.state);
        let shorter = self.trail.as_mut().and_then(|trail| trail.shortcut(self.domain, key, found.len()));
        let mut way = shorter.unwrap_or(found);
        way.push(wins);
        way
    }

    /// Makes the present state's successors, drops those that are cut, and sorts the others by their estimates.
    fn rank(&mut self, first: usize, left: u32) {
        let siblings = (self.moves.len() - first) as u32;
        self.ranked.clear();
        for order in 0..siblings {
            let mv = self.moves[first + order as usize];
            self.counters.generated += 1;
            let key = self.domain.key_after(&mut self.state, mv);
            if self.table.get(key).is_some_and(|value| value >> 1 >= self.worth(left)) {
                self.counters.duplicates += 1;
            } else {
                self.domain.apply(&mut self.state, mv);
                let h = self.estimate(self.bound - left, Some(mv), siblings);
                if h == f64::INFINITY || (self.prunes() && h > f64::from(left)) {
                    let place = self.table.place(key, NEW);
                    self.record_cut(place, left);
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
        let trail = self.trail.as_ref().map_or(0, Trail::bytes);
        let moves = self.moves.capacity() * size_of::<D::Move>();
        let heuristic = self.heuristic.as_ref().map_or(0, Heuristic::bytes);
        self.table.bytes() + frames + moves + heuristic + trail.max(self.peak_trail)
    }

    fn bytes_soon(&self) -> usize {
        let trail = self.trail.as_ref().map_or(0, |trail| trail.bytes_soon() - trail.bytes());
        self.bytes() + self.table.bytes_soon() - self.table.bytes() + trail
    }

    /// An iteration that was searched in vain proves that there is no solution within its bound, if states are reopened
    /// and no estimate is too large where it prunes.
    fn lower_bound(&self, admissible: bool) -> u32 {
        let tested = u32::from(self.counters.expanded > 0);
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
}
