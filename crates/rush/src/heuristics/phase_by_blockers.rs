//! `phase-by-blockers`: how much of the way is behind, as H1 sees it.

use super::BlockersLowerBound;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// g / (g + H1): 0 at the start, and 1 at a solved state that is not the start. A feature.
#[derive(Clone, Debug)]
pub struct PhaseByBlockers {
    remaining: BlockersLowerBound,
}

impl PhaseByBlockers {
    /// The feature for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        PhaseByBlockers { remaining: BlockersLowerBound::new(domain) }
    }
}

/// The part of the way that is behind; 0 where there is none.
pub fn phase(g: u32, remaining: f64) -> f64 {
    if g == 0 { 0.0 } else { f64::from(g) / (f64::from(g) + remaining) }
}

impl<const N: usize> Heuristic<RushDomain<N>> for PhaseByBlockers {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        phase(node.g, self.remaining.count(node.state))
    }
}
