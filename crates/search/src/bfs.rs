//! Breadth-first search over states, with duplicate detection.
//!
//! Expanded: states whose successors were generated, each once. Generated: the start and all successors. Goal tests: states
//! removed from the queue, including the goal. Duplicates: successors generated before. Open: the queue.
//!
//! With several threads, the nodes at the head of the queue are expanded in parallel, and their successors looked up among the
//! known states; the unknown ones are then added in the order of the queue. All counts are those of one thread.

use crate::lookahead::{Batch, Lookahead, NodeExpansion};
use crate::search_space::SearchSpace;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims, OptionInfo, OptionKind, option};
use crate::{Domain, Limit, MoveOrder, Search, SearchStatistics, Verdict};
use std::ops::Range;

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "bfs",
    selector: None,
    about: "breadth-first search over states",
    guided: false,
    options: &[
        option!(Bfs(order), OptionKind::Word(MoveOrder::WORDS), "order of the moves, as in a report")
            .for_reproduction(),
        THREADS,
    ],
    example: "bfs",
    new: |_| Algorithm::Bfs(BfsOptions::default()),
};

/// Threads of a search that expands its queue in parallel.
pub(crate) const THREADS: OptionInfo = option!(
    Bfs | TreeBfs(threads),
    OptionKind::Integer(1, MAX_THREADS),
    "number of threads for one board; the counts do not depend on it"
);

const MAX_THREADS: u64 = 64;

pub(crate) const CLAIMS: Claims = Claims {
    complete: ClaimCondition::Always,
    optimal: ClaimCondition::Always,
    bound: (Bound::Depth, ClaimCondition::Always),
};

/// Options of [`Bfs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BfsOptions {
    /// Order in which successors are generated.
    pub order: MoveOrder,
    /// Number of threads.
    pub threads: u32,
}

impl Default for BfsOptions {
    fn default() -> Self {
        BfsOptions { order: MoveOrder::default(), threads: 1 }
    }
}

/// Breadth-first search with a closed list. The solution is optimal.
///
/// ```
/// use clearway_search::{Limits, Verdict, bfs::Bfs, run};
/// use clearway_search::pancakes::Pancakes;
/// let stack = Pancakes::new(&[3, 1, 2]).unwrap();
/// let outcome = run(&mut Bfs::new(&stack), &Limits::default());
/// assert_eq!(outcome.verdict, Verdict::Solved);
/// assert_eq!(outcome.solution.unwrap().len(), 2);
/// ```
pub struct Bfs<'a, D: Domain> {
    domain: &'a D,
    order: MoveOrder,
    ahead: Lookahead<D>,
    /// The queue consists of the nodes from `head` on.
    space: SearchSpace<D>,
    head: u32,
    moves: Vec<D::Move>,
    statistics: SearchStatistics,
    goal: Option<u32>,
}

impl<'a, D: Domain> Bfs<'a, D> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D) -> Self {
        Bfs::with_options(domain, BfsOptions::default())
    }

    /// Creates a search with options.
    pub fn with_options(domain: &'a D, options: BfsOptions) -> Self {
        Bfs {
            domain,
            order: options.order,
            ahead: Lookahead::new(options.threads),
            space: SearchSpace::new(domain.key(&domain.start())),
            head: 0,
            moves: Vec::new(),
            statistics: SearchStatistics { generated: 1, peak_open: 1, ..SearchStatistics::default() },
            goal: None,
        }
    }

    /// Tests the next node, which is a goal or expanded. Returns whether it is a goal.
    fn visit(&mut self, node: u32, key: D::Key, g: u32) -> bool {
        let (domain, space, order) = (self.domain, &self.space, self.order);
        let expand = |nodes| expand(domain, space, order, nodes);
        self.ahead.fill(node..space.len() as u32, expand);
        if let Some((expansion, moves, keys)) = self.ahead.take() {
            if expansion.is_goal {
                return true;
            }
            self.statistics.generated += u64::from(expansion.known);
            self.statistics.duplicates += u64::from(expansion.known);
            for (&mv, &key) in moves.iter().zip(keys) {
                let (_, new) = self.space.insert(key, node, g + 1, Some(mv));
                self.statistics.generated += 1;
                self.statistics.duplicates += u64::from(!new);
            }
            return false;
        }
        let mut state = self.domain.state(key);
        if self.domain.is_goal(&state) {
            return true;
        }
        self.moves.clear();
        self.domain.moves_in(self.order, &state, &mut self.moves);
        for &mv in &self.moves {
            let key = self.domain.key_after(&mut state, mv);
            let (_, new) = self.space.insert(key, node, g + 1, Some(mv));
            self.statistics.generated += 1;
            self.statistics.duplicates += u64::from(!new);
        }
        false
    }
}

/// Expands nodes, and lists the successors that are not yet in the search space.
fn expand<D: Domain>(domain: &D, space: &SearchSpace<D>, order: MoveOrder, nodes: Range<u32>) -> Batch<D> {
    let (mut batch, mut moves) = (Batch::new(), Vec::new());
    for node in nodes {
        let first = batch.moves.len();
        let mut state = domain.state(space.get(node).key);
        let mut expansion = NodeExpansion { is_goal: domain.is_goal(&state), ..NodeExpansion::default() };
        if !expansion.is_goal {
            moves.clear();
            domain.moves_in(order, &state, &mut moves);
            for &mv in &moves {
                let key = domain.key_after(&mut state, mv);
                if space.contains(&key) {
                    expansion.known += 1;
                } else {
                    batch.moves.push(mv);
                    batch.keys.push(key);
                }
            }
        }
        batch.push(first, expansion);
    }
    batch
}

impl<D: Domain> Search<D> for Bfs<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        if self.head as usize == self.space.len() {
            return Some(Verdict::Unsolvable);
        }
        if self.space.is_full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        let node = self.head;
        self.head += 1;
        let (key, g) = (self.space.get(node).key, self.space.get(node).g);
        if g > self.space.get(node.saturating_sub(1)).g {
            self.statistics.until_last_jump = self.statistics.expanded;
        }
        self.statistics.goal_tests += 1;
        if self.visit(node, key, g) {
            self.goal = Some(node);
            return Some(Verdict::Solved);
        }
        self.statistics.expanded += 1;
        self.statistics.peak_open = self.statistics.peak_open.max(self.space.len() as u64 - u64::from(self.head));
        None
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        self.space.memory_usage() + self.ahead.memory_usage()
    }

    /// Depth of the goal or of the next node in the queue: no node at a smaller depth is a goal.
    fn lower_bound(&self, _: bool) -> u32 {
        let last = self.space.len() as u32 - 1;
        self.space.get(self.goal.unwrap_or(self.head.min(last))).g
    }

    fn memory_usage_soon(&self) -> usize {
        self.space.memory_usage_soon() + self.ahead.memory_usage()
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.goal.map(|goal| self.space.path(goal))
    }
}
