//! `g`: the length of the path.

use clearway_search::{Domain, Heuristic, Node};

/// Length of the path from the start. A feature.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathLength;

impl<D: Domain> Heuristic<D> for PathLength {
    fn estimate(&mut self, _: &D, node: &Node<'_, D>) -> f64 {
        f64::from(node.g)
    }
}
