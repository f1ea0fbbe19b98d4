//! Lists of algorithms, heuristics and policies.

use super::App;
use super::request::json;
use crate::error::{ApiError, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::Estimator;
use clearway_rush::heuristics::{self, Admissibility, Role};
use clearway_search::spec::{ALGORITHMS, AlgorithmInfo, Claims, HeuristicSpec, OptionInfo};
use serde::Serialize;
use std::sync::Arc;
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

/// An algorithm.
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

/// A heuristic.
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

/// A policy.
#[derive(Serialize, ToSchema)]
pub struct PolicyItem {
    /// Name of the policy.
    pub name: String,
    /// Origin of the policy; empty if unknown.
    pub about: String,
    /// Search that the policy was evolved for; null if unknown.
    pub search: Option<String>,
}

/// Lists algorithms, heuristics and policies
#[utoipa::path(get, path = "/algorithms", tag = "algorithms", responses(
    (status = 200, description = "The algorithms, heuristics and policies", body = SearchList),
    CommonErrors,
))]
pub async fn algorithms(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    let policies = Arc::clone(&app.policies);
    let list = move || {
        json(&SearchList {
            algorithms: ALGORITHMS.iter().map(|info| AlgorithmItem::new(info)).collect(),
            heuristics: heuristics::ALL.iter().map(HeuristicItem::new).collect(),
            policies: policies.list(),
        })
    };
    app.blocking.run(list).await
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
