//! Hints: the next move, and the reason for it.

use super::App;
use super::board::{BoardRequest, NoOptions};
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::Hint;
use clearway_rush::Solver;
use clearway_search::Limit;
use std::sync::Arc;

/// Returns the next move of a shortest solution, and the reason for it
#[utoipa::path(post, path = "/hint", tag = "boards", request_body = BoardRequest<NoOptions>, responses(
    (status = 200, description = "The next move, and the reason for it", body = Hint),
    CommonErrors, BodyErrors,
))]
pub async fn hint(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<NoOptions>>,
) -> Result<Response, ApiError> {
    let (limits, metric) = (request.limits.to_limits()?, request.metric);
    let work = move |solver: &mut Solver, limits: &_| {
        let hint = clearway_answers::hint(&request.board.read()?.board, metric, solver, limits);
        let ended_by = (hint.status == "limit").then_some(Limit::Time);
        Ok((hint, ended_by))
    };
    app.workers.search(&limits, work, |hint: Hint| json(&hint)).await
}
