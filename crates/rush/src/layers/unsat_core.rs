//! A few vehicles that alone leave no plan in a number of layers.
//!
//! Each vehicle has a switch: it takes up room only if the switch is on. If there is no plan with all switches on, the SAT solver
//! names some of them that suffice for this answer. The vehicles of these switches are then left out one by one, as long as
//! there is still no plan.

use super::budget::SatBudget;
use super::encoding::{Encoding, constant};
use super::engine::Layers;
use super::sat::SatAnswer;
use super::structure::Structure;
use crate::Board;

/// The search for such vehicles, with a fixed number of layers.
pub(crate) struct UnsatCore {
    layers: Layers,
}

impl UnsatCore {
    /// Builds the formula for a number of layers. Returns `None` if a limit is reached.
    pub fn new(board: &Board, layers: usize, budget: &SatBudget) -> Option<UnsatCore> {
        let mut formula = Layers::from_encoding(Encoding::with_switches(Structure::new(board)));
        formula.grow(layers, budget).ok()?;
        Some(UnsatCore { layers: formula })
    }

    /// Number of conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.layers.conflicts()
    }

    /// Estimate of the memory in use, in bytes.
    pub fn memory_usage(&self) -> usize {
        self.layers.memory_usage()
    }

    /// Returns vehicles that alone leave no plan in the layers, none of which can be left out as far as the conflicts per question,
    /// and for all questions together, show. Returns `None` if there is a plan, or if the conflicts or a limit do not suffice.
    pub fn find(&mut self, conflicts: u64, most: u64, budget: &SatBudget) -> Option<Vec<usize>> {
        let everything: Vec<usize> = (0..self.layers.encoding().switches().len()).collect();
        let mut core = self.needed(&everything, conflicts.min(most), budget)?;
        let mut tried = 0;
        while let Some(&mover) = core.get(tried) {
            let rest: Vec<usize> = core.iter().copied().filter(|&other| other != mover).collect();
            let left = most.saturating_sub(self.conflicts());
            match self.needed(&rest, conflicts.min(left), budget) {
                // The movers before this one were found to be needed, and still are.
                Some(smaller) => core = smaller,
                None => tried += 1,
            }
        }
        let movers = &self.layers.encoding().structure().movers;
        Some(core.into_iter().map(|mover| movers[mover].vehicle).collect())
    }

    /// Returns those of some movers that the answer "no plan" needs.
    fn needed(&mut self, movers: &[usize], conflicts: u64, budget: &SatBudget) -> Option<Vec<usize>> {
        let (encoding, solver) = self.layers.parts();
        if conflicts == 0 || constant(encoding.goal()).is_some() {
            return None; // if the goal is constant, the ranges or the start alone decide
        }
        let switches = movers.iter().map(|&mover| encoding.switches()[mover]);
        let assumptions: Vec<_> = std::iter::once(encoding.goal()).chain(switches).collect();
        if solver.solve(&assumptions, conflicts, budget) != SatAnswer::Unsatisfiable {
            return None;
        }
        Some(movers.iter().copied().filter(|&mover| solver.is_needed(encoding.switches()[mover])).collect())
    }
}
