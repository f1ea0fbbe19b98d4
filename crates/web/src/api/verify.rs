//! Verification of solutions.

use super::App;
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::records::VerifyRecord;
use clearway_api::VerifyRequest;
use std::sync::Arc;

/// Verifies that moves solve a board, with code independent of the solvers
#[utoipa::path(post, path = "/verify", tag = "boards", request_body = VerifyRequest, responses(
    (status = 200, description = "The fields of `clearway verify --json`", body = VerifyRecord),
    CommonErrors, BodyErrors,
))]
pub async fn verify(State(app): State<Arc<App>>, Body(request): Body<VerifyRequest>) -> Result<Response, ApiError> {
    app.blocking.run(move || json(&request.parse()?.record())).await
}
