//! `mobility`: the number of moves.

use crate::{Metric, RushDomain};
use clearway_search::{Heuristic, Node};

/// Number of moves that are possible in a state, in the metric of the domain. A feature.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl<const N: usize> Heuristic<RushDomain<N>> for Mobility {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let most = if domain.metric() == Metric::Steps { 1 } else { u8::MAX };
        let rooms = (0..domain.bodies().len()).map(|vehicle| domain.room(node.state, vehicle));
        f64::from(rooms.map(|(back, forward)| u32::from(back.min(most)) + u32::from(forward.min(most))).sum::<u32>())
    }
}
