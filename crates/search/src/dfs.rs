//! Depth-first search: over paths, and over states.

use crate::nodes::Nodes;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, OptionKind, When, option};
use crate::{Counters, Domain, Limit, Search, Verdict};

pub(crate) static TREE_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "dfs",
    selector: Some("depth"),
    about: "depth-first search over paths to a depth, as in van Dijk's thesis",
    guided: false,
    options: &[option!(TreeDfs(depth), OptionKind::Integer(1, u32::MAX as u64), *"maximum length of a path")],
    example: "dfs(depth=20)",
    new: |_| Algorithm::TreeDfs(TreeDfsOptions { depth: 20 }),
};

pub(crate) const TREE_CLAIMS: Claims =
    Claims { complete: When::Never, optimal: When::Always, bound: (Bound::Start, When::Always) };

pub(crate) static GRAPH_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "dfs",
    selector: None,
    about: "depth-first search over states",
    guided: false,
    options: &[],
    example: "dfs",
    new: |_| Algorithm::GraphDfs,
};

pub(crate) const GRAPH_CLAIMS: Claims =
    Claims { complete: When::Always, optimal: When::Never, bound: (Bound::Start, When::Always) };

/// The options of [`TreeDfs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeDfsOptions {
    /// The maximum length of a path.
    pub depth: u32,
}

/// Depth-first search over paths: Algorithm 2 of Jelle van Dijk's thesis "Performance optimization of Rush Hour board
/// generation" (2018).
///
/// A node is a path; a piece never moves twice in a row. The search goes on after a solution, and from then on looks
/// only for shorter ones, so that the last is a shortest one, if its length is within the depth limit.
///
/// Expanded: nodes visited, as the thesis counts them, so leaves and goals too. Nodes as long as the best solution are
/// not visited after it was found, not even the goal's own siblings; with the limit at the optimum just as many nodes
/// are visited as the plain breadth-first search over paths takes from its queue. Generated: the start and its
/// descendants. Goal tests: one for each node visited. Open: children made and not yet visited.
///
/// ```
/// use clearway_search::{Limits, dfs::{TreeDfs, TreeDfsOptions}, run};
/// use clearway_tiles::{Board, Puzzle};
/// let puzzle = Puzzle::with_goal(Board::parse("125340")?, Board::parse("012345")?)?;
/// let outcome = run(&mut TreeDfs::new(&puzzle, TreeDfsOptions { depth: 7 }), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TreeDfs<'a, D: Domain> {
    domain: &'a D,
    /// The moves from the start to the present node, and its state.
    path: Vec<D::Move>,
    state: D::State,
    /// Nodes whose children are being visited.
    frames: Vec<Frame>,
    /// The children of all frames.
    moves: Vec<D::Move>,
    /// The length of the longest paths of interest.
    longest: u32,
    /// Whether the present node has yet to be visited, as the root of what is searched.
    at_root: bool,
    best: Option<Vec<D::Move>>,
    /// Whether a leaf at the depth limit was left alone.
    cut: bool,
    waiting: u64,
    counters: Counters,
    verdict: Option<Verdict>,
}

/// The children of a node: where they begin, which is next, and where they end.
struct Frame {
    first: usize,
    next: usize,
    end: usize,
}

impl<'a, D: Domain> TreeDfs<'a, D> {
    /// A search from the domain's start to a depth.
    pub fn new(domain: &'a D, options: TreeDfsOptions) -> Self {
        TreeDfs {
            domain,
            path: Vec::new(),
            state: domain.start(),
            frames: Vec::new(),
            moves: Vec::new(),
            longest: options.depth,
            at_root: true,
            best: None,
            cut: false,
            waiting: 1,
            counters: Counters { generated: 1, peak_open: 1, ..Counters::default() },
            verdict: None,
        }
    }

    /// Whether everything below the root was searched.
    pub(crate) fn done(&self) -> bool {
        !self.at_root && self.frames.is_empty()
    }

    /// How many nodes below the root wait to be visited.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting
    }

    /// Goes on below another root, with the best solution as the limit.
    pub(crate) fn go_on_from(&mut self, path: &[D::Move]) {
        self.state = self.domain.start();
        for &mv in path {
            self.domain.apply(&mut self.state, mv);
        }
        self.path.clear();
        self.path.extend_from_slice(path);
        self.at_root = true;
        self.waiting = 1;
    }

    /// Visits the next node, if there is one.
    pub(crate) fn advance(&mut self) {
        if self.at_root {
            self.at_root = false;
            self.visit();
            return;
        }
        while let Some(frame) = self.frames.last_mut() {
            if frame.next < frame.end && self.path.len() < self.longest as usize {
                let mv = self.moves[frame.next];
                frame.next += 1;
                self.counters.generated += 1;
                self.domain.apply(&mut self.state, mv);
                self.path.push(mv);
                if !self.visit() {
                    self.leave();
                }
                return;
            }
            self.waiting -= (frame.end - frame.next) as u64;
            self.moves.truncate(frame.first);
            self.frames.pop();
            if !self.frames.is_empty() {
                self.leave();
            }
        }
    }

    /// Takes back the last move.
    fn leave(&mut self) {
        if let Some(mv) = self.path.pop() {
            self.domain.undo(&mut self.state, mv);
        }
    }

    /// Visits the present node. Whether it has children to visit.
    fn visit(&mut self) -> bool {
        self.waiting -= 1;
        self.counters.expanded += 1;
        self.counters.goal_tests += 1;
        if self.domain.is_goal(&self.state) {
            self.longest = (self.path.len() as u32).saturating_sub(1);
            self.best = Some(self.path.clone());
            return false;
        }
        if self.path.len() >= self.longest as usize {
            self.cut = true;
            return false;
        }
        let first = self.moves.len();
        self.domain.moves(&self.state, &mut self.moves);
        if let Some(&last) = self.path.last() {
            let mut kept = first;
            for child in first..self.moves.len() {
                if !self.domain.same_piece(last, self.moves[child]) {
                    self.moves[kept] = self.moves[child];
                    kept += 1;
                }
            }
            self.moves.truncate(kept);
        }
        self.frames.push(Frame { first, next: first, end: self.moves.len() });
        self.waiting += (self.moves.len() - first) as u64;
        self.counters.peak_open = self.counters.peak_open.max(self.waiting);
        true
    }

    /// The lower bound when everything was searched: the length of the best solution, or more than the depth limit.
    pub(crate) fn conclusive_bound(&self) -> u32 {
        match &self.best {
            Some(best) => best.len() as u32,
            None => self.longest.saturating_add(1),
        }
    }

    /// How the search ends, when everything was searched.
    pub(crate) fn conclusion(&self) -> Verdict {
        match (&self.best, self.cut) {
            (Some(_), _) => Verdict::Solved,
            (None, true) => Verdict::Limit(Limit::Incomplete),
            (None, false) => Verdict::Unsolvable,
        }
    }
}

impl<D: Domain> Search<D> for TreeDfs<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        if self.verdict.is_none() {
            self.advance();
            self.verdict = self.done().then(|| self.conclusion());
        }
        self.verdict
    }

    fn counters(&self) -> Counters {
        Counters { peak_memory: self.bytes() as u64, ..self.counters }
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.best.clone()
    }

    fn bytes(&self) -> usize {
        let moves = self.moves.capacity() + self.path.capacity();
        moves * size_of::<D::Move>() + self.frames.capacity() * size_of::<Frame>()
    }

    fn lower_bound(&self, _: bool) -> u32 {
        match (self.verdict, &self.best) {
            (Some(_), _) => self.conclusive_bound(),
            // The start was tested, and is no goal unless the best solution is empty.
            (None, best) => u32::from(self.counters.expanded > 0 && best.as_ref().is_none_or(|best| !best.is_empty())),
        }
    }

    fn bytes_soon(&self) -> usize {
        self.bytes()
    }
}

/// Depth-first search over states: each is kept once, and the first solution found is the answer. It may be far longer
/// than needed.
///
/// All successors of a state are made at once; those never met before wait on a stack, the first move on top.
///
/// Expanded: states whose successors were made, each once. Generated: the start and all successors. Goal tests: states taken from the
/// stack, so the goal too. Duplicates: successors that were met before. Open: the stack.
///
/// ```
/// use clearway_search::{Limits, Verdict, dfs::GraphDfs, run};
/// use clearway_tiles::{Board, Puzzle};
/// let puzzle = Puzzle::with_goal(Board::parse("125340")?, Board::parse("012345")?)?;
/// let outcome = run(&mut GraphDfs::new(&puzzle), &Limits::default());
/// assert_eq!(outcome.verdict, Verdict::Solved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GraphDfs<'a, D: Domain> {
    domain: &'a D,
    nodes: Nodes<D>,
    stack: Vec<u32>,
    moves: Vec<D::Move>,
    counters: Counters,
    verdict: Option<Verdict>,
    goal: Option<u32>,
}

impl<'a, D: Domain> GraphDfs<'a, D> {
    /// A search from the domain's start.
    pub fn new(domain: &'a D) -> Self {
        GraphDfs {
            domain,
            nodes: Nodes::new(domain.key(&domain.start())),
            stack: vec![0],
            moves: Vec::new(),
            counters: Counters { generated: 1, peak_open: 1, ..Counters::default() },
            verdict: None,
            goal: None,
        }
    }

    fn expand(&mut self) -> Option<Verdict> {
        let Some(node) = self.stack.pop() else { return Some(Verdict::Unsolvable) };
        if self.nodes.full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        let (key, g) = (self.nodes.get(node).key, self.nodes.get(node).g);
        let mut state = self.domain.state(key);
        self.counters.goal_tests += 1;
        if self.domain.is_goal(&state) {
            self.goal = Some(node);
            return Some(Verdict::Solved);
        }
        self.counters.expanded += 1;
        self.moves.clear();
        self.domain.moves(&state, &mut self.moves);
        let below = self.stack.len();
        for &mv in &self.moves {
            let key = self.domain.key_after(&mut state, mv);
            let (child, new) = self.nodes.insert(key, node, g + 1, Some(mv));
            self.counters.generated += 1;
            if new {
                self.stack.push(child);
            } else {
                self.counters.duplicates += 1;
            }
        }
        self.stack[below..].reverse();
        self.counters.peak_open = self.counters.peak_open.max(self.stack.len() as u64);
        None
    }
}

impl<D: Domain> Search<D> for GraphDfs<'_, D> {
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
        self.nodes.bytes() + self.stack.capacity() * size_of::<u32>()
    }

    /// Only that the start is not a goal, once it was expanded.
    fn lower_bound(&self, _: bool) -> u32 {
        u32::from(self.counters.expanded > 0)
    }

    fn bytes_soon(&self) -> usize {
        self.bytes() + self.nodes.bytes_soon() - self.nodes.bytes()
    }
}
