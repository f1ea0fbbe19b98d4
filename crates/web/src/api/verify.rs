//! Verification of solutions.

use super::App;
use super::board::BoardText;
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::TypedMoves;
use clearway_answers::records::VerifyRecord;
use clearway_rush::Move;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A board, and the moves to verify.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyRequest {
    #[serde(flatten)]
    board: BoardText,
    /// The moves, each a vehicle, a sign (plus is right or down) and a number of cells.
    moves: MoveList,
}

/// Moves, as an array or as one text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum MoveList {
    /// One move per element.
    #[schema(example = json!(["C-1", "A+2"]))]
    Each(Vec<String>),
    /// All moves, separated by spaces or commas.
    #[schema(example = "C-1 A+2")]
    Text(String),
}

impl MoveList {
    /// Parses the moves.
    pub fn parse(&self) -> Result<Vec<Move>, ApiError> {
        let text = match self {
            MoveList::Each(moves) => moves.join(" "),
            MoveList::Text(text) => text.clone(),
        };
        Ok(TypedMoves::parse(&text).map_err(|error| ApiError::from_report(&error))?.moves)
    }
}

/// Verifies that moves solve a board, with code independent of the solvers
#[utoipa::path(post, path = "/verify", tag = "boards", request_body = VerifyRequest, responses(
    (status = 200, description = "The fields of `clearway verify --json`", body = VerifyRecord),
    CommonErrors, BodyErrors,
))]
pub async fn verify(State(app): State<Arc<App>>, Body(request): Body<VerifyRequest>) -> Result<Response, ApiError> {
    let check = move || {
        let puzzle = request.board.read()?;
        json(&VerifyRecord::new(puzzle.name.as_deref(), &puzzle.board, &request.moves.parse()?))
    };
    app.blocking.run(check).await
}
