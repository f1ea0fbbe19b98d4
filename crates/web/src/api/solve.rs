//! Solving boards.

use super::App;
use super::request::Body;
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::records::SolveRecord;
use clearway_api::{BoardRequest, SolveOptions, SolveRequest};
use std::sync::Arc;

/// Finds a shortest solution, or proves that there is none
///
/// If a limit is reached first, the answer has the status `limit`, the best solution found and the best lower bound.
#[utoipa::path(post, path = "/solve", tag = "boards", request_body = BoardRequest<SolveOptions>, responses(
    (status = 200, description = "The fields of `clearway solve --json`", body = SolveRecord),
    CommonErrors, BodyErrors,
))]
pub async fn solve(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<SolveOptions>>,
) -> Result<Response, ApiError> {
    let policies = Arc::clone(&app.policies);
    app.answer(SolveRequest { request, policies }).await
}
