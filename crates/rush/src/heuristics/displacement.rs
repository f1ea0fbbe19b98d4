//! `displacement`: the distance of the vehicles from their initial positions.

use crate::RushDomain;
use clearway_search::{Domain, Heuristic, Node};

/// Sum of the distances, in cells, of all vehicles from their initial positions.
///
/// A feature: it grows along a solution, so its weight in sums should be negative. It helps if the start is about as far from
/// the goal as any state of its component, as in collections of hard boards.
#[derive(Clone, Debug)]
pub struct Displacement {
    start: Vec<u8>,
}

impl Displacement {
    /// Creates the feature for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let start = domain.start();
        Displacement { start: (0..domain.bodies().len()).map(|vehicle| start.position(vehicle)).collect() }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for Displacement {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let cells = self.start.iter().enumerate();
        f64::from(cells.map(|(i, &start)| u32::from(node.state.position(i).abs_diff(start))).sum::<u32>())
    }
}
