//! `is-preferred-move`: whether the last move was one that the relaxed plan recommends.

use super::relaxation::RelaxedPlanner;
use crate::RushDomain;
use clearway_search::{Domain, Heuristic, Node};

/// 1 if the last move was a [move of the relaxed plan](RelaxedPlanner::mark_moves) of the state before it, otherwise 0; 0 at the
/// start. A feature.
#[derive(Clone, Debug)]
pub struct IsPreferredMove {
    plans: RelaxedPlanner,
}

impl IsPreferredMove {
    /// Creates the feature for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        IsPreferredMove { plans: RelaxedPlanner::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for IsPreferredMove {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let Some(last) = node.last else { return 0.0 };
        let mut before = *node.state;
        domain.undo(&mut before, last);
        let mut marks = [false];
        // The successors of a state have its plan in common, so it is computed once for all of them.
        self.plans.mark_moves(&before, domain.metric(), &[last], &mut marks);
        f64::from(marks[0])
    }
}
