//! Facts about all states of a board.

use super::App;
use super::board::{BoardText, Effort, MetricName};
use super::request::{Body, json};
use crate::error::{ApiError, BodyRefused, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::records::AnalysisRecord;
use clearway_rush::exact::Analysis;
use clearway_rush::formats::Puzzle;
use clearway_rush::{Metric, Solver, formats};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A board to analyze.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Analyze {
    #[serde(flatten)]
    board: BoardText,
    #[serde(flatten)]
    effort: Effort,
    /// What distances count.
    #[serde(default)]
    metric: MetricName,
}

/// A board with the facts about its states.
#[derive(Serialize, ToSchema)]
pub struct Analyzed<'a> {
    /// The name of the board, or null if it has none.
    name: Option<&'a str>,
    /// The board in line format.
    board: String,
    /// What distances count: `moves` or `steps`.
    metric: &'static str,
    #[serde(flatten)]
    facts: AnalysisRecord<'a>,
}

/// Walks all states that can be reached from a board
#[utoipa::path(post, path = "/analyze", tag = "boards", request_body = Analyze, responses(
    (status = 200, description = "Facts about the states", body = Analyzed),
    Refused, BodyRefused,
))]
pub async fn analyze(State(app): State<Arc<App>>, Body(request): Body<Analyze>) -> Result<Response, ApiError> {
    let (limits, metric) = (request.effort.limits()?, Metric::from(request.metric));
    let work = move |solver: &mut Solver, limits: &_| {
        let puzzle = request.board.read()?;
        let analysis = solver.analyze(&puzzle.board, metric, limits);
        let ended_by = analysis.limit;
        Ok(((puzzle, analysis), ended_by))
    };
    let answer = move |(puzzle, analysis): (Puzzle, Analysis)| {
        json(&Analyzed {
            name: puzzle.name.as_deref(),
            board: formats::line(&puzzle.board),
            metric: metric.word(),
            facts: AnalysisRecord::new(&analysis),
        })
    };
    app.workers.search(&limits, work, answer).await
}
