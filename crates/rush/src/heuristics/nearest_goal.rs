//! `nearest-goal`: the distance of the vehicles from the nearest of several deduced goal boards, an extension that GP-Rush
//! proposes as future work.

use super::deduced_goal::deduced_goals;
use super::lines::Lines;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// Maximum number of deduced goal boards.
const MAX_GOALS: usize = 8;

/// Minimum over several deduced goal boards of the sum of the distances, in cells, of all vehicles from their positions in that
/// board; 0 if the board is solved. The goal boards differ in the directions in which vehicles make room.
///
/// Not admissible, for the same reasons as `goal-distance`, but never larger.
#[derive(Clone, Debug)]
pub struct NearestGoal {
    lines: Lines,
    goals: Vec<Vec<u8>>,
}

impl NearestGoal {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let lines = Lines::new(domain);
        let goals = deduced_goals(domain, &lines, MAX_GOALS);
        NearestGoal { lines, goals }
    }

    /// Position of each vehicle in each of the deduced goal boards, the one nearest to the start first.
    pub fn goals(&self) -> &[Vec<u8>] {
        &self.goals
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for NearestGoal {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        if self.lines.is_solved(node.state) {
            return 0.0;
        }
        if self.lines.is_exit_unreachable() {
            return f64::INFINITY;
        }
        let distance = |goal: &Vec<u8>| -> u32 {
            goal.iter().enumerate().map(|(i, &place)| u32::from(node.state.position(i).abs_diff(place))).sum()
        };
        f64::from(self.goals.iter().map(distance).min().unwrap_or_default())
    }
}
