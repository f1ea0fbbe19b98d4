//! `is-first-move`: whether the last move took a vehicle away from its initial position.

use crate::RushDomain;
use clearway_search::{Domain, Heuristic, Node};

/// 1 if the vehicle that moved last was at its initial position before, otherwise 0; 0 at the start. A feature.
///
/// Such a move involves one more vehicle. It is a form of novelty that depends only on the move and the start, not on what else the
/// search has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct IsFirstMove;

impl<const N: usize> Heuristic<RushDomain<N>> for IsFirstMove {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let Some(last) = node.last else { return 0.0 };
        let vehicle = last.vehicle as usize;
        let before = node.state.position(vehicle).wrapping_add_signed(-last.cells);
        f64::from(before == domain.start().position(vehicle))
    }
}
