//! `is-releasing-move`: whether the last move made new moves possible for other vehicles.

use crate::{Metric, RushDomain, RushState};
use clearway_search::{Domain, Heuristic, Node};

/// 1 if another vehicle has a move that it did not have before the last move, otherwise 0; 0 at the start. A feature.
///
/// Moves of the vehicle that moved do not count: it always has a new one, back to its previous position.
#[derive(Clone, Copy, Debug, Default)]
pub struct IsReleasingMove;

impl<const N: usize> Heuristic<RushDomain<N>> for IsReleasingMove {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let Some(last) = node.last else { return 0.0 };
        let mut before = *node.state;
        domain.undo(&mut before, last);
        let most = if domain.metric() == Metric::Steps { 1 } else { u8::MAX };
        let room = |state: &RushState<N>, vehicle| {
            let (back, forward) = domain.room(state, vehicle);
            (back.min(most), forward.min(most))
        };
        let others = (0..domain.bodies().len()).filter(|&vehicle| vehicle != last.vehicle as usize);
        let released = others.into_iter().any(|vehicle| {
            let (now, then) = (room(node.state, vehicle), room(&before, vehicle));
            now.0 > then.0 || now.1 > then.1
        });
        f64::from(released)
    }
}
