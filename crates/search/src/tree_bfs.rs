//! Breadth-first search over paths: Algorithm 1 of Jelle van Dijk's thesis "Performance optimization of Rush Hour board
//! generation" (2018), with its queue pruning (5.1) and its early solution detection (5.2).
//!
//! A node is a path, not a state: a state that is reached by two paths is searched twice. However, a piece never moves twice in
//! a row. The depth is limited; a node at the limit is a leaf.
//!
//! Expanded: the nodes removed from the queue, as the thesis counts its "nodes", including leaves and the goal. Generated: the
//! start, and all children, whether or not they were queued. Goal tests: one per node removed; with early detection, one for
//! the start and one per node that is not a leaf, as a test for a winning move. Duplicates: pruned nodes. Open: the queue.
//!
//! The following consequences are tested:
//! - With early detection, the number of nodes plus the length of the queue plus 1 is the number of nodes of the plain search,
//!   provided that a winning move is the first move of its state: the plain search removes all nodes that are then in the
//!   queue before it reaches the goal.
//! - Both kinds of pruning expand the same nodes in the same order. A node that is queued while an equal state is in the queue
//!   is always dropped, and no other node is. The queue is longer with [`Prune::Post`], which drops such nodes later. (In the
//!   thesis, post-pruning takes 6 % fewer nodes, without an explanation; the rule it states cannot cause that difference.)
//!
//! With several threads (future work of the thesis), the nodes at the head of the queue are expanded in parallel, and their
//! children queued in the order of the queue. All counts are those of one thread.

use crate::bfs::THREADS;
use crate::lookahead::{Batch, Lookahead, NodeExpansion};
use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims, OptionKind, option, words};
use crate::table::StateTable;
use crate::{Domain, Limit, Search, SearchStatistics, Verdict};
use std::ops::Range;

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "bfs",
    selector: Some("tree"),
    about: "breadth-first search over paths, as in van Dijk's thesis",
    guided: false,
    options: &[
        option!(TreeBfs(early), OptionKind::Flag, "detect a solution before it is queued"),
        option!(TreeBfs(prune), OptionKind::Word(Prune::WORDS), "removal of equal states from the queue"),
        option!(TreeBfs(depth), OptionKind::Integer(1, u32::MAX as u64), "maximum length of a path"),
        THREADS,
    ],
    example: "bfs(tree, early, prune=post)",
    new: |_| Algorithm::TreeBfs(TreeBfsOptions::default()),
};

/// Treatment of equal states in the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prune {
    /// Equal states are kept.
    #[default]
    None,
    /// A child is not queued if an equal state is in the queue.
    Pre,
    /// When a node is removed from the queue, all equal states are removed with it.
    Post,
}

words! { Prune { None => "none", Pre => "pre", Post => "post" } }

/// Options of [`TreeBfs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeBfsOptions {
    /// Treatment of equal states in the queue.
    pub prune: Prune,
    /// Whether to detect a solution when its parent is expanded, before it is queued.
    pub early: bool,
    /// Maximum length of a path.
    pub depth: u32,
    /// Number of threads.
    pub threads: u32,
}

impl Default for TreeBfsOptions {
    fn default() -> Self {
        TreeBfsOptions { prune: Prune::None, early: false, depth: u32::MAX, threads: 1 }
    }
}

impl TreeBfsOptions {
    /// Returns what a search with these options proves.
    pub(crate) fn claims(self) -> Claims {
        let complete = ClaimCondition::Always.only_if(self.depth == u32::MAX);
        Claims { complete, optimal: ClaimCondition::Always, bound: (Bound::Depth, ClaimCondition::Always) }
    }
}

/// Breadth-first search over paths. The solution is optimal if its length is within the depth limit.
///
/// ```
/// use clearway_search::{Limits, Search, run, tree_bfs::{TreeBfs, TreeBfsOptions}};
/// use clearway_search::pancakes::Pancakes;
/// let stack = Pancakes::new(&[3, 1, 4, 2]).unwrap();
/// let plain = run(&mut TreeBfs::new(&stack, TreeBfsOptions::default()), &Limits::default());
/// let mut search = TreeBfs::new(&stack, TreeBfsOptions { early: true, ..TreeBfsOptions::default() });
/// let early = run(&mut search, &Limits::default());
/// assert_eq!(early.solution.unwrap().len(), 4);
/// assert_eq!(early.statistics.expanded + search.queue_len().unwrap() + 1, plain.statistics.expanded);
/// ```
pub struct TreeBfs<'a, D: Domain> {
    domain: &'a D,
    options: TreeBfsOptions,
    /// Node 0 is the start, node n is `nodes[n - 1]`. The queue consists of the nodes from `head` on.
    nodes: Vec<TreeNode<D::Move>>,
    head: u32,
    /// Number of nodes in the queue, without those that were pruned.
    queued: u64,
    /// The node after the last one of the current depth.
    level_end: u32,
    depth: u32,
    ahead: Lookahead<D>,
    /// The current node, unless it was expanded ahead.
    cursor: Cursor<D>,
    /// The states that were queued, if the queue is pruned.
    queued_states: StateTable<D::Key, QueuedState>,
    moves: Vec<D::Move>,
    statistics: SearchStatistics,
    solution: Option<Vec<D::Move>>,
    /// Whether a node at the depth limit was not expanded.
    cut: bool,
}

/// A node: the path of its parent plus one move.
#[derive(Clone, Copy)]
struct TreeNode<M> {
    parent: u32,
    mv: M,
}

/// The nodes with one state in the queue.
#[derive(Clone, Copy)]
struct QueuedState {
    /// Number of nodes with the state in the queue.
    count: u32,
    /// All nodes with the state and a number below this were removed from the queue.
    removed_below: u32,
}

impl<'a, D: Domain> TreeBfs<'a, D> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D, options: TreeBfsOptions) -> Self {
        TreeBfs {
            domain,
            options,
            nodes: Vec::new(),
            head: 0,
            queued: 1,
            level_end: 1,
            depth: 0,
            ahead: Lookahead::new(options.threads),
            cursor: Cursor::new(domain),
            queued_states: StateTable::new(),
            moves: Vec::new(),
            statistics: SearchStatistics { generated: 1, peak_open: 1, ..SearchStatistics::default() },
            solution: None,
            cut: false,
        }
    }

    /// Depth of the next node in the queue; `None` if the queue is empty.
    pub(crate) fn next_depth(&self) -> Option<u32> {
        (self.head as usize <= self.nodes.len()).then(|| self.depth + u32::from(self.head == self.level_end))
    }

    /// Removes all nodes from the queue and returns them in order. If the queue is pruned, equal states are dropped.
    pub(crate) fn remove_queue(&mut self) -> Vec<u32> {
        let (depth, queue) = (self.next_depth().unwrap_or_default(), self.head..=self.nodes.len() as u32);
        if self.options.prune == Prune::None {
            return queue.collect();
        }
        let mut kept = Vec::new();
        for node in queue {
            self.cursor.move_to(self.domain, &self.nodes, node, depth);
            if self.dequeue(node, Some(self.domain.key(&self.cursor.state))) {
                kept.push(node);
            }
        }
        kept
    }

    /// Returns the moves from the start to a node.
    pub(crate) fn moves_to(&self, mut node: u32) -> Vec<D::Move> {
        let mut moves = Vec::new();
        while node != 0 {
            let TreeNode { parent, mv } = self.nodes[node as usize - 1];
            moves.push(mv);
            node = parent;
        }
        moves.reverse();
        moves
    }

    /// Removes a node with this state from the queue and prunes equal states. Returns false if the node was already pruned.
    fn dequeue(&mut self, node: u32, key: Option<D::Key>) -> bool {
        let Some(key) = key else {
            self.queued -= 1;
            return true;
        };
        let absent = QueuedState { count: u32::from(node == 0), removed_below: 0 };
        let queued = self.queued_states.entry(key, absent);
        if node < queued.removed_below {
            return false;
        }
        self.queued -= u64::from(queued.count);
        self.statistics.duplicates += u64::from(queued.count - 1);
        *queued = QueuedState { count: 0, removed_below: self.nodes.len() as u32 + 1 };
        true
    }

    /// Queues a child of a node; `key` is its state if the queue is pruned.
    fn queue_child(&mut self, node: u32, mv: D::Move, key: Option<D::Key>) {
        self.statistics.generated += 1;
        if let Some(key) = key {
            let queued = self.queued_states.entry(key, QueuedState { count: 0, removed_below: 0 });
            if self.options.prune == Prune::Pre && queued.count > 0 {
                self.statistics.duplicates += 1;
                return;
            }
            queued.count += 1;
        }
        self.nodes.push(TreeNode { parent: node, mv });
        self.queued += 1;
    }

    /// Removes a node from the queue and, unless it ends the search, queues its children.
    fn visit(&mut self, node: u32) -> Option<Verdict> {
        let last = node.checked_sub(1).map(|index| self.nodes[index as usize].mv);
        self.cursor.move_to(self.domain, &self.nodes, node, self.depth);
        let key = (self.options.prune != Prune::None).then(|| self.domain.key(&self.cursor.state));
        if !self.dequeue(node, key) {
            return None;
        }
        self.statistics.expanded += 1;
        if !self.options.early {
            self.statistics.goal_tests += 1;
            if self.domain.is_goal(&self.cursor.state) {
                return Some(self.solved(node, None));
            }
        }
        if self.depth >= self.options.depth {
            self.cut = true;
            return None;
        }
        if self.options.early {
            self.statistics.goal_tests += 1;
            if let Some(mv) = self.domain.winning_move(&self.cursor.state) {
                return Some(self.solved(node, Some(mv)));
            }
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.domain.moves(&self.cursor.state, &mut moves);
        for &mv in &moves {
            if last.is_some_and(|last| self.domain.same_piece(last, mv)) {
                continue;
            }
            let key = key.map(|_| self.domain.key_after(&mut self.cursor.state, mv));
            self.queue_child(node, mv, key);
        }
        self.moves = moves;
        self.statistics.peak_open = self.statistics.peak_open.max(self.queued);
        None
    }

    /// Visits a node that was expanded ahead.
    fn visit_expanded(
        &mut self,
        node: u32,
        expansion: &NodeExpansion<D>,
        moves: &[D::Move],
        keys: &[D::Key],
    ) -> Option<Verdict> {
        if !self.dequeue(node, expansion.key) {
            return None;
        }
        self.statistics.expanded += 1;
        self.statistics.goal_tests += u64::from(!self.options.early || self.depth < self.options.depth);
        if expansion.is_goal || expansion.winning_move.is_some() {
            return Some(self.solved(node, expansion.winning_move));
        }
        if self.depth >= self.options.depth {
            self.cut = true;
            return None;
        }
        for (place, &mv) in moves.iter().enumerate() {
            self.queue_child(node, mv, keys.get(place).copied());
        }
        self.statistics.peak_open = self.statistics.peak_open.max(self.queued);
        None
    }

    fn solved(&mut self, node: u32, winning_move: Option<D::Move>) -> Verdict {
        self.solution = Some(self.moves_to(node).into_iter().chain(winning_move).collect());
        Verdict::Solved
    }
}

/// Expands nodes of one depth.
fn expand<D: Domain>(
    domain: &D,
    nodes: &[TreeNode<D::Move>],
    options: TreeBfsOptions,
    depth: u32,
    slice: Range<u32>,
) -> Batch<D> {
    let (mut batch, mut cursor, mut moves) = (Batch::new(), Cursor::new(domain), Vec::new());
    let prunes = options.prune != Prune::None;
    for node in slice {
        let first = batch.moves.len();
        cursor.move_to(domain, nodes, node, depth);
        let key = prunes.then(|| domain.key(&cursor.state));
        let is_goal = !options.early && domain.is_goal(&cursor.state);
        let is_leaf = depth >= options.depth;
        let winning_move = if options.early && !is_leaf { domain.winning_move(&cursor.state) } else { None };
        if !is_goal && !is_leaf && winning_move.is_none() {
            let last = node.checked_sub(1).map(|index| nodes[index as usize].mv);
            moves.clear();
            domain.moves(&cursor.state, &mut moves);
            moves.retain(|&mv| last.is_none_or(|last| !domain.same_piece(last, mv)));
            batch.moves.extend_from_slice(&moves);
            if prunes {
                batch.keys.extend(moves.iter().map(|&mv| domain.key_after(&mut cursor.state, mv)));
            }
        }
        batch.push(first, NodeExpansion { is_goal, winning_move, key, ..NodeExpansion::default() });
    }
    batch
}

/// A node with its state, from which the next one is reached by few moves.
struct Cursor<D: Domain> {
    /// The nodes from the start (excluded) to the node.
    path: Vec<u32>,
    state: D::State,
    moves: Vec<D::Move>,
}

impl<D: Domain> Cursor<D> {
    fn new(domain: &D) -> Self {
        Cursor { path: Vec::new(), state: domain.start(), moves: Vec::new() }
    }

    /// Moves to another node, via the lowest common ancestor.
    fn move_to(&mut self, domain: &D, nodes: &[TreeNode<D::Move>], node: u32, node_depth: u32) {
        let (mut ancestor, mut depth) = (node, node_depth as usize);
        self.moves.clear();
        while depth > 0 && self.path.get(depth - 1) != Some(&ancestor) {
            let TreeNode { parent, mv } = nodes[ancestor as usize - 1];
            self.moves.push(mv);
            (ancestor, depth) = (parent, depth - 1);
        }
        for &left in self.path[depth.min(self.path.len())..].iter().rev() {
            domain.undo(&mut self.state, nodes[left as usize - 1].mv);
        }
        self.path.resize(node_depth as usize, 0);
        let mut entered = node;
        for place in (depth..node_depth as usize).rev() {
            self.path[place] = entered;
            entered = nodes[entered as usize - 1].parent;
        }
        for &mv in self.moves.iter().rev() {
            domain.apply(&mut self.state, mv);
        }
    }
}

impl<D: Domain> Search<D> for TreeBfs<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        if self.options.early && self.head == 0 {
            self.statistics.goal_tests += 1;
            if self.domain.is_goal(&self.cursor.state) {
                self.queued = 0;
                return Some(self.solved(0, None));
            }
        }
        let Some(depth) = self.next_depth() else {
            return Some(if self.cut { Verdict::Limit(Limit::Incomplete) } else { Verdict::Unsolvable });
        };
        if self.nodes.len() >= (u32::MAX - (1 << 20)) as usize {
            return Some(Verdict::Limit(Limit::Memory));
        }
        if depth > self.depth {
            self.depth = depth;
            self.level_end = self.nodes.len() as u32 + 1;
        }
        let node = self.head;
        self.head += 1;
        let (domain, nodes, options) = (self.domain, &self.nodes, self.options);
        self.ahead.fill(node..self.level_end, |slice| expand(domain, nodes, options, depth, slice));
        let mut ahead = std::mem::replace(&mut self.ahead, Lookahead::new(options.threads));
        let verdict = match ahead.take() {
            Some((expansion, moves, keys)) => self.visit_expanded(node, expansion, moves, keys),
            None => self.visit(node),
        };
        self.ahead = ahead;
        verdict
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<TreeNode<D::Move>>();
        nodes + self.queued_states.memory_usage() + self.ahead.memory_usage()
    }

    /// Depth of the next node in the queue: all shorter paths were tested. Early detection has tested one level more.
    fn lower_bound(&self, _: bool) -> u32 {
        if let Some(solution) = &self.solution {
            return solution.len() as u32;
        }
        match self.next_depth() {
            _ if self.head == 0 => 0,
            Some(depth) => depth + u32::from(self.options.early),
            None => self.options.depth.saturating_add(1),
        }
    }

    /// Length of the queue; after the end, the "queue size" of the thesis.
    fn queue_len(&self) -> Option<u64> {
        Some(self.queued)
    }

    fn memory_usage_soon(&self) -> usize {
        self.memory_usage() + self.queued_states.memory_usage_soon() - self.queued_states.memory_usage()
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.solution.clone()
    }
}
