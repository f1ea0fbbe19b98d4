//! `distance-blockers`: the distance of the target and the vehicles in its way.

use super::lines::Lines;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// The number of cells between the target and the exit and the number of vehicles that stand there.
///
/// Admissible in steps: the target needs as many steps as it is away, and every vehicle in its way one. In moves it is
/// not, because one slide takes the target over any distance.
#[derive(Clone, Debug)]
pub struct DistanceBlockers {
    lines: Lines,
}

impl DistanceBlockers {
    /// The estimate for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        DistanceBlockers { lines: Lines::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for DistanceBlockers {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_shut() {
            return f64::INFINITY;
        }
        let distance = u32::from(self.lines.target_distance(node.state));
        f64::from(distance + self.lines.in_the_way(node.state).count_ones())
    }
}
