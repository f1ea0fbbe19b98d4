//! The puzzles of the day.

use super::App;
use super::request::{Query, json};
use crate::error::{ApiError, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::Daily;
use clearway_api::DailyQuery;
use std::sync::Arc;

/// Returns the three puzzles of a day, the same for everyone: in every difficulty, easy on Mondays and hard on Sundays
#[utoipa::path(get, path = "/daily", tag = "puzzles", params(DailyQuery), responses(
    (status = 200, description = "The puzzles, from easy to hard", body = Daily),
    CommonErrors,
))]
pub async fn daily(State(app): State<Arc<App>>, Query(query): Query<DailyQuery>) -> Result<Response, ApiError> {
    app.blocking.run(move || json(&clearway_api::daily(&query)?)).await
}
