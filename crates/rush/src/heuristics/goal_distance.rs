//! `goal-distance` (H2 of GP-Rush): the distance of the vehicles from a deduced goal board.

use super::deduced_goal::deduced_goal;
use super::lines::Lines;
use super::packed_positions::PackedPositions;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// Sum of the distances, in cells, of all vehicles from their positions in the deduced goal board; 0 if the board is solved.
///
/// Not admissible: a vehicle need not reach its position in the deduced goal board, and one slide covers many cells.
#[derive(Clone, Debug)]
pub struct GoalDistance {
    lines: Lines,
    goal: Vec<u8>,
    packed: PackedPositions,
}

impl GoalDistance {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let lines = Lines::new(domain);
        let goal = deduced_goal(domain, &lines);
        let packed = PackedPositions::new(&goal);
        GoalDistance { lines, goal, packed }
    }

    /// Position of each vehicle in the deduced goal board.
    pub fn goal(&self) -> &[u8] {
        &self.goal
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for GoalDistance {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_solved(node.state) {
            return 0.0;
        }
        if self.lines.is_exit_unreachable() {
            return f64::INFINITY;
        }
        f64::from(self.packed.distance(node.state))
    }
}
