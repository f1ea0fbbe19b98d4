//! Estimates of how far a Rush Hour board is from being solved, one file each, and [expressions](Expression) over them.
//!
//! An *estimate* is 0 where the target is out, and infinite where it can never get out. A *feature* says something about a
//! node that is no distance; it is of use in sums and in policies. What is admissible never exceeds the true distance.

mod blockers;
mod blockers_lower_bound;
mod distance_blockers;
mod expression;
mod landmarks;
mod lines;
mod parser;
mod two_level;

pub use blockers::Blockers;
pub use blockers_lower_bound::BlockersLowerBound;
pub use clearway_search::Zero;
pub use distance_blockers::DistanceBlockers;
pub use expression::Expression;
pub use landmarks::Landmarks;
pub use parser::ExpressionError;
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
    /// How difficult the board is among the others of its suite, from 0 to 1.
    pub difficulty: f64,
    /// How much may be used to build tables.
    pub limits: Limits,
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
}

const fn estimate(
    name: &'static str,
    aliases: &'static [&'static str],
    admissible: Admissible,
    kind: Kind,
    about: &'static str,
) -> HeuristicInfo {
    HeuristicInfo { name, aliases, about, admissible, role: Role::Estimate, kind }
}

/// All heuristics.
pub static ALL: &[HeuristicInfo] = &[
    estimate("zero", &["none"], Admissible::Both, Kind::Zero, "always 0"),
    estimate("blockers", &[], Admissible::Both, Kind::Blockers, "vehicles in the target's way, and the target"),
    estimate(
        "distance-blockers",
        &[],
        Admissible::Steps,
        Kind::DistanceBlockers,
        "cells from the target to the exit, and vehicles in between",
    ),
    estimate(
        "blockers-lower-bound",
        &["h1"],
        Admissible::No,
        Kind::BlockersLowerBound,
        "vehicles that block the target, those that block them, and so on, each by its cheaper way",
    ),
    estimate(
        "two-level",
        &[],
        Admissible::Both,
        Kind::TwoLevel,
        "vehicles in the target's way, and the fewest that must make room for them",
    ),
    estimate(
        "landmarks",
        &[],
        Admissible::Both,
        Kind::Landmarks,
        "vehicles that must move, followed as far as there is no choice",
    ),
];

impl HeuristicInfo {
    /// The heuristic with a name or alias.
    pub fn find(name: &str) -> Option<&'static HeuristicInfo> {
        ALL.iter().find(|info| info.name == name || info.aliases.contains(&name))
    }

    /// The heuristic for a board.
    pub fn build<const N: usize>(
        &self,
        domain: &RushDomain<N>,
        context: &Context,
    ) -> Result<BoxedHeuristic<N>, BuildError> {
        let _ = context;
        Ok(match self.kind {
            Kind::Zero => Box::new(Zero),
            Kind::Blockers => Box::new(Blockers::new(domain)),
            Kind::DistanceBlockers => Box::new(DistanceBlockers::new(domain)),
            Kind::BlockersLowerBound => Box::new(BlockersLowerBound::new(domain)),
            Kind::TwoLevel => Box::new(TwoLevel::new(domain)),
            Kind::Landmarks => Box::new(Landmarks::new(domain)),
        })
    }
}
