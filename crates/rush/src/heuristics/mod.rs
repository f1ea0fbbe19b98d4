//! Estimates of how far a Rush Hour board is from being solved, one file each, and [expressions](Expression) over them.
//!
//! An *estimate* is 0 where the target is out, and infinite where it can never get out. A *feature* says something about a
//! node that is no distance; it is of use in sums and in policies. What is admissible never exceeds the true distance.

mod blockers;
mod blockers_lower_bound;
mod cell_set;
mod deduced_goal;
mod difficulty_level;
mod displacement;
mod distance_blockers;
mod expression;
mod g;
mod goal_distance;
mod hybrid;
mod is_move_to_secluded;
mod is_releasing_move;
mod landmarks;
mod lines;
mod mobility;
mod move_freed;
mod number_of_siblings;
mod parser;
mod pattern_database;
mod perfect;
mod phase_by_blockers;
mod phase_by_distance;
mod plan_numbers;
mod relaxation;
mod relaxed_plan;
mod two_level;

pub use blockers::Blockers;
pub use blockers_lower_bound::BlockersLowerBound;
pub use clearway_search::Zero;
pub use difficulty_level::DifficultyLevel;
pub use displacement::Displacement;
pub use distance_blockers::DistanceBlockers;
pub use expression::{Expression, Rule};
pub use g::PathLength;
pub use goal_distance::GoalDistance;
pub use hybrid::Hybrid;
pub use is_move_to_secluded::IsMoveToSecluded;
pub use is_releasing_move::IsReleasingMove;
pub use landmarks::Landmarks;
pub use mobility::Mobility;
pub use move_freed::MoveFreed;
pub use number_of_siblings::NumberOfSiblings;
pub use parser::ExpressionError;
pub use pattern_database::PatternDatabase;
pub use perfect::Perfect;
pub use phase_by_blockers::{PhaseByBlockers, phase};
pub use phase_by_distance::PhaseByDistance;
pub use plan_numbers::{PlanFeature, PlanNumber, PlanNumbers};
pub use relaxation::RelaxedPlans;
pub use relaxed_plan::RelaxedPlan;
pub use two_level::TwoLevel;

use crate::{Metric, RushDomain};
use clearway_search::{Heuristic, Limit, Limits};

/// What is known about a heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeuristicInfo {
    /// Its name in expressions.
    pub name: &'static str,
    /// Its other names.
    pub aliases: &'static [&'static str],
    /// What it computes, in a few words.
    pub about: &'static str,
    /// In which metrics it never overestimates.
    pub admissible: Admissible,
    /// Whether it estimates the distance.
    pub role: Role,
    kind: Kind,
}

/// In which metrics a heuristic never overestimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admissible {
    /// In moves only.
    Moves,
    /// In steps only.
    Steps,
    /// In moves and in steps.
    Both,
    /// In neither.
    No,
}

impl Admissible {
    /// Whether it never overestimates in a metric.
    pub fn in_metric(self, metric: Metric) -> bool {
        match self {
            Admissible::Moves => metric == Metric::Moves,
            Admissible::Steps => metric == Metric::Steps,
            Admissible::Both => true,
            Admissible::No => false,
        }
    }
}

/// What the number of a heuristic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An estimate of the distance: 0 at solved states.
    Estimate,
    /// Something else about a node.
    Feature,
}

/// What a heuristic may need to know beyond the board.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// How difficult the board is [among](DifficultyLevel::among) the others of its suite, from 0 to 1.
    pub difficulty: f64,
    /// How much may be used to build tables.
    pub limits: Limits,
}

impl Context {
    /// A heuristic for a board. What its tables take is not there for the next one.
    pub fn build<const N: usize>(
        &mut self,
        info: &HeuristicInfo,
        domain: &RushDomain<N>,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        let heuristic = info.build(domain, self)?;
        self.limits.memory = self.limits.memory.map(|memory| memory.saturating_sub(heuristic.bytes()));
        Ok(heuristic)
    }
}

/// Why the tables of a heuristic could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} needs a table of {what}, but {limit} with {states} states in it")]
pub struct BuildError {
    /// The name of the heuristic.
    pub name: &'static str,
    /// What its table holds.
    pub what: &'static str,
    /// The limit.
    pub limit: Limit,
    /// How many states the table had by then.
    pub states: u64,
}

/// A heuristic of Rush Hour that is ready to be asked.
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
    Plan(PlanNumber),
    GoalDistance,
    Hybrid,
    Perfect,
    Displacement,
    Mobility,
    MoveFreed,
    IsReleasingMove,
    IsMoveToSecluded,
    G,
    PhaseByDistance,
    PhaseByBlockers,
    NumberOfSiblings,
    DifficultyLevel,
}

const fn estimate(name: &'static str, admissible: Admissible, kind: Kind, about: &'static str) -> HeuristicInfo {
    HeuristicInfo { name, aliases: &[], about, admissible, role: Role::Estimate, kind }
}

const fn feature(name: &'static str, kind: Kind, about: &'static str) -> HeuristicInfo {
    HeuristicInfo { name, aliases: &[], about, admissible: Admissible::No, role: Role::Feature, kind }
}

impl HeuristicInfo {
    const fn with_aliases(mut self, aliases: &'static [&'static str]) -> HeuristicInfo {
        self.aliases = aliases;
        self
    }
}

/// All heuristics: the estimates, then the features.
pub static ALL: &[HeuristicInfo] = &[
    estimate("zero", Admissible::Both, Kind::Zero, "always 0").with_aliases(&["none"]),
    estimate("blockers", Admissible::Both, Kind::Blockers, "vehicles in the target's way, and the target"),
    estimate(
        "distance-blockers",
        Admissible::Steps,
        Kind::DistanceBlockers,
        "cells from the target to the exit, and vehicles in between",
    ),
    estimate(
        "blockers-lower-bound",
        Admissible::No,
        Kind::BlockersLowerBound,
        "vehicles that block the target, those that block them, and so on, each by its cheaper way",
    )
    .with_aliases(&["h1"]),
    estimate(
        "two-level",
        Admissible::Both,
        Kind::TwoLevel,
        "vehicles in the target's way, and the fewest that must make room for them",
    ),
    estimate(
        "landmarks",
        Admissible::Both,
        Kind::Landmarks,
        "vehicles that must move, followed as far as there is no choice",
    ),
    estimate(
        "pattern-database",
        Admissible::Both,
        Kind::PatternDatabase,
        "exact distances for groups of vehicles with the others taken off, added up",
    )
    .with_aliases(&["pdb"]),
    estimate(
        "relaxed-plan",
        Admissible::No,
        Kind::RelaxedPlan,
        "slides in a plan for a board on which a cell that was free once stays free",
    ),
    estimate(
        "relaxed-cells",
        Admissible::No,
        Kind::Plan(PlanNumber::Cells),
        "cells that the slides of the relaxed plan go",
    ),
    estimate(
        "relaxed-vehicles",
        Admissible::No,
        Kind::Plan(PlanNumber::Vehicles),
        "vehicles that the relaxed plan moves",
    ),
    estimate(
        "goal-distance",
        Admissible::No,
        Kind::GoalDistance,
        "cells from all vehicles to their places in a deduced goal board",
    )
    .with_aliases(&["h2"]),
    estimate("hybrid", Admissible::No, Kind::Hybrid, "goal-distance, and the vehicles between each and its place")
        .with_aliases(&["h3"]),
    estimate("perfect", Admissible::Both, Kind::Perfect, "the true distance, from the whole component"),
    feature("displacement", Kind::Displacement, "cells from all vehicles to where they were at the start"),
    feature(
        "relaxed-conflicts",
        Kind::Plan(PlanNumber::Conflicts),
        "slides of the relaxed plan that end where slides across them must pass",
    ),
    feature("relaxed-turns", Kind::Plan(PlanNumber::Turns), "vehicles that the relaxed plan moves both back and forth"),
    feature(
        "start-plan-cells",
        Kind::Plan(PlanNumber::CellsOfStart),
        "cells that those vehicles go in the relaxed plan which the one at the start moves",
    ),
    feature(
        "settled-displacement",
        Kind::Plan(PlanNumber::Settled),
        "displacement of the vehicles that the relaxed plan does not move",
    ),
    feature("mobility", Kind::Mobility, "moves there are"),
    feature("move-freed", Kind::MoveFreed, "1 if the last move made more vehicles able to move"),
    feature("is-releasing-move", Kind::IsReleasingMove, "1 if the last move gave another vehicle a new move"),
    feature(
        "is-move-to-secluded",
        Kind::IsMoveToSecluded,
        "1 if the last move took a vehicle where no other could slide to",
    ),
    feature("g", Kind::G, "the length of the path so far"),
    feature("phase-by-distance", Kind::PhaseByDistance, "g / (g + goal-distance)"),
    feature("phase-by-blockers", Kind::PhaseByBlockers, "g / (g + blockers-lower-bound)"),
    feature("number-of-siblings", Kind::NumberOfSiblings, "successors of the parent"),
    feature("difficulty-level", Kind::DifficultyLevel, "the difficulty of the board in its suite, from 0 to 1"),
];

impl HeuristicInfo {
    /// The heuristic with a name or alias.
    pub fn find(name: &str) -> Option<&'static HeuristicInfo> {
        ALL.iter().find(|info| info.name == name || info.aliases.contains(&name))
    }

    /// Which of the numbers of a relaxed plan it is, if it is one: [`RelaxedPlans`] computes all of them at the cost of one.
    ///
    /// ```
    /// use clearway_rush::heuristics::{HeuristicInfo, RelaxedPlans};
    /// use clearway_rush::{Metric, RushDomain, formats};
    /// use clearway_search::Domain;
    /// let board = formats::read_one("4x4:...BAA.B........", None).unwrap().board;
    /// let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
    /// let plan = RelaxedPlans::new(&domain).numbers(&domain.start());
    /// let number = |name| HeuristicInfo::find(name).unwrap().plan_number().map(|number| number.of(plan.as_ref()));
    /// assert_eq!(number("relaxed-vehicles"), Some(2.0));
    /// assert_eq!(number("relaxed-cells"), Some(4.0)); // two for B, two for A
    /// assert_eq!(number("landmarks"), None);
    /// ```
    pub fn plan_number(&self) -> Option<PlanNumber> {
        match self.kind {
            Kind::RelaxedPlan => Some(PlanNumber::Slides),
            Kind::Plan(number) => Some(number),
            _ => None,
        }
    }

    /// The heuristic for a board.
    pub fn build<const N: usize>(
        &self,
        domain: &RushDomain<N>,
        context: &Context,
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
            Kind::Plan(number) => Box::new(PlanFeature::new(domain, number)),
            Kind::Mobility => Box::new(Mobility),
            Kind::GoalDistance => Box::new(GoalDistance::new(domain)),
            Kind::Hybrid => Box::new(Hybrid::new(domain)),
            Kind::Perfect => Box::new(Perfect::new(domain, context)?),
            Kind::Displacement => Box::new(Displacement::new(domain)),
            Kind::MoveFreed => Box::new(MoveFreed),
            Kind::IsReleasingMove => Box::new(IsReleasingMove),
            Kind::IsMoveToSecluded => Box::new(IsMoveToSecluded::new(domain)),
            Kind::G => Box::new(PathLength),
            Kind::PhaseByDistance => Box::new(PhaseByDistance::new(domain)),
            Kind::PhaseByBlockers => Box::new(PhaseByBlockers::new(domain)),
            Kind::NumberOfSiblings => Box::new(NumberOfSiblings),
            Kind::DifficultyLevel => Box::new(DifficultyLevel::new(context)),
        })
    }
}
