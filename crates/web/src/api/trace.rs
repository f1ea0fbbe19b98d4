//! A search, expansion by expansion.

use super::App;
use super::board::BoardRequest;
use super::request::{Body, json, within};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::Trace;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of expansions in a trace.
const MAX_EXPANSIONS: u64 = 2_000;

/// A board, and the algorithm to trace.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TraceOptions {
    /// The algorithm, such as bfs or astar(blockers); see /algorithms.
    #[schema(example = "astar(blockers)")]
    algorithm: String,
    /// Maximum number of expansions. The default is 2,000.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2000)]
    most_expansions: Option<u64>,
}

/// Traces a search, expansion by expansion
#[utoipa::path(post, path = "/trace", tag = "algorithms", request_body = BoardRequest<TraceOptions>, responses(
    (status = 200, description = "The expanded states in order, with the states generated from each", body = Trace),
    CommonErrors, BodyErrors,
))]
pub async fn trace(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<TraceOptions>>,
) -> Result<Response, ApiError> {
    let max = within("most_expansions", request.options.most_expansions, 1..=MAX_EXPANSIONS)?.unwrap_or(MAX_EXPANSIONS);
    let (limits, metric) = (request.limits.to_limits()?, request.metric);
    let policies = Arc::clone(&app.policies);
    let work = move |_: &mut _, limits: &_| {
        let (board, contestant) = (request.board.read()?.board, policies.contestant(&request.options.algorithm)?);
        let traced = clearway_answers::trace(&board, &contestant, metric, max, limits);
        json(&traced.map_err(|error| ApiError::bad_request(error.to_string()))?)
    };
    app.workers.run_long(&limits, work).await
}
