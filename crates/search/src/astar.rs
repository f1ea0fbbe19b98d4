//! A* and its relatives: weighted A* and greedy best-first search.
//!
//! The open list is ordered by f = g + weight * h (greedy: h alone). Ties are broken in favour of the lower h, then of the
//! state generated later, or by the order of generation alone. When a shorter path to a state is found, the state returns to the open list, even if it was already
//! expanded; it is evaluated again, because an estimate may depend on the path.
//!
//! At the end, the path found may be replaced by the shortest path through expanded states only. This expands and counts
//! nothing, but takes memory for the successors of every expanded state.
//!
//! Expanded: states whose successors were generated, including repeated expansions. Generated: the start and all successors.
//! Evaluated: the start, new states, and states to which a shorter path was found. Goal tests: states removed from the open
//! list, including the goal. Reopened: expanded states returned to the open list. Duplicates: successors generated before and
//! not reached by a shorter path. Open: states in the open list, each counted once.

use crate::heuristic::estimate;
use crate::search_space::SearchSpace;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, OptionInfo, OptionKind, When, option, words};
use crate::successor_graph::SuccessorGraph;
use crate::{Domain, Heuristic, Limit, MoveOrder, Node, Search, SearchStatistics, Verdict};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

pub(crate) static ASTAR_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "astar",
    selector: None,
    about: "A*: best first by path length plus estimate",
    guided: true,
    options: &[REOPEN, SHORTCUT, TIES, ORDER],
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
        TIES,
        ORDER,
    ],
    example: "wastar(h1, weight=3)",
    new: |learned| Algorithm::WeightedAStar(AStarOptions { weight: 2.0, ..AStarOptions::for_heuristic(learned) }),
};

pub(crate) static GREEDY_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "greedy",
    selector: None,
    about: "greedy best-first search: by the estimate alone",
    guided: true,
    options: &[REOPEN, SHORTCUT, TIES, ORDER],
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

const TIES: OptionInfo = option!(
    AStar | WeightedAStar(ties),
    OptionKind::Word(TieBreaking::WORDS),
    "state to expand among those with the same f: with the lowest h, or generated first or last"
);
const ORDER: OptionInfo =
    option!(AStar | WeightedAStar(order), OptionKind::Word(MoveOrder::WORDS), "order of the moves, as in a report");

/// Choice among the states of the open list with the same f.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TieBreaking {
    /// The lowest h, and among those the state generated last.
    #[default]
    LowestH,
    /// The state generated first.
    First,
    /// The state generated last.
    Last,
}

words! { TieBreaking { LowestH => "h", First => "first", Last => "last" } }

impl TieBreaking {
    /// Bit of [`OpenEntry::insertion`] that makes entries of equal f ignore h.
    const IGNORES_H: u64 = 1 << 63;

    /// Encodes the number of an insertion such that the entry to expand first has the largest code.
    fn encode(self, insertion: u64) -> u64 {
        match self {
            TieBreaking::LowestH => insertion,
            TieBreaking::First => !insertion,
            TieBreaking::Last => Self::IGNORES_H | insertion,
        }
    }
}

/// Options of [`AStar`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AStarOptions {
    /// Factor of the estimate. Above 1, solutions may be suboptimal, but with an admissible heuristic at most by this factor.
    pub weight: f64,
    /// Whether to order the open list by the estimate alone, ignoring g and the weight.
    pub greedy: bool,
    /// Whether to update a state when a shorter path to it is found. Without this (a common mistake), a generated state keeps
    /// its first path, and the solution may be suboptimal even with an admissible heuristic.
    pub reopen: bool,
    /// Whether to replace the path found by the shortest path through expanded states.
    pub shortcut: bool,
    /// Choice among states with the same f.
    pub ties: TieBreaking,
    /// Order in which successors are generated.
    pub order: MoveOrder,
}

impl Default for AStarOptions {
    fn default() -> Self {
        AStarOptions {
            weight: 1.0,
            greedy: false,
            reopen: true,
            shortcut: false,
            ties: TieBreaking::default(),
            order: MoveOrder::default(),
        }
    }
}

impl AStarOptions {
    /// Returns the default options for a designed or a learned heuristic. Learned heuristics are inadmissible and inconsistent:
    /// reopening is expensive and proves nothing, and the shortcut compensates for its absence.
    pub(crate) fn for_heuristic(learned: bool) -> Self {
        AStarOptions { reopen: !learned, shortcut: learned, ..AStarOptions::default() }
    }

    /// Returns what a search with these options proves.
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
    /// Contains a state several times if shorter paths to it were found; outdated entries are skipped.
    open: BinaryHeap<OpenEntry>,
    /// Expanded states and their successors, if the shortcut is enabled.
    graph: Option<SuccessorGraph>,
    /// Number of nodes with the status `Open`.
    open_nodes: u64,
    /// Number of insertions into the open list.
    insertions: u64,
    /// Largest f-value of an expanded state so far.
    largest_f: f64,
    /// Estimate of the start.
    start_estimate: f64,
    moves: Vec<D::Move>,
    statistics: SearchStatistics,
    solution: Option<Vec<D::Move>>,
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

/// An entry of the open list. The greatest entry is expanded first.
struct OpenEntry {
    f: f64,
    h: f64,
    /// Number of its insertion, [encoded](TieBreaking::encode): of equal entries, the one with the largest code is expanded first.
    insertion: u64,
    node: u32,
    g: u32,
}

impl Ord for OpenEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_f = other.f.total_cmp(&self.f);
        let by_h = || match self.insertion & TieBreaking::IGNORES_H {
            0 => other.h.total_cmp(&self.h),
            _ => Ordering::Equal,
        };
        by_f.then_with(by_h).then_with(|| self.insertion.cmp(&other.insertion))
    }
}

impl PartialOrd for OpenEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for OpenEntry {}

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
            open: BinaryHeap::new(),
            graph: options.shortcut.then(SuccessorGraph::default),
            open_nodes: 0,
            insertions: 0,
            largest_f: f64::NEG_INFINITY,
            start_estimate: 0.0,
            moves: Vec::new(),
            statistics: SearchStatistics { generated: 1, ..SearchStatistics::default() },
            solution: None,
        };
        search.push(0, &Node { state: &start, g: 0, last: None, siblings: 0 });
        search.statistics.peak_open = search.open_nodes;
        search
    }

    /// Evaluates a state and adds it to the open list, unless it is a dead end.
    fn push(&mut self, number: u32, node: &Node<'_, D>) {
        self.statistics.evaluated += 1;
        let h = estimate(&mut self.heuristic, self.domain, node);
        if number == 0 && node.g == 0 {
            self.start_estimate = h;
        }
        if h == f64::INFINITY {
            return;
        }
        let f = if self.options.greedy { h } else { f64::from(node.g) + self.options.weight * h };
        if let Some(graph) = self.graph.as_mut().filter(|_| self.domain.is_goal(node.state)) {
            graph.add_goal(number);
        }
        self.insertions += 1;
        self.open_nodes += 1;
        self.statuses[number as usize] = NodeStatus::Open;
        self.open.push(OpenEntry {
            f,
            h,
            insertion: self.options.ties.encode(self.insertions),
            node: number,
            g: node.g,
        });
    }

    /// Removes the best state from the open list.
    fn pop(&mut self) -> Option<OpenEntry> {
        loop {
            let best = self.open.pop()?;
            if self.is_current(&best) {
                return Some(best);
            }
        }
    }

    /// Returns whether an entry of the open list is not outdated.
    fn is_current(&self, entry: &OpenEntry) -> bool {
        self.statuses[entry.node as usize] == NodeStatus::Open && entry.g == self.space.get(entry.node).g
    }

    /// Returns the path found to a goal, or a shorter one through expanded states.
    fn path_to(&self, goal: u32) -> Vec<D::Move> {
        let found = self.space.path(goal);
        let shorter = self.graph.as_ref().and_then(|graph| graph.shortcut(self.domain, &self.space, found.len()));
        shorter.unwrap_or(found)
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

impl<D: Domain, H: Heuristic<D>> Search<D> for AStar<'_, D, H> {
    fn step(&mut self) -> Option<Verdict> {
        if self.space.is_full() {
            return Some(Verdict::Limit(Limit::Memory));
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
            return Some(Verdict::Solved);
        }
        self.statistics.expanded += 1;
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.domain.moves_in(self.options.order, &state, &mut moves);
        for &mv in &moves {
            let key = self.domain.key_after(&mut state, mv);
            let (child, better) = self.generate(node, g + 1, mv, key);
            if let Some(graph) = &mut self.graph {
                graph.add(child);
            }
            if better {
                self.domain.apply(&mut state, mv);
                let successor = Node { state: &state, g: g + 1, last: Some(mv), siblings: moves.len() as u32 };
                self.push(child, &successor);
                self.domain.undo(&mut state, mv);
            }
        }
        if let Some(graph) = &mut self.graph {
            graph.finish_node(node, moves.len());
        }
        self.moves = moves;
        self.statistics.peak_open = self.statistics.peak_open.max(self.open_nodes);
        None
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        let graph = self.graph.as_ref().map_or(0, SuccessorGraph::memory_usage);
        let lists = self.statuses.capacity() + self.open.capacity() * size_of::<OpenEntry>();
        self.space.memory_usage() + lists + graph + self.heuristic.memory_usage()
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
            let open = self.open.iter().filter(|entry| self.is_current(entry));
            let least = open.map(|entry| f64::from(entry.g) + entry.h).fold(f64::INFINITY, f64::min);
            proven = proven.max(if least.is_finite() { least } else { 0.0 });
            if !self.options.greedy && self.options.weight <= 1.0 {
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
