//! All states of a board as a graph.

use super::App;
use super::board::{BoardText, Effort, MetricName};
use super::request::{Body, json, within};
use crate::error::{ApiError, BodyRefused, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::Graph;
use clearway_rush::Solver;
use clearway_search::Limit;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The most states that are shown.
const MOST_STATES: usize = 25_000;

/// A board whose states are wanted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphOf {
    #[serde(flatten)]
    board: BoardText,
    #[serde(flatten)]
    effort: Effort,
    /// What a move is, and distances count.
    #[serde(default)]
    metric: MetricName,
    /// The most states to show; a sample of them if there are more.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 25_000)]
    most_states: Option<usize>,
}

/// Gives all states that can be reached from a board, and the moves between them
#[utoipa::path(post, path = "/graph", tag = "boards", request_body = GraphOf, responses(
    (status = 200, description = "The states in layers by their distance from the exit", body = Graph),
    Refused, BodyRefused,
))]
pub async fn graph(State(app): State<Arc<App>>, Body(request): Body<GraphOf>) -> Result<Response, ApiError> {
    let most = within("most_states", request.most_states, 1..=MOST_STATES)?.unwrap_or(MOST_STATES);
    let (limits, metric) = (request.effort.limits()?, request.metric.into());
    let work = move |_: &mut Solver, limits: &_| {
        let graph = clearway_lab::graph(&request.board.read()?.board, metric, most, limits);
        // A walk that was cut short in the quick lane is made again with more time.
        let ended_by = (!graph.complete).then_some(Limit::Time);
        Ok((graph, ended_by))
    };
    app.workers.search(&limits, work, |graph: Graph| json(&graph)).await
}
