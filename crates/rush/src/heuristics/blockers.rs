//! `blockers`: the vehicles between the target and the exit, and the target itself.

use super::lines::Lines;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// Number of vehicles between the target and the exit, plus one for the target; 0 if the board is solved, infinite if it is
/// recognised as unsolvable.
///
/// Admissible in both metrics: each of these vehicles has to move at least once.
#[derive(Clone, Debug)]
pub struct Blockers {
    lines: Lines,
}

impl Blockers {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        Blockers { lines: Lines::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for Blockers {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_solved(node.state) {
            return 0.0;
        }
        if self.lines.is_exit_unreachable() {
            return f64::INFINITY;
        }
        f64::from(self.lines.blocked_cells(node.state).count_ones() + 1)
    }
}
