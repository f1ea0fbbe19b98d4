//! `phase-by-blockers`: the progress towards the goal, with H1 as the estimate of the remaining distance.

use super::BlockersLowerBound;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// g / (g + H1): 0 at the start, and 1 at a solved state that is not the start. A feature.
#[derive(Clone, Debug)]
pub struct PhaseByBlockers {
    remaining: BlockersLowerBound,
}

impl PhaseByBlockers {
    /// Creates the feature for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        PhaseByBlockers { remaining: BlockersLowerBound::new(domain) }
    }
}

/// The progress `g / (g + remaining)`, from 0 to 1; 0 if `g` is 0.
pub fn phase(g: u32, remaining: f64) -> f64 {
    if g == 0 { 0.0 } else { f64::from(g) / (f64::from(g) + remaining) }
}

impl<const N: usize> Heuristic<RushDomain<N>> for PhaseByBlockers {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        phase(node.g, self.remaining.count(node.state))
    }
}
