//! `displaced-vehicles`: the vehicles that are not at their initial positions.

use super::packed_positions::PackedPositions;
use crate::RushDomain;
use clearway_search::{Domain, Heuristic, Node};

/// Number of vehicles that are not at their initial positions. A feature: unlike `displacement`, it does not reward long slides.
#[derive(Clone, Debug)]
pub struct DisplacedVehicles {
    start: PackedPositions,
}

impl DisplacedVehicles {
    /// Creates the feature for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let start = domain.start();
        let positions: Vec<u8> = (0..domain.bodies().len()).map(|vehicle| start.position(vehicle)).collect();
        DisplacedVehicles { start: PackedPositions::new(&positions) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for DisplacedVehicles {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let mut count = 0;
        self.start.for_each_displaced(node.state, |_| count += 1);
        f64::from(count)
    }
}
