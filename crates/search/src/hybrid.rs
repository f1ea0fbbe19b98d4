//! Breadth-first search to a cutoff depth, then depth-first search from there: Algorithm 4 of Jelle van Dijk's thesis
//! "Performance optimization of Rush Hour board generation" (2018).
//!
//! The breadth-first part is [`TreeBfs`] with early detection. It stops when the next node of the queue is at the cutoff; as in
//! the thesis, that node moves to the end of the queue. If the queue is pruned, as the future work of the thesis proposes, each
//! state is now in it only once. Then [`TreeDfs`] searches below each node of the queue to the depth
//! limit, or to less than the length of the best solution so far.
//!
//! Every counter is the sum of both parts; a node that is in the queue at the switch is counted as expanded once, in the second
//! part. Duplicates: pruned nodes. Open: the queue; in the second part, the rest of the queue and the children that are not yet visited.

use crate::dfs::{TreeDfs, TreeDfsOptions};
use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims, OptionKind, option};
use crate::tree_bfs::{Prune, TreeBfs, TreeBfsOptions};
use crate::{Domain, Search, SearchStatistics, Verdict};

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "hybrid",
    selector: None,
    about: "breadth-first, then depth-first search over paths, as in van Dijk's thesis",
    guided: false,
    options: &[
        option!(
            Hybrid(cutoff),
            OptionKind::Integer(0, u32::MAX as u64),
            *"depth at which depth-first search takes over"
        ),
        option!(Hybrid(depth), OptionKind::Integer(1, u32::MAX as u64), *"maximum length of a path"),
        option!(Hybrid(prune), OptionKind::Word(Prune::WORDS), "removal of equal states from the queue"),
    ],
    example: "hybrid(cutoff=6, depth=20)",
    new: |_| Algorithm::Hybrid(HybridOptions::default()),
};

pub(crate) const CLAIMS: Claims = Claims {
    complete: ClaimCondition::Never,
    optimal: ClaimCondition::Always,
    bound: (Bound::Depth, ClaimCondition::Always),
};

/// Options of [`Hybrid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HybridOptions {
    /// Depth at which depth-first search takes over. With 0 the whole search is depth-first.
    pub cutoff: u32,
    /// Maximum length of a path.
    pub depth: u32,
    /// Treatment of equal states in the queue.
    pub prune: Prune,
}

impl Default for HybridOptions {
    fn default() -> Self {
        HybridOptions { cutoff: 6, depth: 20, prune: Prune::None }
    }
}

/// Breadth-first, then depth-first search over paths. The solution is optimal if its length is within the depth limit.
///
/// ```
/// use clearway_search::{Limits, hybrid::{Hybrid, HybridOptions}, run};
/// use clearway_search::pancakes::Pancakes;
/// let stack = Pancakes::new(&[3, 1, 4, 2]).unwrap();
/// let outcome = run(&mut Hybrid::new(&stack, HybridOptions { cutoff: 2, depth: 7, ..HybridOptions::default() }), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 4);
/// ```
pub struct Hybrid<'a, D: Domain> {
    cutoff: u32,
    bfs: TreeBfs<'a, D>,
    dfs: TreeDfs<'a, D>,
    /// The nodes left for the depth-first part, the next one last; `None` before the switch.
    queue: Option<Vec<u32>>,
    /// Length of the queue of the breadth-first part, at the switch at the latest.
    queue_len: u64,
    /// Peak number of open nodes in the depth-first part: in the queue and below the current root.
    peak_open: u64,
}

impl<'a, D: Domain> Hybrid<'a, D> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D, options: HybridOptions) -> Self {
        let cutoff = options.cutoff.min(options.depth);
        let bfs = TreeBfsOptions { prune: options.prune, early: true, depth: cutoff, threads: 1 };
        Hybrid {
            cutoff,
            bfs: TreeBfs::new(domain, bfs),
            dfs: TreeDfs::new(domain, TreeDfsOptions { depth: options.depth }),
            queue: None,
            queue_len: 1,
            peak_open: 0,
        }
    }
}

impl<D: Domain> Search<D> for Hybrid<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        let Some(queue) = &mut self.queue else {
            if self.bfs.next_depth().is_none_or(|depth| depth < self.cutoff) {
                let verdict = self.bfs.step();
                self.queue_len = self.bfs.queue_len().unwrap_or_default();
                return verdict;
            }
            let mut order = self.bfs.remove_queue();
            self.queue_len = order.len() as u64;
            // Only pruning can have emptied the queue: no state is left that was not searched.
            if order.is_empty() {
                return Some(Verdict::Unsolvable);
            }
            order.rotate_left(1);
            order.reverse();
            if let Some(first) = order.pop() {
                self.dfs.continue_from(&self.bfs.moves_to(first));
            }
            self.queue = Some(order);
            return None;
        };
        if !self.dfs.is_done() {
            self.dfs.advance();
            self.peak_open = self.peak_open.max(queue.len() as u64 + self.dfs.open_nodes());
            return None;
        }
        match queue.pop() {
            Some(node) => self.dfs.continue_from(&self.bfs.moves_to(node)),
            None => return Some(self.dfs.final_verdict()),
        }
        None
    }

    fn statistics(&self) -> SearchStatistics {
        let (bfs, dfs) = (self.bfs.statistics(), self.dfs.statistics());
        SearchStatistics {
            expanded: bfs.expanded + dfs.expanded,
            // Both parts count the start.
            generated: bfs.generated + dfs.generated - 1,
            goal_tests: bfs.goal_tests + dfs.goal_tests,
            peak_open: bfs.peak_open.max(self.peak_open),
            duplicates: bfs.duplicates,
            ..SearchStatistics::default()
        }
    }

    fn memory_usage(&self) -> usize {
        let queue = self.queue.as_ref().map_or(0, Vec::capacity) * size_of::<u32>();
        self.bfs.memory_usage() + self.dfs.memory_usage() + queue
    }

    fn lower_bound(&self, admissible: bool) -> u32 {
        match &self.queue {
            // Everything was searched up to the best solution or the depth limit.
            Some(queue) if queue.is_empty() && self.dfs.is_done() => self.dfs.final_lower_bound(),
            _ => self.bfs.lower_bound(admissible),
        }
    }

    /// Length of the queue at the switch to depth-first search, or now if that has not happened.
    fn queue_len(&self) -> Option<u64> {
        Some(self.queue_len)
    }

    fn memory_usage_soon(&self) -> usize {
        // The queue is copied when depth-first search takes over.
        let queue = if self.queue.is_none() { self.queue_len as usize * size_of::<u32>() } else { 0 };
        self.memory_usage() + queue
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.bfs.solution().or_else(|| self.dfs.solution())
    }
}
