//! The puzzles of the levels, and the tutorial.

use super::App;
use super::request::{Path, json};
use crate::error::{ApiError, CommonErrors, Problem};
use axum::extract::State;
use axum::response::Response;
use clearway_api::levels::{self, LevelPuzzles, Tutorial};
use std::sync::Arc;

/// Returns the built-in puzzles of a level, from easy to hard
#[utoipa::path(get, path = "/levels/{level}", operation_id = "show_level", tag = "puzzles",
    params(("level" = String, Path, description = "beginner, intermediate, advanced, expert or fiendish", example = "beginner")),
    responses(
        (status = 200, description = "The level with its puzzles", body = LevelPuzzles),
        (status = 404, description = "The level does not exist", body = Problem),
        CommonErrors,
    ))]
pub async fn level(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, ApiError> {
    app.blocking.run(move || json(&levels::show(&name)?)).await
}

/// Returns the boards of the tutorial
#[utoipa::path(get, path = "/tutorial", operation_id = "tutorial", tag = "puzzles", responses(
    (status = 200, description = "The tutorial", body = Tutorial),
    CommonErrors,
))]
pub async fn lessons() -> Result<Response, ApiError> {
    json(&levels::lessons())
}
