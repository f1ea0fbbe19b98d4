//! `distance-blockers`: the distance of the target from the exit, and the vehicles in between.

use super::lines::Lines;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// Number of cells from the target to the exit, plus the number of vehicles in between.
///
/// Admissible in steps: the target needs one step per cell, and every vehicle in between at least one. Not admissible in moves,
/// where one slide covers any distance.
#[derive(Clone, Debug)]
pub struct DistanceBlockers {
    lines: Lines,
}

impl DistanceBlockers {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        DistanceBlockers { lines: Lines::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for DistanceBlockers {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_exit_unreachable() {
            return f64::INFINITY;
        }
        let distance = u32::from(self.lines.target_distance(node.state));
        f64::from(distance + self.lines.blocked_cells(node.state).count_ones())
    }
}
