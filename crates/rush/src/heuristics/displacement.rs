//! `displacement`: the distance of the vehicles from their initial positions.

use super::packed_positions::PackedPositions;
use crate::RushDomain;
use clearway_search::{Domain, Heuristic, Node};

/// Sum of the distances, in cells, of all vehicles from their initial positions.
///
/// A feature: it grows along a solution, so its weight in sums should be negative. It helps if the start is about as far from
/// the goal as any state of its component, as in collections of hard boards.
#[derive(Clone, Debug)]
pub struct Displacement {
    start: PackedPositions,
}

impl Displacement {
    /// Creates the feature for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let start = domain.start();
        let positions: Vec<u8> = (0..domain.bodies().len()).map(|vehicle| start.position(vehicle)).collect();
        Displacement { start: PackedPositions::new(&positions) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for Displacement {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        f64::from(self.start.distance(node.state))
    }
}
