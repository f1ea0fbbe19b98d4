//! The list of all algorithms, each declared in its own module.

use super::AlgorithmInfo;

/// All algorithms. Those with the same name differ in their selector.
pub static ALGORITHMS: &[&AlgorithmInfo] = &[
    &crate::anytime::EXACT_INFO,
    &crate::anytime::PORTFOLIO_INFO,
    &crate::anytime::LAYERS_INFO,
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
