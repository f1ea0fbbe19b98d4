//! Whether moves solve a board.

use super::App;
use super::board::BoardText;
use super::request::{Body, json};
use crate::error::{ApiError, BodyRefused, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::TypedMoves;
use clearway_lab::records::VerifyRecord;
use clearway_rush::Move;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A board, and moves to make on it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    #[serde(flatten)]
    board: BoardText,
    /// The moves: a vehicle, a sign (plus is right or down) and a number of cells each.
    moves: MoveList,
}

/// Moves, each for itself or in one text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum MoveList {
    /// A move each.
    #[schema(example = json!(["C-1", "A+2"]))]
    Each(Vec<String>),
    /// All of them, with blanks or commas between them.
    #[schema(example = "C-1 A+2")]
    Text(String),
}

impl MoveList {
    /// The moves.
    pub fn read(&self) -> Result<Vec<Move>, ApiError> {
        let text = match self {
            MoveList::Each(moves) => moves.join(" "),
            MoveList::Text(text) => text.clone(),
        };
        Ok(TypedMoves::parse(&text).map_err(|report| ApiError::of_report(report.as_ref()))?.moves)
    }
}

/// Checks that moves solve a board, by code that no solver shares
#[utoipa::path(post, path = "/verify", tag = "boards", request_body = Verify, responses(
    (status = 200, description = "The fields of `clearway verify --json`", body = VerifyRecord),
    Refused, BodyRefused,
))]
pub async fn verify(State(app): State<Arc<App>>, Body(request): Body<Verify>) -> Result<Response, ApiError> {
    let check = move || {
        let puzzle = request.board.read()?;
        json(&VerifyRecord::new(puzzle.name.as_deref(), &puzzle.board, &request.moves.read()?))
    };
    app.blocking.run(check).await
}
