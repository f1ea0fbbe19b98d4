//! How much work a board is for a machine: the nodes of two searches that know nothing about the puzzle.

use clearway_rush::{Board, Metric, RushDomain};
use clearway_search::bfs::Bfs;
use clearway_search::deepening::{Deepening, DeepeningOptions};
use clearway_search::{Limits, Search, Verdict, Zero, run};
use serde::{Deserialize, Serialize};

/// By how much the bound of iterative deepening grows, as in GP-Rush.
const INCREMENT: u32 = 5;

/// The work of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Iterative deepening with a transposition table and an increment of 5, without a heuristic.
    pub id: Nodes,
    /// Breadth-first search.
    pub bfs: Nodes,
}

/// The nodes that a search expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nodes {
    /// How many.
    pub nodes: u64,
    /// Whether a limit ended the search, so that it needs at least as many.
    pub at_least: bool,
}

impl Machine {
    /// Runs both searches, each within the limits that it is given.
    pub(super) fn measure(board: &Board, limits: impl Fn() -> Limits) -> Machine {
        match board.vehicles().len() {
            0..=16 => measure_in::<1>(board, limits),
            17..=32 => measure_in::<2>(board, limits),
            _ => measure_in::<8>(board, limits),
        }
    }
}

fn measure_in<const N: usize>(board: &Board, limits: impl Fn() -> Limits) -> Machine {
    let domain = RushDomain::<N>::new(board, Metric::Moves).expect("a board has at most 128 vehicles");
    let options = DeepeningOptions { increment: INCREMENT, ..DeepeningOptions::default() };
    let nodes = |search: &mut dyn Search<RushDomain<N>>| {
        let outcome = run(search, &limits());
        Nodes { nodes: outcome.counters.expanded, at_least: matches!(outcome.verdict, Verdict::Limit(_)) }
    };
    Machine { id: nodes(&mut Deepening::new(&domain, None::<Zero>, options)), bfs: nodes(&mut Bfs::new(&domain)) }
}
