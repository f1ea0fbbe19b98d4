//! The puzzles of the levels, and the tutorial.

use crate::RequestError;
use clearway_answers::{Lesson, LevelPuzzle, level_puzzles, tutorial};
use clearway_forge::grade::Level;
use serde::Serialize;
use utoipa::ToSchema;

/// A level with its puzzles.
#[derive(Serialize, ToSchema)]
pub struct LevelPuzzles {
    /// Level that all puzzles have.
    level: Level,
    /// Puzzles of the level, from easy to hard.
    puzzles: Vec<LevelPuzzle>,
}

/// Boards that introduce the rules of the puzzle, one idea at a time.
#[derive(Serialize, ToSchema)]
pub struct Tutorial {
    /// Boards of the tutorial, each of which needs one more idea.
    lessons: &'static [Lesson],
}

/// Returns a level with its puzzles.
pub fn show(name: &str) -> Result<LevelPuzzles, RequestError> {
    let Some(level) = Level::ALL.into_iter().find(|level| level.as_str() == name) else {
        let names = Level::ALL.map(Level::as_str).join(", ");
        let error = RequestError::not_found(format!("unknown level '{name}'"));
        return Err(error.with_help(format!("expected one of {names}")));
    };
    Ok(LevelPuzzles { level, puzzles: level_puzzles(level) })
}

/// Returns the boards of the tutorial.
pub fn lessons() -> Tutorial {
    Tutorial { lessons: tutorial() }
}
