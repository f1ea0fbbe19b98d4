//! A* and its relatives: weighted A* and greedy best-first search.
//!
//! The open list is ordered by the estimated total, g + weight * h (greedy: h alone). Ties go to the lower h, then to
//! the state generated later. A state to which a shorter way is found is put back, also if it was expanded already;
//! its estimate is asked for again, as an estimate may depend on the way.
//!
//! At the end the way that was found may be replaced by the shortest one that leads through expanded states alone. That
//! expands nothing and counts nothing, but takes memory for who was made from whom.
//!
//! Expanded: states whose successors were made, again each time they are put back. Generated: the start and all successors.
//! Evaluated: the start, new states, and states to which a shorter way was found. Goal tests: states taken from the open
//! list, so the goal too. Reopened: expanded states put back. Duplicates: successors met before and not reached by a
//! shorter way. Open: states in the open list, each once.

use crate::heuristic::estimate;
use crate::nodes::Nodes;
use crate::shortcut::Links;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, OptionInfo, OptionKind, When, option};
use crate::{Counters, Domain, Heuristic, Limit, Node, Search, Verdict};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

pub(crate) static ASTAR_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "astar",
    selector: None,
    about: "A*: best first by path length plus estimate",
    guided: true,
    options: &[REOPEN, SHORTCUT],
    example: "astar(blockers)",
    new: |learned| Algorithm::AStar(AStarOptions::for_heuristic(learned)),
};

pub(crate) static WASTAR_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "wastar",
    selector: None,
    about: "weighted A*: best first by path length plus a multiple of the estimate",
    guided: true,
    options: &[
        option!(AStar | WeightedAStar(weight), OptionKind::Real(0.0, 1e6), *"factor of the estimate"),
        REOPEN,
        SHORTCUT,
    ],
    example: "wastar(h1, weight=3)",
    new: |learned| Algorithm::WeightedAStar(AStarOptions { weight: 2.0, ..AStarOptions::for_heuristic(learned) }),
};

pub(crate) static GREEDY_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "greedy",
    selector: None,
    about: "greedy best-first search: by the estimate alone",
    guided: true,
    options: &[REOPEN, SHORTCUT],
    example: "greedy(h1)",
    new: |learned| Algorithm::AStar(AStarOptions { greedy: true, ..AStarOptions::for_heuristic(learned) }),
};

const REOPEN: OptionInfo =
    option!(AStar | WeightedAStar(reopen), OptionKind::YesNo, "update a state when a shorter path to it is found");
const SHORTCUT: OptionInfo = option!(
    AStar | WeightedAStar(shortcut),
    OptionKind::YesNo,
    "return the shortest path through the expanded states instead of the one found"
);

/// The options of [`AStar`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AStarOptions {
    /// What the estimate is multiplied with. Above 1 the solutions may be longer than needed, by that factor at most.
    pub weight: f64,
    /// Whether the states are taken by the estimate alone, whatever the length of the way.
    pub greedy: bool,
    /// Whether a state is updated when a shorter way to it is found. Without, a state once generated stays as it is, a
    /// mistake often made: the solution may then be longer than needed even with an admissible estimate.
    pub reopen: bool,
    /// Whether the way that was found is replaced at the end by the shortest one through expanded states.
    pub shortcut: bool,
}

impl Default for AStarOptions {
    fn default() -> Self {
        AStarOptions { weight: 1.0, greedy: false, reopen: true, shortcut: false }
    }
}

impl AStarOptions {
    /// The defaults for a designed or a learned heuristic. A learned one is inadmissible and inconsistent, so that
    /// reopening costs much and proves nothing, and the shortcut makes up for it.
    pub(crate) fn for_heuristic(learned: bool) -> Self {
        AStarOptions { reopen: !learned, shortcut: learned, ..AStarOptions::default() }
    }

    /// What the search proves.
    pub(crate) fn claims(&self) -> Claims {
        let in_order = !self.greedy && self.weight <= 1.0;
        let bound = if self.reopen { Bound::MinimumF } else { Bound::Start };
        Claims {
            complete: When::Always,
            optimal: When::Admissible.only_if(in_order && self.reopen),
            bound: (bound, When::Admissible),
        }
    }
}

/// A* search. With an admissible estimate and the default options, the solution is a shortest one.
///
/// ```
/// use clearway_search::{Limits, astar::{AStar, AStarOptions}, run};
/// use clearway_tiles::{Board, Puzzle, heuristics::Manhattan};
/// let puzzle = Puzzle::with_goal(Board::parse("125340")?, Board::parse("012345")?)?;
/// let outcome = run(&mut AStar::new(&puzzle, Manhattan, AStarOptions::default()), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 3);
/// assert_eq!(outcome.counters.expanded, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AStar<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: H,
    options: AStarOptions,
    nodes: Nodes<D>,
    /// By node, where it is now.
    places: Vec<Place>,
    /// Holds states more than once when a shorter way was found; those that are out of date are skipped.
    open: BinaryHeap<Open>,
    /// What the shortcut at the end needs, if one is wanted.
    links: Option<Links>,
    waiting: u64,
    pushed: u64,
    /// The largest total so far.
    total: f64,
    /// The estimate of the start.
    start_estimate: f64,
    moves: Vec<D::Move>,
    counters: Counters,
    verdict: Option<Verdict>,
    solution: Option<Vec<D::Move>>,
}

/// Where a state is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the open list.
    Open,
    /// Expanded.
    Closed,
    /// In neither: its estimate is infinite. An estimate that depends on the path may let it in later.
    Pruned,
}

/// A state in the open list. The greatest is taken first.
struct Open {
    total: f64,
    h: f64,
    pushed: u64,
    node: u32,
    g: u32,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_total = other.total.total_cmp(&self.total);
        by_total.then_with(|| other.h.total_cmp(&self.h)).then_with(|| self.pushed.cmp(&other.pushed))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl<'a, D: Domain, H: Heuristic<D>> AStar<'a, D, H> {
    /// A search from the domain's start.
    pub fn new(domain: &'a D, heuristic: H, options: AStarOptions) -> Self {
        let start = domain.start();
        let mut search = AStar {
            domain,
            heuristic,
            options,
            nodes: Nodes::new(domain.key(&start)),
            places: vec![Place::Pruned],
            open: BinaryHeap::new(),
            links: options.shortcut.then(Links::default),
            waiting: 0,
            pushed: 0,
            total: f64::NEG_INFINITY,
            start_estimate: 0.0,
            moves: Vec::new(),
            counters: Counters { generated: 1, ..Counters::default() },
            verdict: None,
            solution: None,
        };
        search.push(0, &Node { state: &start, g: 0, last: None, siblings: 0 });
        search.counters.peak_open = search.waiting;
        search
    }

    /// Puts a state into the open list, unless it is a dead end.
    fn push(&mut self, node: u32, seen: &Node<'_, D>) {
        self.counters.evaluated += 1;
        let h = estimate(&mut self.heuristic, self.domain, seen);
        if node == 0 && seen.g == 0 {
            self.start_estimate = h;
        }
        if h == f64::INFINITY {
            return;
        }
        let total = if self.options.greedy { h } else { f64::from(seen.g) + self.options.weight * h };
        if let Some(links) = self.links.as_mut().filter(|_| self.domain.is_goal(seen.state)) {
            links.goal(node);
        }
        self.pushed += 1;
        self.waiting += 1;
        self.places[node as usize] = Place::Open;
        self.open.push(Open { total, h, pushed: self.pushed, node, g: seen.g });
    }

    /// Takes the best state from the open list.
    fn pop(&mut self) -> Option<Open> {
        loop {
            let best = self.open.pop()?;
            if self.is_open(&best) {
                return Some(best);
            }
        }
    }

    /// Whether an entry of the open list is not out of date.
    fn is_open(&self, entry: &Open) -> bool {
        self.places[entry.node as usize] == Place::Open && entry.g == self.nodes.get(entry.node).g
    }

    fn expand(&mut self) -> Option<Verdict> {
        if self.nodes.full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        let Some(Open { total, node, g, .. }) = self.pop() else { return Some(Verdict::Unsolvable) };
        self.waiting -= 1;
        self.places[node as usize] = Place::Closed;
        if total > self.total {
            self.total = total;
            self.counters.until_last_jump = if self.options.greedy { 0 } else { self.counters.expanded };
        }
        let mut state = self.domain.state(self.nodes.get(node).key);
        self.counters.goal_tests += 1;
        if self.domain.is_goal(&state) {
            self.solution = Some(self.way_to(node));
            return Some(Verdict::Solved);
        }
        self.counters.expanded += 1;
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.domain.moves(&state, &mut moves);
        for &mv in &moves {
            let key = self.domain.key_after(&mut state, mv);
            let (child, better) = self.reach(node, g + 1, mv, key);
            if let Some(links) = &mut self.links {
                links.add(child);
            }
            if better {
                self.domain.apply(&mut state, mv);
                let seen = Node { state: &state, g: g + 1, last: Some(mv), siblings: moves.len() as u32 };
                self.push(child, &seen);
                self.domain.undo(&mut state, mv);
            }
        }
        if let Some(links) = &mut self.links {
            links.close(node, moves.len());
        }
        self.moves = moves;
        self.counters.peak_open = self.counters.peak_open.max(self.waiting);
        None
    }

    /// The way to a goal: the one that was found, or a shorter one through expanded states.
    fn way_to(&self, goal: u32) -> Vec<D::Move> {
        let found = self.nodes.path(goal);
        let shorter = self.links.as_ref().and_then(|links| links.shortcut(self.domain, &self.nodes, found.len()));
        shorter.unwrap_or(found)
    }

    /// A successor is made. Its number, and whether it belongs into the open list: if it is new or reached by a shorter way.
    #[inline]
    fn reach(&mut self, parent: u32, g: u32, mv: D::Move, key: D::Key) -> (u32, bool) {
        self.counters.generated += 1;
        let (node, new) = self.nodes.insert(key, parent, g, Some(mv));
        if new {
            self.places.push(Place::Pruned);
            return (node, true);
        }
        let known = self.nodes.get_mut(node);
        if known.g <= g || !self.options.reopen {
            self.counters.duplicates += 1;
            return (node, false);
        }
        (known.g, known.parent, known.last) = (g, parent, Some(mv));
        match std::mem::replace(&mut self.places[node as usize], Place::Pruned) {
            Place::Open => self.waiting -= 1,
            Place::Closed => self.counters.reopened += 1,
            Place::Pruned => {}
        }
        (node, true)
    }
}

impl<D: Domain, H: Heuristic<D>> Search<D> for AStar<'_, D, H> {
    fn step(&mut self) -> Option<Verdict> {
        if self.verdict.is_none() {
            self.verdict = self.expand();
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
        let links = self.links.as_ref().map_or(0, Links::bytes);
        let lists = self.places.capacity() + self.open.capacity() * size_of::<Open>();
        self.nodes.bytes() + lists + links + self.heuristic.bytes()
    }

    fn bytes_soon(&self) -> usize {
        let links = self.links.as_ref().map_or(0, |links| links.bytes_soon(self.nodes.len()) - links.bytes());
        self.bytes() + self.nodes.bytes_soon() - self.nodes.bytes() + links
    }

    /// With an admissible heuristic and reopening, the open list always holds a state on a shortest solution to which the
    /// shortest path is known. So no solution is shorter than the smallest g + h there, nor, in the order of A*, than the
    /// largest total so far.
    fn lower_bound(&self, admissible: bool) -> u32 {
        let tested = u32::from(self.counters.expanded > 0);
        if !admissible {
            return tested;
        }
        let mut proven = self.start_estimate;
        if self.options.reopen {
            let open = self.open.iter().filter(|entry| self.is_open(entry));
            let least = open.map(|entry| f64::from(entry.g) + entry.h).fold(f64::INFINITY, f64::min);
            proven = proven.max(if least.is_finite() { least } else { 0.0 });
            if !self.options.greedy && self.options.weight <= 1.0 {
                proven = proven.max(self.total);
            }
        }
        let found = self.solution.as_ref().map_or(u32::MAX, |solution| solution.len() as u32);
        // The cast saturates.
        tested.max(proven.ceil() as u32).min(found)
    }
}
