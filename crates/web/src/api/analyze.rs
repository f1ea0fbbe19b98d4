//! Statistics about the component of a board.

use super::App;
use super::request::Body;
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_api::{AnalyzeRequest, Analyzed, BoardRequest, NoOptions};
use std::sync::Arc;

/// Explores all states reachable from a board
#[utoipa::path(post, path = "/analyze", tag = "boards", request_body = BoardRequest<NoOptions>, responses(
    (status = 200, description = "Statistics about the states", body = Analyzed),
    CommonErrors, BodyErrors,
))]
pub async fn analyze(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<NoOptions>>,
) -> Result<Response, ApiError> {
    app.answer(AnalyzeRequest(request)).await
}
