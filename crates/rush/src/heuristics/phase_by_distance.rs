//! `phase-by-distance`: the progress towards the goal, with H2 as the estimate of the remaining distance.

use super::GoalDistance;
use super::phase_by_blockers::phase;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// g / (g + H2): 0 at the start, and 1 at a solved state that is not the start. A feature.
#[derive(Clone, Debug)]
pub struct PhaseByDistance {
    remaining: GoalDistance,
}

impl PhaseByDistance {
    /// Creates the feature for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        PhaseByDistance { remaining: GoalDistance::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for PhaseByDistance {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        phase(node.g, self.remaining.estimate(domain, node))
    }
}
