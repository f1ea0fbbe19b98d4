//! The component of a board as a graph.

use super::App;
use super::request::Body;
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::Graph;
use clearway_api::{BoardRequest, GraphOptions, GraphRequest};
use std::sync::Arc;

/// Returns all states reachable from a board, and the moves between them
#[utoipa::path(post, path = "/graph", tag = "boards", request_body = BoardRequest<GraphOptions>, responses(
    (status = 200, description = "The states in layers by their distance from a goal", body = Graph),
    CommonErrors, BodyErrors,
))]
pub async fn graph(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<GraphOptions>>,
) -> Result<Response, ApiError> {
    app.answer(GraphRequest(request)).await
}
