//! What there is to say about relaxed plans: `relaxed-cells`, `relaxed-conflicts` and others.

use super::relaxation::RelaxedPlans;
use crate::RushDomain;
use clearway_search::{Heuristic, Node};

/// What is said about a relaxed plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanNumbers {
    /// Its slides, each counted once, the target's slide to the exit among them.
    pub slides: u32,
    /// The cells that its slides go, each slide from where its vehicle stands now.
    pub cells: u32,
    /// The vehicles that it moves.
    pub vehicles: u32,
    /// The slides that end on cells which the slides of crossing vehicles need.
    pub conflicts: u32,
    /// The vehicles that it moves both back and forth.
    pub turns: u32,
    /// The cells that go the slides of those vehicles which the plan at the start moves.
    pub cells_of_start: u32,
    /// The cells from all vehicles that it does not move to where they were at the start.
    pub settled: u32,
}

/// One of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanNumber {
    /// `relaxed-plan`
    Slides,
    /// `relaxed-cells`
    Cells,
    /// `relaxed-vehicles`
    Vehicles,
    /// `relaxed-conflicts`
    Conflicts,
    /// `relaxed-turns`
    Turns,
    /// `start-plan-cells`
    CellsOfStart,
    /// `settled-displacement`
    Settled,
}

impl PlanNumber {
    /// The number, as the heuristic of that name gives it. Where there is no plan, and so no solution, estimates of the
    /// distance are infinite and features 0.
    #[inline]
    pub fn of(self, plan: Option<&PlanNumbers>) -> f64 {
        let Some(plan) = plan else {
            let is_estimate = matches!(self, PlanNumber::Slides | PlanNumber::Cells | PlanNumber::Vehicles);
            return if is_estimate { f64::INFINITY } else { 0.0 };
        };
        f64::from(match self {
            PlanNumber::Slides => plan.slides,
            PlanNumber::Cells => plan.cells,
            PlanNumber::Vehicles => plan.vehicles,
            PlanNumber::Conflicts => plan.conflicts,
            PlanNumber::Turns => plan.turns,
            PlanNumber::CellsOfStart => plan.cells_of_start,
            PlanNumber::Settled => plan.settled,
        })
    }
}

/// One of the numbers of relaxed plans as a heuristic. Whoever wants several asks [`RelaxedPlans`] for all at once.
#[derive(Clone, Debug)]
pub struct PlanFeature {
    plans: RelaxedPlans,
    number: PlanNumber,
}

impl PlanFeature {
    /// One of the numbers for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>, number: PlanNumber) -> Self {
        PlanFeature { plans: RelaxedPlans::new(domain), number }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for PlanFeature {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        self.number.of(self.plans.numbers(node.state).as_ref())
    }
}
