//! `relaxed-plan`: the slides of a plan in a world where a cell, once free, stays free.

use super::relaxation::RelaxedPlans;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// The number of slides in a relaxed plan (delete relaxation): vehicles take up no room at the places they move to.
///
/// In such a world cells only become free, layer by layer, so every vehicle slides from where it stands now. A cell under a
/// vehicle becomes free by the shortest slide off it, to the side where that was possible in the earlier layer. The plan
/// is what the target needs, what those slides need, and so on, each slide counted once. Not admissible:
/// the choice in an early layer may be the dearer one, and slides of one vehicle to the same side are counted apart. Infinite
/// only where there is no plan at all, and so no solution.
#[derive(Clone, Debug)]
pub struct RelaxedPlan {
    plans: RelaxedPlans,
}

impl RelaxedPlan {
    /// The estimate for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        RelaxedPlan { plans: RelaxedPlans::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for RelaxedPlan {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        self.plans.slides(node.state).map_or(f64::INFINITY, f64::from)
    }
}
