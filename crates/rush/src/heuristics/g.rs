//! `g`: how far the search has come.

use clearway_search::{Domain, Heuristic, Node};

/// The length of the path from the start. A feature.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathLength;

impl<D: Domain> Heuristic<D> for PathLength {
    fn estimate(&mut self, _: &D, node: &Node<'_, D>) -> f64 {
        f64::from(node.g)
    }
}
