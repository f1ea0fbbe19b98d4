//! `move-freed`: whether the last move increased the number of movable vehicles.

use crate::{RushDomain, RushState};
use clearway_search::{Domain, Heuristic, Node};

/// 1 if more vehicles can move than before the last move, otherwise 0; 0 at the start. A feature.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveFreed;

/// Number of vehicles that can move.
fn movable<const N: usize>(domain: &RushDomain<N>, state: &RushState<N>) -> usize {
    (0..domain.bodies().len()).filter(|&vehicle| domain.room(state, vehicle) != (0, 0)).count()
}

impl<const N: usize> Heuristic<RushDomain<N>> for MoveFreed {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let Some(last) = node.last else { return 0.0 };
        let mut before = *node.state;
        domain.undo(&mut before, last);
        f64::from(movable(domain, node.state) > movable(domain, &before))
    }
}
