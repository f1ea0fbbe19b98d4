//! Beam search: layer by layer, and of each layer only the best states are kept.
//!
//! A state that was kept once is never kept again, so the search ends. If no layer was ever too wide, it is
//! breadth-first search and proves what it does not find; else it gives up when its layers run dry.
//!
//! Expanded: states kept whose successors were made. Generated: the start and all successors. Evaluated: those that are new to the
//! layer and no goal. Goal tests: the start, and successors that are new to the layer. Duplicates: successors that were
//! kept before or are in the layer already. Open: the rest of one layer, and what will be the next before it is cut.

use crate::heuristic::estimate;
use crate::nodes::Nodes;
use crate::spec::{Algorithm, AlgorithmInfo, Bound, Claims, OptionKind, When, option};
use crate::table::Table;
use crate::{Counters, Domain, Heuristic, Limit, Node, Search, Verdict};

pub(crate) static INFO: AlgorithmInfo = AlgorithmInfo {
    name: "beam",
    selector: None,
    about: "breadth-first search that keeps only the best states of each depth",
    guided: true,
    options: &[option!(Beam(width), OptionKind::Integer(1, u32::MAX as u64), *"number of states kept")],
    example: "beam(h1, width=100)",
    new: |_| Algorithm::Beam(BeamOptions::default()),
};

pub(crate) const CLAIMS: Claims =
    Claims { complete: When::Never, optimal: When::Never, bound: (Bound::Depth, When::Always) };

/// The options of [`Beam`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamOptions {
    /// The number of states kept of each layer; at least 1.
    pub width: u32,
}

impl Default for BeamOptions {
    fn default() -> Self {
        BeamOptions { width: 100 }
    }
}

/// Beam search of a width.
///
/// ```
/// use clearway_search::{Limits, beam::{Beam, BeamOptions}, run};
/// use clearway_tiles::{Board, Puzzle, heuristics::Manhattan};
/// let puzzle = Puzzle::with_goal(Board::parse("125340")?, Board::parse("012345")?)?;
/// let outcome = run(&mut Beam::new(&puzzle, Manhattan, BeamOptions { width: 2 }), &Limits::default());
/// assert_eq!(outcome.solution.unwrap().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Beam<'a, D: Domain, H> {
    domain: &'a D,
    heuristic: H,
    width: usize,
    /// The states kept. The present layer is those from `head` on.
    nodes: Nodes<D>,
    head: u32,
    /// The depth of the layer that a state was last a candidate for; see [`KEPT`].
    known: Table<D::Key, u32>,
    candidates: Vec<Candidate<D>>,
    moves: Vec<D::Move>,
    /// Whether a layer was ever cut.
    cut: bool,
    /// The lower bound: it grows with each layer until one was cut.
    bound: u32,
    counters: Counters,
    verdict: Option<Verdict>,
    solution: Option<Vec<D::Move>>,
}

/// The mark of a state that was kept, in place of a depth.
const KEPT: u32 = u32::MAX;

/// A state that may become part of the next layer.
struct Candidate<D: Domain> {
    h: f64,
    order: u32,
    key: D::Key,
    parent: u32,
    mv: D::Move,
}

impl<'a, D: Domain, H: Heuristic<D>> Beam<'a, D, H> {
    /// A search from the domain's start.
    pub fn new(domain: &'a D, heuristic: H, options: BeamOptions) -> Self {
        let start = domain.key(&domain.start());
        let mut known = Table::new();
        known.entry(start, KEPT);
        Beam {
            domain,
            heuristic,
            width: options.width.max(1) as usize,
            nodes: Nodes::new(start),
            head: 0,
            known,
            candidates: Vec::new(),
            moves: Vec::new(),
            cut: false,
            bound: 0,
            counters: Counters { generated: 1, peak_open: 1, ..Counters::default() },
            verdict: None,
            solution: None,
        }
    }

    fn expand(&mut self) -> Option<Verdict> {
        if self.counters.goal_tests == 0 {
            self.counters.goal_tests = 1;
            if self.domain.is_goal(&self.domain.start()) {
                self.solution = Some(Vec::new());
                return Some(Verdict::Solved);
            }
            self.bound = 1;
        } else if self.head as usize == self.nodes.len() {
            self.keep_the_best();
        }
        if self.head as usize == self.nodes.len() {
            return Some(if self.cut { Verdict::Limit(Limit::Incomplete) } else { Verdict::Unsolvable });
        }
        if self.nodes.full() {
            return Some(Verdict::Limit(Limit::Memory));
        }
        let node = self.head;
        self.head += 1;
        let (key, g) = (self.nodes.get(node).key, self.nodes.get(node).g + 1);
        let mut state = self.domain.state(key);
        self.counters.expanded += 1;
        self.moves.clear();
        self.domain.moves(&state, &mut self.moves);
        for &mv in &self.moves {
            self.counters.generated += 1;
            let key = self.domain.key_after(&mut state, mv);
            let known = self.known.entry(key, 0);
            if *known == KEPT || *known == g {
                self.counters.duplicates += 1;
                continue;
            }
            *known = g;
            self.domain.apply(&mut state, mv);
            self.counters.goal_tests += 1;
            if self.domain.is_goal(&state) {
                let mut path = self.nodes.path(node);
                path.push(mv);
                self.solution = Some(path);
                return Some(Verdict::Solved);
            }
            self.counters.evaluated += 1;
            let seen = Node { state: &state, g, last: Some(mv), siblings: self.moves.len() as u32 };
            let h = estimate(&mut self.heuristic, self.domain, &seen);
            if h < f64::INFINITY {
                let order = self.candidates.len() as u32;
                self.candidates.push(Candidate { h, order, key, parent: node, mv });
            }
            self.domain.undo(&mut state, mv);
        }
        let waiting = self.nodes.len() - self.head as usize + self.candidates.len();
        self.counters.peak_open = self.counters.peak_open.max(waiting as u64);
        None
    }

    /// Makes the next layer of the best candidates; ties go to those made first.
    fn keep_the_best(&mut self) {
        // All successors of the layer were tested; they are all states of their depth if none was ever cut.
        self.bound += u32::from(!self.cut);
        self.candidates.sort_unstable_by(|a, b| a.h.total_cmp(&b.h).then(a.order.cmp(&b.order)));
        if self.candidates.len() > self.width {
            self.cut = true;
            self.candidates.truncate(self.width);
        }
        for Candidate { key, parent, mv, .. } in self.candidates.drain(..) {
            *self.known.entry(key, KEPT) = KEPT;
            let g = self.nodes.get(parent).g + 1;
            self.nodes.insert(key, parent, g, Some(mv));
        }
    }
}

impl<D: Domain, H: Heuristic<D>> Search<D> for Beam<'_, D, H> {
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
        self.solution.clone()
    }

    fn bytes(&self) -> usize {
        let candidates = self.candidates.capacity() * size_of::<Candidate<D>>();
        self.nodes.bytes() + self.known.bytes() + candidates + self.heuristic.bytes()
    }

    fn bytes_soon(&self) -> usize {
        // The next layer becomes nodes all at once.
        let layer = self.candidates.len().min(self.width) * Nodes::<D>::bytes_each();
        let tables = self.nodes.bytes_soon() + self.known.bytes_soon() - self.nodes.bytes() - self.known.bytes();
        self.bytes() + tables + layer
    }

    fn lower_bound(&self, _: bool) -> u32 {
        self.bound
    }
}
