//! Statistics about the component of a board.

use super::App;
use super::board::{BoardRequest, NoOptions};
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::records::AnalysisRecord;
use clearway_rush::exact::Analysis;
use clearway_rush::formats::Puzzle;
use clearway_rush::{Solver, formats};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A board with the statistics of its component.
#[derive(Serialize, ToSchema)]
pub struct Analyzed<'a> {
    /// Name of the board, or null if it has none.
    name: Option<&'a str>,
    /// The board in line format.
    board: String,
    /// Metric of the distances: `moves` or `steps`.
    metric: &'static str,
    #[serde(flatten)]
    facts: AnalysisRecord<'a>,
}

/// Explores all states reachable from a board
#[utoipa::path(post, path = "/analyze", tag = "boards", request_body = BoardRequest<NoOptions>, responses(
    (status = 200, description = "Statistics about the states", body = Analyzed),
    CommonErrors, BodyErrors,
))]
pub async fn analyze(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<NoOptions>>,
) -> Result<Response, ApiError> {
    let (limits, metric) = (request.limits.to_limits()?, request.metric);
    let work = move |solver: &mut Solver, limits: &_| {
        let puzzle = request.board.read()?;
        let analysis = solver.analyze(&puzzle.board, metric, limits);
        let ended_by = analysis.limit;
        Ok(((puzzle, analysis), ended_by))
    };
    let respond = move |(puzzle, analysis): (Puzzle, Analysis)| {
        json(&Analyzed {
            name: puzzle.name.as_deref(),
            board: formats::line(&puzzle.board),
            metric: metric.as_str(),
            facts: AnalysisRecord::new(&analysis),
        })
    };
    app.workers.search(&limits, work, respond).await
}
