//! A search, step by step.

use super::App;
use super::board::{BoardText, Effort, MetricName};
use super::request::{Body, json, within};
use crate::error::{ApiError, BodyRefused, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::Trace;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The most expansions that are told.
const MOST_EXPANSIONS: u64 = 2_000;

/// A board, and the algorithm that is to be followed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceOf {
    #[serde(flatten)]
    board: BoardText,
    #[serde(flatten)]
    effort: Effort,
    /// What lengths count.
    #[serde(default)]
    metric: MetricName,
    /// The algorithm, such as bfs or astar(blockers); see /algorithms.
    #[schema(example = "astar(blockers)")]
    algorithm: String,
    /// After how many expansions to stop; 2,000 if it is not given.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2000)]
    most_expansions: Option<u64>,
}

/// Tells a search expansion by expansion
#[utoipa::path(post, path = "/trace", tag = "algorithms", request_body = TraceOf, responses(
    (status = 200, description = "Which states were expanded, in order, and what was found there", body = Trace),
    Refused, BodyRefused,
))]
pub async fn trace(State(app): State<Arc<App>>, Body(request): Body<TraceOf>) -> Result<Response, ApiError> {
    let most = within("most_expansions", request.most_expansions, 1..=MOST_EXPANSIONS)?.unwrap_or(MOST_EXPANSIONS);
    let (limits, metric) = (request.effort.limits()?, request.metric.into());
    let policies = Arc::clone(&app.policies);
    let work = move |_: &mut _, limits: &_| {
        let (board, contestant) = (request.board.read()?.board, policies.contestant(&request.algorithm)?);
        let traced = clearway_lab::trace(&board, &contestant, metric, most, limits);
        json(&traced.map_err(|error| ApiError::bad_request(error.to_string()))?)
    };
    app.workers.long(&limits, work).await
}
