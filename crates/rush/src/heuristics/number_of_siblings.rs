//! `number-of-siblings`: how many choices there were at the last move.

use clearway_search::{Domain, Heuristic, Node};

/// The number of successors of the parent, this node among them; 0 at the start. A feature.
#[derive(Clone, Copy, Debug, Default)]
pub struct NumberOfSiblings;

impl<D: Domain> Heuristic<D> for NumberOfSiblings {
    fn estimate(&mut self, _: &D, node: &Node<'_, D>) -> f64 {
        f64::from(node.siblings)
    }
}
