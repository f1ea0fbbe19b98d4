//! Expansion of queued nodes by several threads, ahead of the search that takes them from the queue.
//!
//! A search that removes its nodes in the order of a queue lets threads expand the next few thousand of them at once, and then
//! takes the results one by one, in order. So each step expands one node, and counts, limits and solutions are those of a single
//! thread. Results that the search does not need any more, because it has ended, are dropped.

use crate::Domain;
use clearway_util::parallel;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Maximum number of nodes per thread that are expanded ahead of the search.
const NODES_PER_THREAD: u32 = 2048;
/// Minimum number of nodes for which starting threads is worthwhile.
const MIN_NODES: u32 = 256;
/// Slices of the queue per thread, to balance the work.
const SLICES_PER_THREAD: u32 = 4;

/// What a thread has found out about a queued node.
pub(crate) struct NodeExpansion<D: Domain> {
    pub is_goal: bool,
    pub winning_move: Option<D::Move>,
    /// Key of its state, if the search needs it.
    pub key: Option<D::Key>,
    /// Number of successors that were already known, and are not listed.
    pub known: u32,
    /// Number of successors that are listed, set by [`Batch::push`].
    pub listed: u32,
}

/// Expansions of consecutive nodes.
pub(crate) struct Batch<D: Domain> {
    expansions: Vec<NodeExpansion<D>>,
    /// Moves to the listed successors of all nodes.
    pub moves: Vec<D::Move>,
    /// Keys of the listed successors, if the search needs them.
    pub keys: Vec<D::Key>,
    /// Number of expansions taken, and of their listed successors.
    taken: usize,
    taken_moves: usize,
}

impl<D: Domain> Batch<D> {
    pub fn new() -> Self {
        Batch { expansions: Vec::new(), moves: Vec::new(), keys: Vec::new(), taken: 0, taken_moves: 0 }
    }

    /// Completes the expansion of a node, whose listed successors are the moves from `first` on.
    pub fn push(&mut self, first: usize, mut expansion: NodeExpansion<D>) {
        expansion.listed = (self.moves.len() - first) as u32;
        self.expansions.push(expansion);
    }
}

impl<D: Domain> Default for NodeExpansion<D> {
    fn default() -> Self {
        NodeExpansion { is_goal: false, winning_move: None, key: None, known: 0, listed: 0 }
    }
}

/// An expansion with the moves and keys of its listed successors.
type ListedExpansion<'a, D> = (&'a NodeExpansion<D>, &'a [<D as Domain>::Move], &'a [<D as Domain>::Key]);

/// Expansions of the nodes at the head of a queue.
pub(crate) struct Lookahead<D: Domain> {
    threads: u32,
    batches: VecDeque<Batch<D>>,
}

impl<D: Domain> Lookahead<D> {
    pub fn new(threads: u32) -> Self {
        Lookahead { threads, batches: VecDeque::new() }
    }

    /// Expands nodes of the queue with `expand`, unless some are already expanded, the queue is short, or there is only one thread.
    pub fn fill(&mut self, queue: Range<u32>, expand: impl Fn(Range<u32>) -> Batch<D> + Sync) {
        let is_exhausted = |batch: &Batch<D>| batch.taken == batch.expansions.len();
        while self.batches.front().is_some_and(is_exhausted) {
            self.batches.pop_front();
        }
        let waiting = (queue.end - queue.start).min(self.threads.saturating_mul(NODES_PER_THREAD));
        if !parallel::HAS_THREADS || self.threads < 2 || !self.batches.is_empty() || waiting < MIN_NODES {
            return;
        }
        let length = waiting.div_ceil(self.threads * SLICES_PER_THREAD);
        let end = queue.start + waiting;
        let slice = |start: u32| start..(start + length).min(end);
        let slices: Vec<Range<u32>> = (queue.start..end).step_by(length as usize).map(slice).collect();
        let done =
            parallel::map(self.threads as usize, &slices, &AtomicBool::new(false), |slice| expand(slice.clone()));
        self.batches = done.unwrap_or_default().into();
    }

    /// Takes the expansion of the next node after a call of [`fill`](Self::fill), with the moves and keys of its listed successors; `None` if it is not expanded.
    pub fn take(&mut self) -> Option<ListedExpansion<'_, D>> {
        let batch = self.batches.front_mut()?;
        let expansion = &batch.expansions[batch.taken];
        let listed = batch.taken_moves..batch.taken_moves + expansion.listed as usize;
        (batch.taken, batch.taken_moves) = (batch.taken + 1, listed.end);
        Some((expansion, &batch.moves[listed.clone()], batch.keys.get(listed).unwrap_or_default()))
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        let bytes = |batch: &Batch<D>| {
            batch.expansions.capacity() * size_of::<NodeExpansion<D>>()
                + batch.moves.capacity() * size_of::<D::Move>()
                + batch.keys.capacity() * size_of::<D::Key>()
        };
        self.batches.iter().map(bytes).sum()
    }
}
