//! `blockers`: the vehicles in the target's way, and the target itself.

use super::lines::Lines;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// The number of vehicles between the target and the exit, and one for the target itself; 0 when it is out.
///
/// Admissible in both metrics: each of these vehicles has to move at least once.
#[derive(Clone, Debug)]
pub struct Blockers {
    lines: Lines,
}

impl Blockers {
    /// The estimate for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        Blockers { lines: Lines::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for Blockers {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_solved(node.state) {
            return 0.0;
        }
        if self.lines.is_shut() {
            return f64::INFINITY;
        }
        f64::from(self.lines.in_the_way(node.state).count_ones() + 1)
    }
}
