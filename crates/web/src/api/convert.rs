//! Conversion of boards to other formats.

use super::App;
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_api::{ConvertRequest, Converted};
use std::sync::Arc;

/// Converts a board to another format, or to a picture
#[utoipa::path(post, path = "/convert", tag = "boards", request_body = ConvertRequest, responses(
    (status = 200, description = "The board in that format", body = Converted),
    CommonErrors, BodyErrors,
))]
pub async fn convert(State(app): State<Arc<App>>, Body(request): Body<ConvertRequest>) -> Result<Response, ApiError> {
    app.blocking.run(move || json(&clearway_api::convert(request)?)).await
}
