//! Difficulty of a board for a machine: the nodes expanded by two searches without a heuristic.

use clearway_rush::{Board, Metric, RushDomain, with_words};
use clearway_search::bfs::Bfs;
use clearway_search::deepening::{DeepeningOptions, IterativeDeepening};
use clearway_search::{Domain, Limit, Limits, Search, Verdict, Zero, run};
use serde::{Deserialize, Serialize};

/// Increment of the bound of iterative deepening, as in GP-Rush.
const INCREMENT: u32 = 5;

/// Work that two uninformed searches need to solve a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Machine {
    /// Nodes of iterative deepening with a transposition table and an increment of 5, without a heuristic.
    pub id: NodeCount,
    /// Nodes of breadth-first search.
    pub bfs: NodeCount,
}

/// Number of nodes that a search expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NodeCount {
    /// Number of expanded nodes.
    pub nodes: u64,
    /// Whether a limit ended the search, so that the number is a lower bound.
    pub at_least: bool,
}

impl Machine {
    /// Runs both searches up to `max_nodes` nodes, each within the limits that `limits` returns for it. Also returns the limit
    /// that ended one of them before that number of nodes.
    pub(super) fn measure(board: &Board, max_nodes: u64, limits: impl Fn() -> Limits) -> (Machine, Option<Limit>) {
        with_words!(board, N in [1, 2, 8] => measure_in::<N>(board, max_nodes, limits))
    }

    /// Combines two measurements of the same board: for each search the exact number if there is one, otherwise the larger
    /// lower bound.
    pub(super) fn combined(self, other: Machine) -> Machine {
        Machine { id: self.id.combined(other.id), bfs: self.bfs.combined(other.bfs) }
    }
}

impl NodeCount {
    fn combined(self, other: NodeCount) -> NodeCount {
        if self.at_least && (!other.at_least || other.nodes > self.nodes) { other } else { self }
    }
}

fn measure_in<const N: usize>(board: &Board, max_nodes: u64, limits: impl Fn() -> Limits) -> (Machine, Option<Limit>) {
    let domain = RushDomain::<N>::new(board, Metric::Moves).expect("a board has at most 128 vehicles");
    // In WebAssembly the type of domain that other crates search, so that the searches are compiled once.
    #[cfg(target_family = "wasm")]
    let domain = clearway_search::recorder::Recorder::silent(&domain);
    measure_domain(&domain, max_nodes, limits)
}

fn measure_domain<D: Domain>(domain: &D, max_nodes: u64, limits: impl Fn() -> Limits) -> (Machine, Option<Limit>) {
    let mut ended_by = None;
    let mut measure = |search: &mut dyn Search<D>| {
        let limits = limits();
        let nodes = limits.nodes.map_or(max_nodes, |nodes| nodes.min(max_nodes));
        let outcome = run(search, &Limits { nodes: Some(nodes), ..limits });
        let expanded = outcome.statistics.expanded;
        match outcome.verdict {
            Verdict::Limit(limit) => {
                ended_by = ended_by.or((expanded < max_nodes).then_some(limit));
                NodeCount { nodes: expanded, at_least: true }
            }
            Verdict::Solved | Verdict::Unsolvable => NodeCount { nodes: expanded, at_least: false },
        }
    };
    let options = DeepeningOptions { increment: INCREMENT, ..DeepeningOptions::default() };
    let id = measure(&mut IterativeDeepening::new(domain, None::<Zero>, options));
    let bfs = measure(&mut Bfs::new(domain));
    (Machine { id, bfs }, ended_by)
}
