//! Statistics of relaxed plans: `relaxed-cells`, `relaxed-conflicts` and others.

use super::relaxation::RelaxedPlanner;
use crate::{RushDomain, RushMove, RushState};
use clearway_search::{Heuristic, Node};

/// Statistics of a relaxed plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanStatistics {
    /// Number of slides, including the target's slide to the exit.
    pub slides: u32,
    /// Total length of the slides in cells, each from the current position of its vehicle.
    pub cells: u32,
    /// Number of vehicles that it moves.
    pub vehicles: u32,
    /// Number of slides after which the vehicle occupies cells that slides of crossing vehicles enter.
    pub conflicts: u32,
    /// Number of vehicles that it moves both back and forward.
    pub turns: u32,
    /// Total length, in cells, of the slides of those vehicles that the plan of the start moves.
    pub cells_of_start: u32,
    /// Total distance, in cells, of the vehicles that it does not move from their initial positions.
    pub settled: u32,
}

/// Selects one of the [statistics](PlanStatistics) of a relaxed plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanStatistic {
    /// Number of slides (`relaxed-plan`).
    Slides,
    /// Total length of the slides (`relaxed-cells`).
    Cells,
    /// Vehicles moved (`relaxed-vehicles`).
    Vehicles,
    /// Slides that end on cells needed by crossing vehicles (`relaxed-conflicts`).
    Conflicts,
    /// Vehicles moved both back and forward (`relaxed-turns`).
    Turns,
    /// Total length of the slides of vehicles moved by the plan of the start (`start-plan-cells`).
    CellsOfStart,
    /// Displacement of the vehicles that are not moved (`settled-displacement`).
    Settled,
}

impl PlanStatistic {
    /// Returns the value of this statistic for a plan, as computed by the heuristic. If there is no plan, and hence no solution,
    /// estimates of the distance are infinite and features are 0.
    #[inline]
    pub fn value(self, plan: Option<&PlanStatistics>) -> f64 {
        let Some(plan) = plan else {
            let is_estimate = matches!(self, PlanStatistic::Slides | PlanStatistic::Cells | PlanStatistic::Vehicles);
            return if is_estimate { f64::INFINITY } else { 0.0 };
        };
        f64::from(match self {
            PlanStatistic::Slides => plan.slides,
            PlanStatistic::Cells => plan.cells,
            PlanStatistic::Vehicles => plan.vehicles,
            PlanStatistic::Conflicts => plan.conflicts,
            PlanStatistic::Turns => plan.turns,
            PlanStatistic::CellsOfStart => plan.cells_of_start,
            PlanStatistic::Settled => plan.settled,
        })
    }
}

/// One of the statistics of relaxed plans as a heuristic. To compute several, use [`RelaxedPlanner`], which gives all at once.
#[derive(Clone, Debug)]
pub struct PlanHeuristic {
    planner: RelaxedPlanner,
    statistic: PlanStatistic,
}

impl PlanHeuristic {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>, statistic: PlanStatistic) -> Self {
        PlanHeuristic { planner: RelaxedPlanner::new(domain), statistic }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for PlanHeuristic {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        self.statistic.value(self.planner.statistics(node.state).as_ref())
    }

    fn mark_preferred(&mut self, domain: &RushDomain<N>, state: &RushState<N>, moves: &[RushMove], marks: &mut [bool]) {
        self.planner.mark_moves(state, domain.metric(), moves, marks);
    }
}
