//! The puzzles of the levels, and the tutorial.

use super::App;
use super::request::{Path, json};
use crate::error::{ApiError, CommonErrors, Problem};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::{Lesson, LevelPuzzle, level_puzzles, tutorial};
use clearway_forge::grade::Level;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A level with its puzzles.
#[derive(Serialize, ToSchema)]
pub struct LevelPuzzles {
    /// The level.
    level: Level,
    /// Puzzles of the level, from easy to hard.
    puzzles: Vec<LevelPuzzle>,
}

/// The tutorial.
#[derive(Serialize, ToSchema)]
pub struct Tutorial {
    /// Boards of the tutorial, each of which needs one more idea.
    lessons: &'static [Lesson],
}

/// Returns the built-in puzzles of a level, from easy to hard
#[utoipa::path(get, path = "/levels/{level}", operation_id = "show_level", tag = "puzzles",
    params(("level" = String, Path, description = "beginner, intermediate, advanced, expert or fiendish", example = "beginner")),
    responses(
        (status = 200, description = "The level with its puzzles", body = LevelPuzzles),
        (status = 404, description = "The level does not exist", body = Problem),
        CommonErrors,
    ))]
pub async fn level(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, ApiError> {
    let Some(level) = Level::ALL.into_iter().find(|level| level.as_str() == name) else {
        let names = Level::ALL.map(Level::as_str).join(", ");
        return Err(
            ApiError::not_found(format!("unknown level '{name}'")).with_help(format!("expected one of {names}"))
        );
    };
    app.blocking.run(move || json(&LevelPuzzles { level, puzzles: level_puzzles(level) })).await
}

/// Returns the boards of the tutorial
#[utoipa::path(get, path = "/tutorial", operation_id = "tutorial", tag = "puzzles", responses(
    (status = 200, description = "The tutorial", body = Tutorial),
    CommonErrors,
))]
pub async fn lessons() -> Result<Response, ApiError> {
    json(&Tutorial { lessons: tutorial() })
}
