//! Lists of algorithms, heuristics and policies.

use crate::policies::{Policies, PolicyItem};
use clearway_lab::Estimator;
use clearway_rush::heuristics::{self, Admissibility, Role};
use clearway_search::spec::{ALGORITHMS, AlgorithmInfo, Claims, HeuristicSpec, OptionInfo};
use serde::Serialize;
use utoipa::ToSchema;

/// The available algorithms, heuristics and policies.
#[derive(Serialize, ToSchema)]
pub struct SearchList {
    /// The algorithms, in the order of the book.
    algorithms: Vec<AlgorithmItem>,
    /// The heuristics, for algorithms that take one. They can be combined: max(a, b), min(a, b), 3*a, a + b, and numbers.
    heuristics: Vec<HeuristicItem>,
    /// The policies, which can replace a heuristic as policy=NAME.
    policies: Vec<PolicyItem>,
}

/// An algorithm, with what its results may claim.
#[derive(Serialize, ToSchema)]
pub struct AlgorithmItem {
    /// Name of the algorithm.
    name: &'static str,
    /// Syntax, with all arguments.
    usage: String,
    /// Short description.
    about: &'static str,
    /// Example of a complete expression.
    example: &'static str,
    /// Whether it takes a heuristic.
    heuristic: bool,
    /// Whether it finds a solution if one exists, given enough time and memory: `always`, `if the heuristic is admissible`
    /// or `no`; with the default options.
    complete: String,
    /// Whether its solutions are optimal, with the same values.
    optimal: String,
    /// Options of the algorithm.
    options: Vec<OptionItem>,
}

/// An option of an algorithm.
#[derive(Serialize, ToSchema)]
pub struct OptionItem {
    /// Syntax of the option.
    usage: String,
    /// Short description.
    about: &'static str,
    /// Default value; with a policy the default may differ.
    default: String,
}

/// A heuristic, for algorithms that take one and for combinations.
#[derive(Serialize, ToSchema)]
pub struct HeuristicItem {
    /// Name of the heuristic.
    name: &'static str,
    /// Alternative names.
    aliases: &'static [&'static str],
    /// Short description of what it counts.
    about: &'static str,
    /// Whether it estimates the distance; the others are features, useful in sums.
    estimate: bool,
    /// Whether it never overestimates distances in moves, so that A* finds optimal solutions.
    admissible: bool,
}

impl AlgorithmItem {
    fn new(info: &AlgorithmInfo) -> AlgorithmItem {
        let arguments = info.arguments(Estimator::USAGE).join(", ");
        let option = |option: &OptionInfo| OptionItem {
            usage: option.usage(),
            about: option.about,
            default: info.default_value(option, false),
        };
        let Claims { complete, optimal, .. } = info.claims();
        AlgorithmItem {
            name: info.name,
            usage: if arguments.is_empty() { info.name.to_owned() } else { format!("{}({arguments})", info.name) },
            about: info.about,
            example: info.example,
            heuristic: info.guided,
            complete: complete.to_string(),
            optimal: optimal.to_string(),
            options: info.options.iter().map(option).collect(),
        }
    }
}

impl HeuristicItem {
    fn new(info: &heuristics::HeuristicInfo) -> HeuristicItem {
        HeuristicItem {
            name: info.name,
            aliases: info.aliases,
            about: info.about,
            estimate: info.role == Role::Estimate,
            admissible: matches!(info.admissible, Admissibility::Both | Admissibility::Moves),
        }
    }
}

/// Returns the lists.
pub fn algorithms(policies: &Policies) -> SearchList {
    SearchList {
        algorithms: ALGORITHMS.iter().map(|info| AlgorithmItem::new(info)).collect(),
        heuristics: heuristics::ALL.iter().map(HeuristicItem::new).collect(),
        policies: policies.list(),
    }
}
