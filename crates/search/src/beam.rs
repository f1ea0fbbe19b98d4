//! Beam search: layer by layer, keeping only the best states of each layer.
//!
//! A state is kept at most once, so the search terminates. As long as no layer exceeds the width, this is breadth-first search
//! and its failure proves the problem unsolvable; otherwise the search gives up when a layer is empty.
//!
//! Expanded: kept states whose successors were generated. Generated: the start and all successors. Evaluated: successors that
//! are new to the layer and not goals. Goal tests: the start, and successors that are new to the layer. Duplicates: successors
//! that were kept before or are already in the layer. Open: the rest of the current layer, and the candidates for the next.

use crate::heuristic::estimate;
use crate::search_space::SearchSpace;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, ClaimCondition, Claims, OptionKind, option};
use crate::table::StateTable;
use crate::{Domain, Heuristic, Limit, Node, Search, SearchStatistics, Verdict};

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "beam",
    selector: None,
    about: "breadth-first search that keeps only the best states of each depth",
    guided: true,
    options: &[option!(Beam(width), OptionKind::Integer(1, u32::MAX as u64), *"number of states kept")],
    example: "beam(h1, width=100)",
    new: |_| Algorithm::Beam(BeamOptions::default()),
};

pub(crate) const CLAIMS: Claims = Claims {
    complete: ClaimCondition::Never,
    optimal: ClaimCondition::Never,
    bound: (Bound::Depth, ClaimCondition::Always),
};

/// Options of [`Beam`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamOptions {
    /// Number of states kept of each layer; at least 1.
    pub width: u32,
}

impl Default for BeamOptions {
    fn default() -> Self {
        BeamOptions { width: 100 }
    }
}

/// Beam search with a fixed width.
///
/// ```
/// use clearway_search::{Limits, beam::{Beam, BeamOptions}, run};
/// use clearway_search::pancakes::{Gaps, Pancakes};
/// let stack = Pancakes::new(&[3, 1, 4, 2]).unwrap();
/// let outcome = run(&mut Beam::new(&stack, Gaps, BeamOptions { width: 2 }), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 4);
/// ```
pub struct Beam<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: H,
    width: usize,
    /// The kept states. The current layer consists of those from `head` on.
    space: SearchSpace<D>,
    head: u32,
    /// Depth of the layer that a state was last a candidate for, or [`KEPT`].
    known: StateTable<D::Key, u32>,
    candidates: Vec<Candidate<D>>,
    moves: Vec<D::Move>,
    /// Whether a layer has exceeded the width.
    cut: bool,
    /// Lower bound, which grows with each layer until one is cut.
    bound: u32,
    statistics: SearchStatistics,
    solution: Option<Vec<D::Move>>,
}

/// Marks a kept state, instead of a depth.
const KEPT: u32 = u32::MAX;

/// A candidate for the next layer.
struct Candidate<D: Domain> {
    h: f64,
    order: u32,
    key: D::Key,
    parent: u32,
    mv: D::Move,
}

impl<'a, D: Domain, H: Heuristic<D>> Beam<'a, D, H> {
    /// Creates a search from the domain's start.
    pub fn new(domain: &'a D, heuristic: H, options: BeamOptions) -> Self {
        let start = domain.key(&domain.start());
        let mut known = StateTable::new();
        known.entry(start, KEPT);
        Beam {
            domain,
            heuristic,
            width: options.width.max(1) as usize,
            space: SearchSpace::new(start),
            head: 0,
            known,
            candidates: Vec::new(),
            moves: Vec::new(),
            cut: false,
            bound: 0,
            statistics: SearchStatistics { generated: 1, peak_open: 1, ..SearchStatistics::default() },
            solution: None,
        }
    }

    /// Forms the next layer from the best candidates; ties are broken in favour of those generated first.
    fn select_next_layer(&mut self) {
        // All successors of the layer were tested: all states of their depth, if no layer was cut.
        self.bound += u32::from(!self.cut);
        self.candidates.sort_unstable_by(|a, b| a.h.total_cmp(&b.h).then(a.order.cmp(&b.order)));
        if self.candidates.len() > self.width {
            self.cut = true;
            self.candidates.truncate(self.width);
        }
        for Candidate { key, parent, mv, .. } in self.candidates.drain(..) {
            *self.known.entry(key, KEPT) = KEPT;
            let g = self.space.get(parent).g + 1;
            self.space.insert(key, parent, g, Some(mv));
        }
    }
}

impl<D: Domain, H: Heuristic<D>> Search<D> for Beam<'_, D, H> {
    fn step(&mut self) -> Option<Verdict> {
        if self.statistics.goal_tests == 0 {
            self.statistics.goal_tests = 1;
            if self.domain.is_goal(&self.domain.start()) {
                self.solution = Some(Vec::new());
                return Some(Verdict::Solved);
            }
            self.bound = 1;
        } else if self.head as usize == self.space.len() {
            self.select_next_layer();
        }
        if self.head as usize == self.space.len() {
            return Some(if self.cut { Verdict::Limit(Limit::Incomplete) } else { Verdict::Unsolvable });
        }
        if self.space.is_full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        let node = self.head;
        self.head += 1;
        let (key, g) = (self.space.get(node).key, self.space.get(node).g + 1);
        let mut state = self.domain.state(key);
        self.statistics.expanded += 1;
        self.moves.clear();
        self.domain.moves(&state, &mut self.moves);
        for &mv in &self.moves {
            self.statistics.generated += 1;
            let key = self.domain.key_after(&mut state, mv);
            let known = self.known.entry(key, 0);
            if *known == KEPT || *known == g {
                self.statistics.duplicates += 1;
                continue;
            }
            *known = g;
            self.domain.apply(&mut state, mv);
            self.statistics.goal_tests += 1;
            if self.domain.is_goal(&state) {
                let mut path = self.space.path(node);
                path.push(mv);
                self.solution = Some(path);
                return Some(Verdict::Solved);
            }
            self.statistics.evaluated += 1;
            let successor = Node { state: &state, g, last: Some(mv), siblings: self.moves.len() as u32 };
            let h = estimate(&mut self.heuristic, self.domain, &successor);
            if h < f64::INFINITY {
                let order = self.candidates.len() as u32;
                self.candidates.push(Candidate { h, order, key, parent: node, mv });
            }
            self.domain.undo(&mut state, mv);
        }
        let open_nodes = self.space.len() - self.head as usize + self.candidates.len();
        self.statistics.peak_open = self.statistics.peak_open.max(open_nodes as u64);
        None
    }

    fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn memory_usage(&self) -> usize {
        let candidates = self.candidates.capacity() * size_of::<Candidate<D>>();
        self.space.memory_usage() + self.known.memory_usage() + candidates + self.heuristic.memory_usage()
    }

    fn memory_usage_soon(&self) -> usize {
        // The candidates of the next layer are inserted all at once.
        let layer = self.candidates.len().min(self.width) * SearchSpace::<D>::bytes_per_node();
        let tables = self.space.memory_usage_soon() + self.known.memory_usage_soon()
            - self.space.memory_usage()
            - self.known.memory_usage();
        self.memory_usage() + tables + layer
    }

    fn lower_bound(&self, _: bool) -> u32 {
        self.bound
    }

    fn solution(&self) -> Option<Vec<D::Move>> {
        self.solution.clone()
    }
}
