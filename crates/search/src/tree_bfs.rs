//! Breadth-first search over paths: Algorithm 1 of Jelle van Dijk's thesis "Performance optimization of Rush Hour board
//! generation" (2018), with its queue pruning (5.1) and its early solution detection (5.2).
//!
//! A node is a path, not a state: a state that is reached in two ways is searched twice. Only a piece never moves twice
//! in a row. The depth is limited; a node at the limit is a leaf.
//!
//! Expanded: the nodes taken from the queue, as the thesis counts its "nodes": leaves and the goal too. Generated:
//! the start, and children made, whether or not they were queued. Goal tests: one for each node taken; with early detection, one for
//! the start, and one for each node that is not a leaf, asking for a winning move. Duplicates: nodes pruned. Open: the
//! queue.
//!
//! Facts that follow, and are tested:
//! - With early detection, nodes + queue + 1 is what the plain search takes, provided that a winning move is the first
//!   of its state's moves: what is queued then would all have been taken before the goal.
//! - The two ways of pruning take the same nodes in the same order, and so equally many. Whatever is queued while its
//!   equal waits is dropped sooner or later, and nothing else is. Only the queue is longer with [`Prune::Post`], which
//!   drops it later. (In the thesis the later way takes 6 % fewer nodes, for which it has no explanation; its rule
//!   cannot give that difference.)

use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, OptionKind, When, option, words};
use crate::table::Table;
use crate::{Counters, Domain, Limit, Search, Verdict};

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "bfs",
    selector: Some("tree"),
    about: "breadth-first search over paths, as in van Dijk's thesis",
    guided: false,
    options: &[
        option!(TreeBfs(early), OptionKind::Flag, "detect a solution before it is queued"),
        option!(TreeBfs(prune), OptionKind::Word(Prune::WORDS), "removal of equal states from the queue"),
        option!(TreeBfs(depth), OptionKind::Integer(1, u32::MAX as u64), "maximum length of a path"),
    ],
    example: "bfs(tree, early, prune=post)",
    new: |_| Algorithm::TreeBfs(TreeBfsOptions::default()),
};

/// What is done about equal states in the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prune {
    /// Nothing.
    #[default]
    None,
    /// A child is not queued while an equal state is in the queue.
    Pre,
    /// When a node is taken from the queue, all equal states are removed from the queue.
    Post,
}

words! { Prune { None => "none", Pre => "pre", Post => "post" } }

/// The options of [`TreeBfs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeBfsOptions {
    /// What is done about equal states in the queue.
    pub prune: Prune,
    /// Whether a solution is detected at its parent, before it is queued.
    pub early: bool,
    /// The length of the longest paths.
    pub depth: u32,
}

impl Default for TreeBfsOptions {
    fn default() -> Self {
        TreeBfsOptions { prune: Prune::None, early: false, depth: u32::MAX }
    }
}

impl TreeBfsOptions {
    /// What the search proves.
    pub(crate) fn claims(self) -> Claims {
        let complete = When::Always.only_if(self.depth == u32::MAX);
        Claims { complete, optimal: When::Always, bound: (Bound::Depth, When::Always) }
    }
}

/// Breadth-first search over paths. The solution is a shortest one, if its length is within the depth limit.
///
/// ```
/// use clearway_search::{Limits, Search, run, tree_bfs::{TreeBfs, TreeBfsOptions}};
/// use clearway_tiles::{Board, Puzzle};
/// let puzzle = Puzzle::with_goal(Board::parse("125340")?, Board::parse("012345")?)?;
/// let plain = run(&mut TreeBfs::new(&puzzle, TreeBfsOptions::default()), &Limits::default());
/// let mut search = TreeBfs::new(&puzzle, TreeBfsOptions { early: true, ..TreeBfsOptions::default() });
/// let early = run(&mut search, &Limits::default());
/// assert_eq!(early.solution.unwrap().len(), 3);
/// assert_eq!(early.counters.expanded + search.queue_len().unwrap() + 1, plain.counters.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TreeBfs<'a, D: Domain> {
    domain: &'a D,
    options: TreeBfsOptions,
    /// Node 0 is the start, node n is `links[n - 1]`. The queue is the nodes from `head` on.
    links: Vec<Link<D::Move>>,
    head: u32,
    /// How many nodes wait in the queue, without those that were removed from its middle.
    queued: u64,
    /// The node after the last of the present depth.
    level_end: u32,
    depth: u32,
    /// The nodes from the start (left out) to the one taken last, whose state is `state`.
    path: Vec<u32>,
    state: D::State,
    /// The states in the queue, when it is pruned.
    waiting: Table<D::Key, Waiting>,
    moves: Vec<D::Move>,
    counters: Counters,
    verdict: Option<Verdict>,
    solution: Option<Vec<D::Move>>,
    /// Whether a leaf at the depth limit was left alone.
    cut: bool,
}

/// A node: its parent and the last move.
#[derive(Clone, Copy)]
struct Link<M> {
    parent: u32,
    mv: M,
}

/// What is known of one state in the queue.
#[derive(Clone, Copy)]
struct Waiting {
    /// How many nodes with it wait.
    count: u32,
    /// Nodes with it and a smaller number than this were taken or removed.
    gone: u32,
}

impl<'a, D: Domain> TreeBfs<'a, D> {
    /// A search from the domain's start.
    pub fn new(domain: &'a D, options: TreeBfsOptions) -> Self {
        TreeBfs {
            domain,
            options,
            links: Vec::new(),
            head: 0,
            queued: 1,
            level_end: 1,
            depth: 0,
            path: Vec::new(),
            state: domain.start(),
            waiting: Table::new(),
            moves: Vec::new(),
            counters: Counters { generated: 1, peak_open: 1, ..Counters::default() },
            verdict: None,
            solution: None,
            cut: false,
        }
    }

    /// The depth of the node that is taken next; none if the queue is empty.
    pub(crate) fn next_depth(&self) -> Option<u32> {
        (self.head as usize <= self.links.len()).then(|| self.depth + u32::from(self.head == self.level_end))
    }

    /// The nodes that wait, in order; right only without pruning.
    pub(crate) fn queue(&self) -> std::ops::RangeInclusive<u32> {
        self.head..=self.links.len() as u32
    }

    /// The moves from the start to a node.
    pub(crate) fn moves_to(&self, mut node: u32) -> Vec<D::Move> {
        let mut moves = Vec::new();
        while node != 0 {
            let Link { parent, mv } = self.links[node as usize - 1];
            moves.push(mv);
            node = parent;
        }
        moves.reverse();
        moves
    }

    fn take(&mut self) -> Option<Verdict> {
        if self.options.early && self.head == 0 {
            self.counters.goal_tests += 1;
            if self.domain.is_goal(&self.state) {
                self.queued = 0;
                return Some(self.solved(None));
            }
        }
        let Some(depth) = self.next_depth() else {
            return Some(if self.cut { Verdict::Limit(Limit::Incomplete) } else { Verdict::Unsolvable });
        };
        if self.links.len() >= (u32::MAX - (1 << 20)) as usize {
            return Some(Verdict::Limit(Limit::Memory));
        }
        if depth > self.depth {
            self.depth = depth;
            self.level_end = self.links.len() as u32 + 1;
        }
        let node = self.head;
        self.head += 1;
        self.walk_to(node);
        if !self.leaves_the_queue(node) {
            return None;
        }
        self.counters.expanded += 1;
        if !self.options.early {
            self.counters.goal_tests += 1;
            if self.domain.is_goal(&self.state) {
                return Some(self.solved(None));
            }
        }
        if depth >= self.options.depth {
            self.cut = true;
            return None;
        }
        if self.options.early {
            self.counters.goal_tests += 1;
            if let Some(wins) = self.domain.winning_move(&self.state) {
                return Some(self.solved(Some(wins)));
            }
        }
        self.queue_children(node);
        None
    }

    /// Takes a node out of the account of the queue, and prunes. False if it had been removed already.
    fn leaves_the_queue(&mut self, node: u32) -> bool {
        if self.options.prune == Prune::None {
            self.queued -= 1;
            return true;
        }
        let own = Waiting { count: u32::from(node == 0), gone: 0 };
        let waiting = self.waiting.entry(self.domain.key(&self.state), own);
        if node < waiting.gone {
            return false;
        }
        self.queued -= u64::from(waiting.count);
        self.counters.duplicates += u64::from(waiting.count - 1);
        *waiting = Waiting { count: 0, gone: self.links.len() as u32 + 1 };
        true
    }

    fn queue_children(&mut self, node: u32) {
        let last = node.checked_sub(1).map(|link| self.links[link as usize].mv);
        self.moves.clear();
        self.domain.moves(&self.state, &mut self.moves);
        for &mv in &self.moves {
            if last.is_some_and(|last| self.domain.same_piece(last, mv)) {
                continue;
            }
            self.counters.generated += 1;
            if self.options.prune != Prune::None {
                let key = self.domain.key_after(&mut self.state, mv);
                let waiting = self.waiting.entry(key, Waiting { count: 0, gone: 0 });
                if self.options.prune == Prune::Pre && waiting.count > 0 {
                    self.counters.duplicates += 1;
                    continue;
                }
                waiting.count += 1;
            }
            self.links.push(Link { parent: node, mv });
            self.queued += 1;
        }
        self.counters.peak_open = self.counters.peak_open.max(self.queued);
    }

    /// Goes from the node taken last to the next, by way of their last common ancestor.
    fn walk_to(&mut self, node: u32) {
        let (mut ancestor, mut depth) = (node, self.depth as usize);
        self.moves.clear();
        while depth > 0 && self.path.get(depth - 1) != Some(&ancestor) {
            let Link { parent, mv } = self.links[ancestor as usize - 1];
            self.moves.push(mv);
            (ancestor, depth) = (parent, depth - 1);
        }
        for &left in self.path[depth.min(self.path.len())..].iter().rev() {
            self.domain.undo(&mut self.state, self.links[left as usize - 1].mv);
        }
        self.path.resize(self.depth as usize, 0);
        let mut entered = node;
        for place in (depth..self.depth as usize).rev() {
            self.path[place] = entered;
            entered = self.links[entered as usize - 1].parent;
        }
        for &mv in self.moves.iter().rev() {
            self.domain.apply(&mut self.state, mv);
        }
    }

    fn solved(&mut self, wins: Option<D::Move>) -> Verdict {
        let moves = self.path.iter().map(|&node| self.links[node as usize - 1].mv);
        self.solution = Some(moves.chain(wins).collect());
        Verdict::Solved
    }
}

impl<D: Domain> Search<D> for TreeBfs<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        if self.verdict.is_none() {
            self.verdict = self.take();
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
        self.links.capacity() * size_of::<Link<D::Move>>() + self.waiting.bytes()
    }

    /// The depth of the node that is next: all paths above it were searched. Early detection has tested one level more.
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

    /// After the end, the "queue size" of the thesis.
    fn queue_len(&self) -> Option<u64> {
        Some(self.queued)
    }

    fn bytes_soon(&self) -> usize {
        self.bytes() + self.waiting.bytes_soon() - self.waiting.bytes()
    }
}
