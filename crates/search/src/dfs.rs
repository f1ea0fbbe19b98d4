//! Depth-first search over paths, and over states.

use crate::search_space::SearchSpace;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims, OptionKind, option};
use crate::{Domain, Limit, MoveOrder, Search, SearchStatistics, Verdict};

pub(crate) static TREE_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "dfs",
    selector: Some("depth"),
    about: "depth-first search over paths to a depth, as in van Dijk's thesis",
    guided: false,
    options: &[option!(TreeDfs(depth), OptionKind::Integer(1, u32::MAX as u64), *"maximum length of a path")],
    example: "dfs(depth=20)",
    new: |_| Algorithm::TreeDfs(TreeDfsOptions { depth: 20 }),
};

pub(crate) const TREE_CLAIMS: Claims = Claims {
    complete: ClaimCondition::Never,
    optimal: ClaimCondition::Always,
    bound: (Bound::Start, ClaimCondition::Always),
};

pub(crate) static GRAPH_INFO: AlgorithmInfo = AlgorithmInfo {
    name: "dfs",
    selector: None,
    about: "depth-first search over states",
    guided: false,
    options: &[option!(GraphDfs(order), OptionKind::Word(MoveOrder::WORDS), "order of the moves, as in a report")
        .for_reproduction()],
    example: "dfs",
    new: |_| Algorithm::GraphDfs(GraphDfsOptions::default()),
};

pub(crate) const GRAPH_CLAIMS: Claims = Claims {
    complete: ClaimCondition::Always,
    optimal: ClaimCondition::Never,
    bound: (Bound::Start, ClaimCondition::Always),
};

/// Options of [`TreeDfs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeDfsOptions {
    /// Maximum length of a path.
    pub depth: u32,
}

/// Depth-first search over paths: Algorithm 2 of Jelle van Dijk's thesis "Performance optimization of Rush Hour board
/// generation" (2018).
///
/// A node is a path; a piece never moves twice in a row. After the first solution the search continues, but only for
/// shorter ones, so the last solution is optimal if its length is within the depth limit.
///
/// Expanded: visited nodes, as in the thesis, including leaves and goals. Once a solution is found, nodes of the same depth
/// are not visited, not even the siblings of the goal. With the depth limit at the optimum, the number of visited nodes is the
/// number that plain breadth-first search over paths removes from its queue. Generated: the start and its descendants. Goal
/// tests: one per visited node. Open: children that are not yet visited.
///
/// ```
/// use clearway_search::{Limits, dfs::{TreeDfs, TreeDfsOptions}, run};
/// use clearway_search::pancakes::Pancakes;
/// let stack = Pancakes::new(&[3, 1, 4, 2]).unwrap();
/// let outcome = run(&mut TreeDfs::new(&stack, TreeDfsOptions { depth: 7 }), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 4);
/// ```
pub struct TreeDfs<'a, D: Domain> {
    domain: &'a D,
    /// Moves from the start to the current node, and its state.
    path: Vec<D::Move>,
    state: D::State,
    /// Nodes whose children are being visited.
    frames: Vec<DfsFrame>,
    /// The children of all frames.
    moves: Vec<D::Move>,
    /// Maximum length of a path: the depth limit, or less than the length of the best solution.
    max_length: u32,
    /// Whether the current node is a root that is not yet visited.
    at_root: bool,
    best: Option<Vec<D::Move>>,
    /// Whether a node at the depth limit was not expanded.
    cut: bool,
    /// Number of nodes that are not yet visited.
    open_nodes: u64,
    statistics: SearchStatistics,
}

/// The children of a node, as indices into the list of all children: the first, the next to visit, and the end.
struct DfsFrame {
    first: usize,
    next: usize,
    end: usize,
}

impl<'a, D: Domain> TreeDfs<'a, D> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D, options: TreeDfsOptions) -> Self {
        TreeDfs {
            domain,
            path: Vec::new(),
            state: domain.start(),
            frames: Vec::new(),
            moves: Vec::new(),
            max_length: options.depth,
            at_root: true,
            best: None,
            cut: false,
            open_nodes: 1,
            statistics: SearchStatistics { generated: 1, peak_open: 1, ..SearchStatistics::default() },
        }
    }

    /// Returns whether everything below the root was searched.
    pub(crate) fn is_done(&self) -> bool {
        !self.at_root && self.frames.is_empty()
    }

    /// Number of nodes below the root that are not yet visited.
    pub(crate) fn open_nodes(&self) -> u64 {
        self.open_nodes
    }

    /// Continues below another root; only solutions shorter than the best one count.
    pub(crate) fn continue_from(&mut self, path: &[D::Move]) {
        self.state = self.domain.start();
        for &mv in path {
            self.domain.apply(&mut self.state, mv);
        }
        self.path.clear();
        self.path.extend_from_slice(path);
        self.at_root = true;
        self.open_nodes = 1;
    }

    /// Visits the next node, if there is one.
    pub(crate) fn advance(&mut self) {
        if self.at_root {
            self.at_root = false;
            self.visit();
            return;
        }
        while let Some(frame) = self.frames.last_mut() {
            if frame.next < frame.end && self.path.len() < self.max_length as usize {
                let mv = self.moves[frame.next];
                frame.next += 1;
                self.statistics.generated += 1;
                self.domain.apply(&mut self.state, mv);
                self.path.push(mv);
                if !self.visit() {
                    self.undo_last();
                }
                return;
            }
            self.open_nodes -= (frame.end - frame.next) as u64;
            self.moves.truncate(frame.first);
            self.frames.pop();
            if !self.frames.is_empty() {
                self.undo_last();
            }
        }
    }

    /// Undoes the last move of the path.
    fn undo_last(&mut self) {
        if let Some(mv) = self.path.pop() {
            self.domain.undo(&mut self.state, mv);
        }
    }

    /// Visits the current node. Returns whether it was expanded.
    fn visit(&mut self) -> bool {
        self.open_nodes -= 1;
        self.statistics.expanded += 1;
        self.statistics.goal_tests += 1;
        if self.domain.is_goal(&self.state) {
            self.max_length = (self.path.len() as u32).saturating_sub(1);
            self.best = Some(self.path.clone());
            return false;
        }
        if self.path.len() >= self.max_length as usize {
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
        self.frames.push(DfsFrame { first, next: first, end: self.moves.len() });
        self.open_nodes += (self.moves.len() - first) as u64;
        self.statistics.peak_open = self.statistics.peak_open.max(self.open_nodes);
        true
    }

    /// Returns the lower bound after everything was searched: the length of the best solution, or one more than the depth limit.
    pub(crate) fn final_lower_bound(&self) -> u32 {
        match &self.best {
            Some(best) => best.len() as u32,
            None => self.max_length.saturating_add(1),
        }
    }

    /// Returns the verdict after everything was searched.
    pub(crate) fn final_verdict(&self) -> Verdict {
        match (&self.best, self.cut) {
            (Some(_), _) => Verdict::Solved,
            (None, true) => Verdict::Limit(Limit::Incomplete),
            (None, false) => Verdict::Unsolvable,
        }
    }
}

impl<D: Domain> Search<D> for TreeDfs<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        self.advance();
        self.is_done().then(|| self.final_verdict())
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        let moves = self.moves.capacity() + self.path.capacity();
        moves * size_of::<D::Move>() + self.frames.capacity() * size_of::<DfsFrame>()
    }

    fn lower_bound(&self, _: bool) -> u32 {
        if self.is_done() {
            return self.final_lower_bound();
        }
        // The start was tested; it is a goal only if the best solution is empty.
        u32::from(self.statistics.expanded > 0 && self.best.as_ref().is_none_or(|best| !best.is_empty()))
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.best.clone()
    }
}

/// Options of [`GraphDfs`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphDfsOptions {
    /// Order in which successors are generated.
    pub order: MoveOrder,
}

/// Depth-first search over states with duplicate detection. It returns the first solution found, which may be far from
/// optimal.
///
/// All successors of a state are generated at once; the new ones are pushed on a stack with the first move on top. In the order
/// of a report, they are pushed as they are generated, as the programs of the reports do: the last one is on top.
///
/// Expanded: states whose successors were generated, each once. Generated: the start and all successors. Goal tests: states
/// removed from the stack, including the goal. Duplicates: successors generated before. Open: the stack.
///
/// ```
/// use clearway_search::{Limits, Verdict, dfs::GraphDfs, run};
/// use clearway_search::pancakes::Pancakes;
/// let stack = Pancakes::new(&[3, 1, 4, 2]).unwrap();
/// let outcome = run(&mut GraphDfs::new(&stack), &Limits::default());
/// assert_eq!(outcome.verdict, Verdict::Solved);
/// ```
pub struct GraphDfs<'a, D: Domain> {
    domain: &'a D,
    order: MoveOrder,
    space: SearchSpace<D>,
    stack: Vec<u32>,
    moves: Vec<D::Move>,
    statistics: SearchStatistics,
    goal: Option<u32>,
}

impl<'a, D: Domain> GraphDfs<'a, D> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D) -> Self {
        GraphDfs::with_options(domain, GraphDfsOptions::default())
    }

    /// Creates a search with options.
    pub fn with_options(domain: &'a D, options: GraphDfsOptions) -> Self {
        GraphDfs {
            domain,
            order: options.order,
            space: SearchSpace::new(domain.key(&domain.start())),
            stack: vec![0],
            moves: Vec::new(),
            statistics: SearchStatistics { generated: 1, peak_open: 1, ..SearchStatistics::default() },
            goal: None,
        }
    }
}

impl<D: Domain> Search<D> for GraphDfs<'_, D> {
    fn step(&mut self) -> Option<Verdict> {
        let Some(node) = self.stack.pop() else { return Some(Verdict::Unsolvable) };
        if self.space.is_full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        let (key, g) = (self.space.get(node).key, self.space.get(node).g);
        let mut state = self.domain.state(key);
        self.statistics.goal_tests += 1;
        if self.domain.is_goal(&state) {
            self.goal = Some(node);
            return Some(Verdict::Solved);
        }
        self.statistics.expanded += 1;
        self.moves.clear();
        self.domain.moves_in(self.order, &state, &mut self.moves);
        let below = self.stack.len();
        for &mv in &self.moves {
            let key = self.domain.key_after(&mut state, mv);
            let (child, new) = self.space.insert(key, node, g + 1, Some(mv));
            self.statistics.generated += 1;
            if new {
                self.stack.push(child);
            } else {
                self.statistics.duplicates += 1;
            }
        }
        if self.order == MoveOrder::Standard {
            self.stack[below..].reverse();
        }
        self.statistics.peak_open = self.statistics.peak_open.max(self.stack.len() as u64);
        None
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        self.space.memory_usage() + self.stack.capacity() * size_of::<u32>()
    }

    fn memory_usage_soon(&self) -> usize {
        self.memory_usage() + self.space.memory_usage_soon() - self.space.memory_usage()
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.goal.map(|goal| self.space.path(goal))
    }
}
