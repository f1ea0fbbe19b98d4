//! The list of all algorithms, each declared in its own module.

use super::{Algorithm, AlgorithmInfo, Bound, Claims, When};

/// All algorithms. Those with the same name differ in their selector.
pub static ALGORITHMS: &[&AlgorithmInfo] = &[
    &EXACT,
    &crate::bfs::INFO,
    &crate::tree_bfs::INFO,
    &crate::dfs::GRAPH_INFO,
    &crate::dfs::TREE_INFO,
    &crate::hybrid::INFO,
    &crate::astar::ASTAR_INFO,
    &crate::astar::WASTAR_INFO,
    &crate::astar::GREEDY_INFO,
    &crate::deepening::ID_INFO,
    &crate::deepening::IDA_INFO,
    &crate::ibex::INFO,
    &crate::beam::INFO,
    &crate::random_walk::INFO,
];

pub(super) static EXACT: AlgorithmInfo = AlgorithmInfo {
    name: "exact",
    selector: None,
    about: "the exact solver, which knows the puzzle",
    guided: false,
    options: &[],
    example: "exact",
    new: |_| Algorithm::Exact,
};

pub(super) const EXACT_CLAIMS: Claims =
    Claims { complete: When::Always, optimal: When::Always, bound: (Bound::MinimumF, When::Always) };
