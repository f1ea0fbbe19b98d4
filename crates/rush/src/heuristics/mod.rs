//! Heuristics for Rush Hour, one file each, and [expressions](Expression) over them.
//!
//! An *estimate* approximates the distance of a state from the goal: it is 0 in solved states, and infinite only in unsolvable
//! ones. A *feature* is any other property of a node; it is useful in sums and in policies. An *admissible* estimate never
//! exceeds the true distance.

mod blockers;
mod blockers_lower_bound;
mod cell_set;
mod deduced_goal;
mod difficulty_level;
mod displaced_vehicles;
mod displacement;
mod distance_blockers;
mod expression;
mod g;
mod goal_distance;
mod hybrid;
mod is_first_move;
mod is_move_to_secluded;
mod is_preferred_move;
mod is_releasing_move;
mod landmarks;
mod lines;
mod mobility;
mod move_freed;
mod nearest_goal;
mod number_of_siblings;
mod occupants;
mod packed_positions;
mod parser;
mod pattern_database;
mod perfect;
mod phase_by_blockers;
mod phase_by_distance;
mod plan_statistics;
mod relaxation;
mod relaxed_plan;
mod relaxed_reachability;
mod two_level;

pub use blockers::Blockers;
pub use blockers_lower_bound::BlockersLowerBound;
pub use clearway_search::Zero;
pub use clearway_util::syntax::ExpressionError;
pub use difficulty_level::DifficultyLevel;
pub use displaced_vehicles::DisplacedVehicles;
pub use displacement::Displacement;
pub use distance_blockers::DistanceBlockers;
pub use expression::{Conditional, Expression};
pub use g::PathLength;
pub use goal_distance::GoalDistance;
pub use hybrid::Hybrid;
pub use is_first_move::IsFirstMove;
pub use is_move_to_secluded::IsMoveToSecluded;
pub use is_preferred_move::IsPreferredMove;
pub use is_releasing_move::IsReleasingMove;
pub use landmarks::Landmarks;
pub use mobility::Mobility;
pub use move_freed::MoveFreed;
pub use nearest_goal::NearestGoal;
pub use number_of_siblings::NumberOfSiblings;
pub use pattern_database::PatternDatabase;
pub use perfect::Perfect;
pub use phase_by_blockers::{PhaseByBlockers, phase};
pub use phase_by_distance::PhaseByDistance;
pub use plan_statistics::{PlanHeuristic, PlanStatistic, PlanStatistics};
pub use relaxation::RelaxedPlanner;
pub use relaxed_plan::RelaxedPlan;
pub use two_level::TwoLevel;

use crate::{Metric, RushDomain};
use clearway_search::{Heuristic, Limit, Limits};

/// A heuristic in the [list of all](ALL): its names, properties and constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeuristicInfo {
    /// The name in expressions.
    pub name: &'static str,
    /// Alternative names in expressions.
    pub aliases: &'static [&'static str],
    /// Short description of its value, a noun phrase.
    pub about: &'static str,
    /// The metrics in which it is admissible.
    pub admissible: Admissibility,
    /// Whether it is an estimate or a feature.
    pub role: Role,
    kind: Kind,
}

/// The metrics in which a heuristic is admissible: it never exceeds the true distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admissibility {
    /// Admissible in moves only.
    Moves,
    /// Admissible in steps only.
    Steps,
    /// Admissible in both metrics.
    Both,
    /// Not admissible.
    No,
}

impl Admissibility {
    /// Whether the heuristic is admissible in a metric.
    pub fn in_metric(self, metric: Metric) -> bool {
        match self {
            Admissibility::Moves => metric == Metric::Moves,
            Admissibility::Steps => metric == Metric::Steps,
            Admissibility::Both => true,
            Admissibility::No => false,
        }
    }
}

/// The meaning of a heuristic's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// An estimate of the distance, 0 in solved states.
    Estimate,
    /// Another property of a node.
    Feature,
}

/// Inputs of building a heuristic besides the board.
#[derive(Clone, Debug, Default)]
pub struct HeuristicContext {
    /// Difficulty of the board [among](DifficultyLevel::among) the others of its suite, from 0 to 1.
    pub difficulty: f64,
    /// Limits on building tables.
    pub limits: Limits,
}

impl HeuristicContext {
    /// Builds a heuristic for a board, and subtracts the memory of its tables from the memory limit.
    pub fn build<const N: usize>(
        &mut self,
        info: &HeuristicInfo,
        domain: &RushDomain<N>,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        let heuristic = info.build(domain, self)?;
        self.limits.memory = self.limits.memory.map(|memory| memory.saturating_sub(heuristic.memory_usage()));
        Ok(heuristic)
    }
}

/// The tables of a heuristic exceed a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} needs a table of {table}, but {limit} after {states} states")]
#[non_exhaustive]
pub struct BuildError {
    /// Name of the heuristic.
    pub name: &'static str,
    /// Contents of its table, a noun phrase.
    pub table: &'static str,
    /// The limit that was reached.
    pub limit: Limit,
    /// Number of states in the table at that point.
    pub states: u64,
}

/// A heuristic built for a board.
pub type BoxedHeuristic<const N: usize> = Box<dyn Heuristic<RushDomain<N>> + Send>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zero,
    Blockers,
    DistanceBlockers,
    BlockersLowerBound,
    TwoLevel,
    Landmarks,
    PatternDatabase,
    RelaxedPlan,
    Plan(PlanStatistic),
    GoalDistance,
    Hybrid,
    NearestGoal,
    Perfect,
    Displacement,
    Mobility,
    MoveFreed,
    IsReleasingMove,
    IsMoveToSecluded,
    IsPreferredMove,
    IsFirstMove,
    DisplacedVehicles,
    G,
    PhaseByDistance,
    PhaseByBlockers,
    NumberOfSiblings,
    DifficultyLevel,
}

const fn estimate(name: &'static str, admissible: Admissibility, kind: Kind, about: &'static str) -> HeuristicInfo {
    HeuristicInfo { name, aliases: &[], about, admissible, role: Role::Estimate, kind }
}

const fn feature(name: &'static str, kind: Kind, about: &'static str) -> HeuristicInfo {
    HeuristicInfo { name, aliases: &[], about, admissible: Admissibility::No, role: Role::Feature, kind }
}

impl HeuristicInfo {
    const fn with_aliases(mut self, aliases: &'static [&'static str]) -> HeuristicInfo {
        self.aliases = aliases;
        self
    }
}

/// All heuristics: first the estimates, then the features.
pub static ALL: &[HeuristicInfo] = &[
    estimate("zero", Admissibility::Both, Kind::Zero, "always 0").with_aliases(&["none"]),
    estimate(
        "blockers",
        Admissibility::Both,
        Kind::Blockers,
        "vehicles between the target and the exit, and the target",
    ),
    estimate(
        "distance-blockers",
        Admissibility::Steps,
        Kind::DistanceBlockers,
        "cells from the target to the exit, and vehicles in between",
    ),
    estimate(
        "blockers-lower-bound",
        Admissibility::No,
        Kind::BlockersLowerBound,
        "vehicles that block the target, those that block them, and so on, each in its cheaper direction",
    )
    .with_aliases(&["h1"]),
    estimate(
        "two-level",
        Admissibility::Both,
        Kind::TwoLevel,
        "vehicles between the target and the exit, and the fewest that must make room for them",
    ),
    estimate(
        "landmarks",
        Admissibility::Both,
        Kind::Landmarks,
        "vehicles that must move, followed recursively where there is no choice",
    ),
    estimate(
        "pattern-database",
        Admissibility::Both,
        Kind::PatternDatabase,
        "exact distances of groups of vehicles with all others removed, added up",
    )
    .with_aliases(&["pdb"]),
    estimate(
        "relaxed-plan",
        Admissibility::No,
        Kind::RelaxedPlan,
        "slides in a plan for the relaxation in which a free cell stays free",
    ),
    estimate(
        "relaxed-cells",
        Admissibility::No,
        Kind::Plan(PlanStatistic::Cells),
        "total length of the slides of the relaxed plan, in cells",
    ),
    estimate(
        "relaxed-vehicles",
        Admissibility::No,
        Kind::Plan(PlanStatistic::Vehicles),
        "vehicles that the relaxed plan moves",
    ),
    estimate(
        "goal-distance",
        Admissibility::No,
        Kind::GoalDistance,
        "total distance of all vehicles from their positions in a deduced goal board, in cells",
    )
    .with_aliases(&["h2"]),
    estimate(
        "hybrid",
        Admissibility::No,
        Kind::Hybrid,
        "goal-distance, and the vehicles between each vehicle and its goal position",
    )
    .with_aliases(&["h3"]),
    estimate(
        "nearest-goal",
        Admissibility::No,
        Kind::NearestGoal,
        "total distance of all vehicles from their positions in the nearest of several deduced goal boards, in cells",
    ),
    estimate("perfect", Admissibility::Both, Kind::Perfect, "the true distance, computed for the whole component"),
    feature(
        "displacement",
        Kind::Displacement,
        "total distance of all vehicles from their initial positions, in cells",
    ),
    feature(
        "relaxed-conflicts",
        Kind::Plan(PlanStatistic::Conflicts),
        "slides of the relaxed plan that end on cells which slides of crossing vehicles must pass",
    ),
    feature(
        "relaxed-turns",
        Kind::Plan(PlanStatistic::Turns),
        "vehicles that the relaxed plan moves both forward and back",
    ),
    feature(
        "start-plan-cells",
        Kind::Plan(PlanStatistic::CellsOfStart),
        "total length of the relaxed plan's slides of vehicles that the relaxed plan of the start moves, in cells",
    ),
    feature(
        "settled-displacement",
        Kind::Plan(PlanStatistic::Settled),
        "displacement of the vehicles that the relaxed plan does not move",
    ),
    feature("mobility", Kind::Mobility, "number of moves"),
    feature("move-freed", Kind::MoveFreed, "1 if more vehicles can move than before the last move"),
    feature("is-releasing-move", Kind::IsReleasingMove, "1 if the last move gave another vehicle a new move"),
    feature(
        "is-move-to-secluded",
        Kind::IsMoveToSecluded,
        "1 if the last move took a vehicle to cells onto which no other could slide",
    ),
    feature(
        "is-preferred-move",
        Kind::IsPreferredMove,
        "1 if the last move does what a slide of the relaxed plan of the state before it does",
    ),
    feature("is-first-move", Kind::IsFirstMove, "1 if the last move took a vehicle away from its initial position"),
    feature("displaced-vehicles", Kind::DisplacedVehicles, "vehicles that are not at their initial positions"),
    feature("g", Kind::G, "the length of the path so far"),
    feature("phase-by-distance", Kind::PhaseByDistance, "g / (g + goal-distance)"),
    feature("phase-by-blockers", Kind::PhaseByBlockers, "g / (g + blockers-lower-bound)"),
    feature("number-of-siblings", Kind::NumberOfSiblings, "number of successors of the parent"),
    feature("difficulty-level", Kind::DifficultyLevel, "the difficulty of the board within its suite, from 0 to 1"),
];

impl HeuristicInfo {
    /// Finds a heuristic by its name or an alias.
    pub fn find(name: &str) -> Option<&'static HeuristicInfo> {
        ALL.iter().find(|info| info.name == name || info.aliases.contains(&name))
    }

    /// The statistic of relaxed plans that this heuristic computes, if it is one. [`RelaxedPlanner`] computes all of them at the
    /// cost of one.
    ///
    /// ```
    /// use clearway_rush::heuristics::{HeuristicInfo, RelaxedPlanner};
    /// use clearway_rush::{Metric, RushDomain, formats};
    /// use clearway_search::Domain;
    /// let board = formats::read_one("4x4:...BAA.B........", None).unwrap().board;
    /// let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
    /// let plan = RelaxedPlanner::new(&domain).statistics(&domain.start());
    /// let value = |name| HeuristicInfo::find(name).unwrap().plan_statistic().map(|one| one.value(plan.as_ref()));
    /// assert_eq!(value("relaxed-vehicles"), Some(2.0));
    /// assert_eq!(value("relaxed-cells"), Some(4.0)); // two for B, two for A
    /// assert_eq!(value("landmarks"), None);
    /// ```
    pub fn plan_statistic(&self) -> Option<PlanStatistic> {
        match self.kind {
            Kind::RelaxedPlan => Some(PlanStatistic::Slides),
            Kind::Plan(statistic) => Some(statistic),
            _ => None,
        }
    }

    /// Builds the heuristic for a board.
    pub fn build<const N: usize>(
        &self,
        domain: &RushDomain<N>,
        context: &HeuristicContext,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        Ok(match self.kind {
            Kind::Zero => Box::new(Zero),
            Kind::Blockers => Box::new(Blockers::new(domain)),
            Kind::DistanceBlockers => Box::new(DistanceBlockers::new(domain)),
            Kind::BlockersLowerBound => Box::new(BlockersLowerBound::new(domain)),
            Kind::TwoLevel => Box::new(TwoLevel::new(domain)),
            Kind::Landmarks => Box::new(Landmarks::new(domain)),
            Kind::PatternDatabase => Box::new(PatternDatabase::new(domain, context)?),
            Kind::RelaxedPlan => Box::new(RelaxedPlan::new(domain)),
            Kind::Plan(statistic) => Box::new(PlanHeuristic::new(domain, statistic)),
            Kind::Mobility => Box::new(Mobility),
            Kind::GoalDistance => Box::new(GoalDistance::new(domain)),
            Kind::Hybrid => Box::new(Hybrid::new(domain)),
            Kind::NearestGoal => Box::new(NearestGoal::new(domain)),
            Kind::Perfect => Box::new(Perfect::new(domain, context)?),
            Kind::Displacement => Box::new(Displacement::new(domain)),
            Kind::MoveFreed => Box::new(MoveFreed),
            Kind::IsReleasingMove => Box::new(IsReleasingMove::new(domain)),
            Kind::IsMoveToSecluded => Box::new(IsMoveToSecluded::new(domain)),
            Kind::IsPreferredMove => Box::new(IsPreferredMove::new(domain)),
            Kind::IsFirstMove => Box::new(IsFirstMove),
            Kind::DisplacedVehicles => Box::new(DisplacedVehicles::new(domain)),
            Kind::G => Box::new(PathLength),
            Kind::PhaseByDistance => Box::new(PhaseByDistance::new(domain)),
            Kind::PhaseByBlockers => Box::new(PhaseByBlockers::new(domain)),
            Kind::NumberOfSiblings => Box::new(NumberOfSiblings),
            Kind::DifficultyLevel => Box::new(DifficultyLevel::new(context)),
        })
    }
}
