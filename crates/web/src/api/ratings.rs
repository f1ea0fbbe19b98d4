//! Ratings.

use super::App;
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_api::{Ratings, RatingsRequest};
use std::sync::Arc;

/// Rates a player and the puzzles of their games by Glicko-2; nothing is stored
#[utoipa::path(post, path = "/ratings", tag = "players", request_body = RatingsRequest, responses(
    (status = 200, description = "The ratings after all games", body = Ratings),
    CommonErrors, BodyErrors,
))]
pub async fn ratings(State(app): State<Arc<App>>, Body(request): Body<RatingsRequest>) -> Result<Response, ApiError> {
    app.blocking.run(move || json(&clearway_api::ratings(&request)?)).await
}
