//! The component of a board as a graph.

use super::App;
use super::board::BoardRequest;
use super::request::{Body, json, within};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::Graph;
use clearway_rush::Solver;
use clearway_search::Limit;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of states in a graph.
const MAX_STATES: usize = 25_000;

/// A board whose graph is requested.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GraphOptions {
    /// Maximum number of states; if there are more, the graph is a sample of them.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 25_000)]
    most_states: Option<usize>,
}

/// Returns all states reachable from a board, and the moves between them
#[utoipa::path(post, path = "/graph", tag = "boards", request_body = BoardRequest<GraphOptions>, responses(
    (status = 200, description = "The states in layers by their distance from a goal", body = Graph),
    CommonErrors, BodyErrors,
))]
pub async fn graph(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<GraphOptions>>,
) -> Result<Response, ApiError> {
    let max = within("most_states", request.options.most_states, 1..=MAX_STATES)?.unwrap_or(MAX_STATES);
    let (limits, metric) = (request.limits.to_limits()?, request.metric);
    let work = move |_: &mut Solver, limits: &_| {
        let graph = clearway_answers::graph(&request.board.read()?.board, metric, max, limits);
        // An incomplete graph is computed again in the long lane.
        let ended_by = (!graph.complete).then_some(Limit::Time);
        Ok((graph, ended_by))
    };
    app.workers.search(&limits, work, |graph: Graph| json(&graph)).await
}
