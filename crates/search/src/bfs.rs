//! Breadth-first search over states, with duplicate detection.
//!
//! Expanded: states whose successors were generated, each once. Generated: the start and all successors. Goal tests: states
//! removed from the queue, including the goal. Duplicates: successors generated before. Open: the queue.

use crate::search_space::SearchSpace;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, When};
use crate::{Domain, Limit, Search, SearchStatistics, Verdict};

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
        Bfs {
            domain,
            space: SearchSpace::new(domain.key(&domain.start())),
            head: 0,
            moves: Vec::new(),
            statistics: SearchStatistics { generated: 1, peak_open: 1, ..SearchStatistics::default() },
            goal: None,
        }
    }
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
        let mut state = self.domain.state(key);
        if g > self.space.get(node.saturating_sub(1)).g {
            self.statistics.until_last_jump = self.statistics.expanded;
        }
        self.statistics.goal_tests += 1;
        if self.domain.is_goal(&state) {
            self.goal = Some(node);
            return Some(Verdict::Solved);
        }
        self.statistics.expanded += 1;
        self.moves.clear();
        self.domain.moves(&state, &mut self.moves);
        for &mv in &self.moves {
            let key = self.domain.key_after(&mut state, mv);
            let (_, new) = self.space.insert(key, node, g + 1, Some(mv));
            self.statistics.generated += 1;
            self.statistics.duplicates += u64::from(!new);
        }
        self.statistics.peak_open = self.statistics.peak_open.max(self.space.len() as u64 - u64::from(self.head));
        None
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        self.space.memory_usage()
    }

    /// Depth of the goal or of the next node in the queue: no node at a smaller depth is a goal.
    fn lower_bound(&self, _: bool) -> u32 {
        let last = self.space.len() as u32 - 1;
        self.space.get(self.goal.unwrap_or(self.head.min(last))).g
    }

    fn memory_usage_soon(&self) -> usize {
        self.space.memory_usage_soon()
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.goal.map(|goal| self.space.path(goal))
    }
}
