//! `relaxed-plan`: the slides of a plan for the relaxation in which a free cell stays free.

use super::relaxation::RelaxedPlanner;
use crate::{RushDomain, RushMove, RushState};
use clearway_search::{Heuristic, Node};

/// Number of slides in a [relaxed plan](RelaxedPlanner): vehicles do not occupy the cells that they move to (delete relaxation).
///
/// Not admissible: the choice made in an early layer may be the more expensive one, and several slides of one vehicle in the same
/// direction are counted separately. Infinite only if there is no relaxed plan, and hence no solution.
#[derive(Clone, Debug)]
pub struct RelaxedPlan {
    plans: RelaxedPlanner,
}

impl RelaxedPlan {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        RelaxedPlan { plans: RelaxedPlanner::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for RelaxedPlan {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        self.plans.slides(node.state).map_or(f64::INFINITY, f64::from)
    }

    /// Prefers the [moves of the relaxed plan](RelaxedPlanner::mark_moves).
    fn mark_preferred(&mut self, domain: &RushDomain<N>, state: &RushState<N>, moves: &[RushMove], marks: &mut [bool]) {
        self.plans.mark_moves(state, domain.metric(), moves, marks);
    }
}
