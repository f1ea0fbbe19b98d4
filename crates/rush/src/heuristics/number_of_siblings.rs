//! `number-of-siblings`: the number of alternatives at the last move.

use clearway_search::{Domain, Heuristic, Node};

/// Number of successors of the parent, including this node; 0 at the start. A feature.
#[derive(Clone, Copy, Debug, Default)]
pub struct NumberOfSiblings;

impl<D: Domain> Heuristic<D> for NumberOfSiblings {
    fn estimate(&mut self, _: &D, node: &Node<'_, D>) -> f64 {
        f64::from(node.siblings)
    }
}
