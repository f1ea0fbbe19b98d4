//! What boards can be searched with.

use super::App;
use super::request::json;
use crate::error::{ApiError, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::Estimator;
use clearway_rush::heuristics::{self, Admissible, Role};
use clearway_search::spec::{ALGORITHMS, AlgorithmInfo, Claims, HeuristicSpec, OptionInfo};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// What boards can be searched with.
#[derive(Serialize, ToSchema)]
pub struct SearchList {
    /// The algorithms.
    algorithms: Vec<AlgorithmItem>,
    /// The heuristics, for algorithms that take one. max(a, b), min(a, b), 3*a, a + b and numbers combine them.
    heuristics: Vec<HeuristicItem>,
    /// The policies, in the place of a heuristic as policy=NAME.
    policies: Vec<PolicyItem>,
}

/// An algorithm.
#[derive(Serialize, ToSchema)]
pub struct AlgorithmItem {
    /// Its name.
    name: &'static str,
    /// How it may be written, with all that can stand between its parentheses.
    usage: String,
    /// What it does, in a few words.
    about: &'static str,
    /// How it may be written, for example.
    example: &'static str,
    /// Whether it is given a heuristic.
    heuristic: bool,
    /// When it finds a solution if there is one, given enough time and memory: `always`, `if the heuristic is admissible`
    /// or `no`; with its default options.
    complete: String,
    /// When its solutions are shortest ones, likewise.
    optimal: String,
    /// Its options.
    options: Vec<OptionItem>,
}

/// An option of an algorithm.
#[derive(Serialize, ToSchema)]
pub struct OptionItem {
    /// How it is written.
    usage: String,
    /// What it does, in a few words.
    about: &'static str,
    /// Its default value; another one may hold for policies.
    default: String,
}

/// A heuristic.
#[derive(Serialize, ToSchema)]
pub struct HeuristicItem {
    /// Its name.
    name: &'static str,
    /// Other names that it has.
    aliases: &'static [&'static str],
    /// What it counts, in a few words.
    about: &'static str,
    /// Whether it is an estimate of the distance; features are of use in sums.
    estimate: bool,
    /// Whether it never says too much about distances in moves: solutions of A* are then shortest ones.
    admissible: bool,
}

/// A policy.
#[derive(Serialize, ToSchema)]
pub struct PolicyItem {
    /// Its name.
    pub name: String,
    /// Where it comes from; empty if nothing is said.
    pub about: String,
    /// The search that it is made for; null if nothing is said.
    pub search: Option<String>,
}

/// Lists algorithms, heuristics and policies
#[utoipa::path(get, path = "/algorithms", tag = "algorithms", responses(
    (status = 200, description = "What boards can be searched with", body = SearchList),
    Refused,
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
            default: info.default_of(option, false),
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
            admissible: matches!(info.admissible, Admissible::Both | Admissible::Moves),
        }
    }
}
