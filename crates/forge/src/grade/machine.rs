//! How much work a board is for a machine: the nodes of two searches that know nothing about the puzzle.

use clearway_rush::{Board, Metric, RushDomain};
use clearway_search::bfs::Bfs;
use clearway_search::deepening::{Deepening, DeepeningOptions};
use clearway_search::{Limit, Limits, Search, Verdict, Zero, run};
use serde::{Deserialize, Serialize};

/// By how much the bound of iterative deepening grows, as in GP-Rush.
const INCREMENT: u32 = 5;

/// The work of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Machine {
    /// Iterative deepening with a transposition table and an increment of 5, without a heuristic.
    pub id: Nodes,
    /// Breadth-first search.
    pub bfs: Nodes,
}

/// The nodes that a search expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Nodes {
    /// How many.
    pub nodes: u64,
    /// Whether a limit ended the search, so that it needs at least as many.
    pub at_least: bool,
}

impl Machine {
    /// Runs both searches to at most so many nodes, each within the limits that it is given. Also returns the limit, other
    /// than that number, which ended one of them.
    pub(super) fn measure(board: &Board, most: u64, limits: impl Fn() -> Limits) -> (Machine, Option<Limit>) {
        match board.vehicles().len() {
            0..=16 => measure_in::<1>(board, most, limits),
            17..=32 => measure_in::<2>(board, most, limits),
            _ => measure_in::<8>(board, most, limits),
        }
    }

    /// What is known from two attempts.
    pub(super) fn or_more(self, other: Machine) -> Machine {
        Machine { id: self.id.or_more(other.id), bfs: self.bfs.or_more(other.bfs) }
    }
}

impl Nodes {
    fn or_more(self, other: Nodes) -> Nodes {
        if self.at_least && (!other.at_least || other.nodes > self.nodes) { other } else { self }
    }
}

fn measure_in<const N: usize>(board: &Board, most: u64, limits: impl Fn() -> Limits) -> (Machine, Option<Limit>) {
    let domain = RushDomain::<N>::new(board, Metric::Moves).expect("a board has at most 128 vehicles");
    let mut ended_by = None;
    let mut measure = |search: &mut dyn Search<RushDomain<N>>| {
        let limits = limits();
        let nodes = limits.nodes.map_or(most, |nodes| nodes.min(most));
        let outcome = run(search, &Limits { nodes: Some(nodes), ..limits });
        let expanded = outcome.counters.expanded;
        match outcome.verdict {
            Verdict::Limit(limit) => {
                ended_by = ended_by.or((expanded < most).then_some(limit));
                Nodes { nodes: expanded, at_least: true }
            }
            Verdict::Solved | Verdict::Unsolvable => Nodes { nodes: expanded, at_least: false },
        }
    };
    let options = DeepeningOptions { increment: INCREMENT, ..DeepeningOptions::default() };
    let id = measure(&mut Deepening::new(&domain, None::<Zero>, options));
    let bfs = measure(&mut Bfs::new(&domain));
    (Machine { id, bfs }, ended_by)
}
