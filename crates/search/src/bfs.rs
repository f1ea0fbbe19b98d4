//! Breadth-first search over states: each is kept once.
//!
//! Expanded: states whose successors were made, each once. Generated: the start and all successors. Goal tests: states taken from the
//! queue, so the goal too. Duplicates: successors that were met before. Open: the queue.

use crate::nodes::Nodes;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, When};
use crate::{Counters, Domain, Limit, Search, Verdict};

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "bfs",
    selector: None,
    about: "breadth-first search over states",
    guided: false,
    options: &[],
    example: "bfs",
    new: |_| Algorithm::Bfs,
};

pub(crate) const CLAIMS: Claims =
    Claims { complete: When::Always, optimal: When::Always, bound: (Bound::Depth, When::Always) };

/// Breadth-first search with a closed set. The solution is a shortest one.
///
/// ```
/// use clearway_search::{Limits, Verdict, bfs::Bfs, run};
/// use clearway_tiles::{Board, Puzzle};
/// let puzzle = Puzzle::with_goal(Board::parse("120345")?, Board::parse("012345")?)?;
/// let outcome = run(&mut Bfs::new(&puzzle), &Limits::default());
/// assert_eq!(outcome.verdict, Verdict::Solved);
/// assert_eq!(outcome.solution.unwrap().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Bfs<'a, D: Domain> {
    domain: &'a D,
    /// The queue is the nodes from `head` on.
    nodes: Nodes<D>,
    head: u32,
    moves: Vec<D::Move>,
    counters: Counters,
    verdict: Option<Verdict>,
    goal: Option<u32>,
}

impl<'a, D: Domain> Bfs<'a, D> {
    /// A search from the domain's start.
    pub fn new(domain: &'a D) -> Self {
        Bfs {
            domain,
            nodes: Nodes::new(domain.key(&domain.start())),
            head: 0,
            moves: Vec::new(),
            counters: Counters { generated: 1, peak_open: 1, ..Counters::default() },
            verdict: None,
            goal: None,
        }
    }

    fn expand(&mut self) -> Option<Verdict> {
        if self.head as usize == self.nodes.len() {
            return Some(Verdict::Unsolvable);
        }
        if self.nodes.full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        let node = self.head;
        self.head += 1;
        let (key, g) = (self.nodes.get(node).key, self.nodes.get(node).g);
        let mut state = self.domain.state(key);
        if g > self.nodes.get(node.saturating_sub(1)).g {
            self.counters.until_last_jump = self.counters.expanded;
        }
        self.counters.goal_tests += 1;
        if self.domain.is_goal(&state) {
            self.goal = Some(node);
            return Some(Verdict::Solved);
        }
        self.counters.expanded += 1;
        self.moves.clear();
        self.domain.moves(&state, &mut self.moves);
        for &mv in &self.moves {
            let key = self.domain.key_after(&mut state, mv);
            let (_, new) = self.nodes.insert(key, node, g + 1, Some(mv));
            self.counters.generated += 1;
            self.counters.duplicates += u64::from(!new);
        }
        self.counters.peak_open = self.counters.peak_open.max(self.nodes.len() as u64 - u64::from(self.head));
        None
    }
}

impl<D: Domain> Search<D> for Bfs<'_, D> {
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
        self.goal.map(|goal| self.nodes.path(goal))
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes()
    }

    /// The depth of the goal, or of the node that is next: all nodes above it are not goals.
    fn lower_bound(&self, _: bool) -> u32 {
        let last = self.nodes.len() as u32 - 1;
        self.nodes.get(self.goal.unwrap_or(self.head.min(last))).g
    }

    fn bytes_soon(&self) -> usize {
        self.nodes.bytes_soon()
    }
}
