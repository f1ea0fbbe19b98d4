//! What to do next, and why.

use super::App;
use super::board::{BoardText, Effort, MetricName};
use super::request::{Body, json};
use crate::error::{ApiError, BodyRefused, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::Hint;
use clearway_rush::Solver;
use clearway_search::Limit;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A board to get a hint for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HintFor {
    #[serde(flatten)]
    board: BoardText,
    #[serde(flatten)]
    effort: Effort,
    /// What to make shortest.
    #[serde(default)]
    metric: MetricName,
}

/// Tells the next move of a shortest solution, and what it is good for
#[utoipa::path(post, path = "/hint", tag = "boards", request_body = HintFor, responses(
    (status = 200, description = "The next move, and why", body = Hint),
    Refused, BodyRefused,
))]
pub async fn hint(State(app): State<Arc<App>>, Body(request): Body<HintFor>) -> Result<Response, ApiError> {
    let (limits, metric) = (request.effort.limits()?, request.metric.into());
    let work = move |solver: &mut Solver, limits: &_| {
        let hint = clearway_lab::hint(&request.board.read()?.board, metric, solver, limits);
        let ended_by = (hint.status == "limit").then_some(Limit::Time);
        Ok((hint, ended_by))
    };
    app.workers.search(&limits, work, |hint: Hint| json(&hint)).await
}
