//! The difficulty of a board, and its reasons.

use super::App;
use super::request::Body;
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_api::{GradeRequest, GradedBoard};
use std::sync::Arc;

/// Grades a board: its difficulty for people, and the reasons
#[utoipa::path(post, path = "/grade", tag = "boards", request_body = GradeRequest, responses(
    (status = 200, description = "The fields of `clearway grade --json`, and the reasons", body = GradedBoard),
    CommonErrors, BodyErrors,
))]
pub async fn grade(State(app): State<Arc<App>>, Body(request): Body<GradeRequest>) -> Result<Response, ApiError> {
    app.answer(request).await
}
