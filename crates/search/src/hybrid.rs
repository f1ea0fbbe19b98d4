//! Breadth-first search to a depth, then depth-first search from there: Algorithm 4 of Jelle van Dijk's thesis
//! "Performance optimization of Rush Hour board generation" (2018).
//!
//! The breadth-first part is [`TreeBfs`] with early detection; it stops when a node at the cutoff is next. That node
//! goes to the end of the queue, as in the thesis. Then each node of the queue is searched by [`TreeDfs`] to the depth
//! limit, with the best solution so far as a closer limit.
//!
//! Every counter is the sum of both parts (a node that waits in the queue at the change is counted as expanded once, in
//! the second part). Open is the queue; in the second part, what is left of it and the children not yet visited.

use crate::dfs::{TreeDfs, TreeDfsOptions};
use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, OptionKind, When, option};
use crate::tree_bfs::{Prune, TreeBfs, TreeBfsOptions};
use crate::{Counters, Domain, Search, Verdict};

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
    ],
    example: "hybrid(cutoff=6, depth=20)",
    new: |_| Algorithm::Hybrid(HybridOptions::default()),
};

pub(crate) const CLAIMS: Claims =
    Claims { complete: When::Never, optimal: When::Always, bound: (Bound::Depth, When::Always) };

/// The options of [`Hybrid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HybridOptions {
    /// The depth at which depth-first search takes over. 0 is depth-first search alone.
    pub cutoff: u32,
    /// The length of the longest paths.
    pub depth: u32,
}

impl Default for HybridOptions {
    fn default() -> Self {
        HybridOptions { cutoff: 6, depth: 20 }
    }
}

/// Breadth-first, then depth-first search over paths. The solution is a shortest one, if its length is within the depth
/// limit.
///
/// ```
/// use clearway_search::{Limits, hybrid::{Hybrid, HybridOptions}, run};
/// use clearway_tiles::{Board, Puzzle};
/// let puzzle = Puzzle::with_goal(Board::parse("125340")?, Board::parse("012345")?)?;
/// let outcome = run(&mut Hybrid::new(&puzzle, HybridOptions { cutoff: 2, depth: 7 }), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Hybrid<'a, D: Domain> {
    cutoff: u32,
    broad: TreeBfs<'a, D>,
    deep: TreeDfs<'a, D>,
    /// The nodes of the queue that wait for the depth-first part, the next one last; none before the change.
    queue: Option<Vec<u32>>,
    queue_len: u64,
    /// The most nodes that waited in the second part, in the queue and below the node searched.
    peak_waiting: u64,
    verdict: Option<Verdict>,
}

impl<'a, D: Domain> Hybrid<'a, D> {
    /// A search from the domain's start.
    pub fn new(domain: &'a D, options: HybridOptions) -> Self {
        let cutoff = options.cutoff.min(options.depth);
        let broad = TreeBfsOptions { prune: Prune::None, early: true, depth: cutoff };
        Hybrid {
            cutoff,
            broad: TreeBfs::new(domain, broad),
            deep: TreeDfs::new(domain, TreeDfsOptions { depth: options.depth }),
            queue: None,
            queue_len: 1,
            peak_waiting: 0,
            verdict: None,
        }
    }

    fn advance(&mut self) -> Option<Verdict> {
        let Some(queue) = &mut self.queue else {
            if self.broad.next_depth().is_none_or(|depth| depth < self.cutoff) {
                let verdict = self.broad.step();
                self.queue_len = self.broad.queue_len().unwrap_or_default();
                return verdict;
            }
            let mut order: Vec<u32> = self.broad.queue().collect();
            order.rotate_left(1);
            order.reverse();
            if let Some(first) = order.pop() {
                self.deep.go_on_from(&self.broad.moves_to(first));
            }
            self.queue = Some(order);
            return None;
        };
        if !self.deep.done() {
            self.deep.advance();
            self.peak_waiting = self.peak_waiting.max(queue.len() as u64 + self.deep.waiting());
            return None;
        }
        match queue.pop() {
            Some(node) => self.deep.go_on_from(&self.broad.moves_to(node)),
            None => return Some(self.deep.conclusion()),
        }
        None
    }
}

impl<D: Domain> Search<D> for Hybrid<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        if self.verdict.is_none() {
            self.verdict = self.advance();
        }
        self.verdict
    }

    fn counters(&self) -> Counters {
        let (broad, deep) = (self.broad.counters(), self.deep.counters());
        Counters {
            expanded: broad.expanded + deep.expanded,
            // The start belongs to the first part.
            generated: broad.generated + deep.generated - 1,
            goal_tests: broad.goal_tests + deep.goal_tests,
            peak_open: broad.peak_open.max(self.peak_waiting),
            peak_memory: self.bytes() as u64,
            ..Counters::default()
        }
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.broad.solution().or_else(|| self.deep.solution())
    }

    fn bytes(&self) -> usize {
        let queue = self.queue.as_ref().map_or(0, Vec::capacity) * size_of::<u32>();
        self.broad.bytes() + self.deep.bytes() + queue
    }

    fn lower_bound(&self, admissible: bool) -> u32 {
        match self.verdict {
            // Everything was searched, to the best solution or to the depth limit.
            Some(_) if self.queue.is_some() => self.deep.conclusive_bound(),
            _ => self.broad.lower_bound(admissible),
        }
    }

    /// At the change to depth-first search once that has happened, else now.
    fn queue_len(&self) -> Option<u64> {
        Some(self.queue_len)
    }

    fn bytes_soon(&self) -> usize {
        // The queue is copied when depth-first search takes over.
        let queue = if self.queue.is_none() { self.queue_len as usize * size_of::<u32>() } else { 0 };
        self.bytes() + queue
    }
}
