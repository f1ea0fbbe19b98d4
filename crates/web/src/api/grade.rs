//! The difficulty of a board, and its reasons.

use super::App;
use super::board::{BoardText, SearchLimits};
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::records::GradeRecord;
use clearway_forge::grade::{Graded, Grader};
use clearway_rush::Solver;
use clearway_rush::formats::Puzzle;
use clearway_search::Limit;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A board to grade.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GradeRequest {
    #[serde(flatten)]
    board: BoardText,
    #[serde(flatten)]
    limits: SearchLimits,
}

/// A board with its grade.
#[derive(Serialize, ToSchema)]
pub struct GradedBoard<'a> {
    #[serde(flatten)]
    record: GradeRecord<'a>,
    /// Reasons why the board is hard or easy.
    reasons: Vec<GradeReason>,
}

/// A property that makes a board harder or easier than most cards.
#[derive(Serialize, ToSchema)]
pub struct GradeReason {
    /// Whether it makes the board harder.
    harder: bool,
    /// Description of the property.
    text: String,
}

/// Grades a board: its difficulty for people, and the reasons
#[utoipa::path(post, path = "/grade", tag = "boards", request_body = GradeRequest, responses(
    (status = 200, description = "The fields of `clearway grade --json`, and the reasons", body = GradedBoard),
    CommonErrors, BodyErrors,
))]
pub async fn grade(State(app): State<Arc<App>>, Body(request): Body<GradeRequest>) -> Result<Response, ApiError> {
    let limits = request.limits.to_limits()?;
    let work = move |solver: &mut Solver, limits: &_| {
        let puzzle = request.board.read()?;
        // The machine's part of the grade is not shown here, and costs more than all the rest.
        let graded = Grader::new().without_machine().grade(&puzzle.board, solver, limits);
        let ended_by = ended_by(&graded);
        Ok(((puzzle, graded), ended_by))
    };
    let respond = |(puzzle, graded): (Puzzle, Graded)| {
        let reasons = graded.grade.reasons().into_iter();
        let reasons = reasons.map(|reason| GradeReason { harder: reason.harder, text: reason.text });
        let record = GradeRecord::new(puzzle.name.as_deref(), &puzzle.board, &graded);
        json(&GradedBoard { record, reasons: reasons.collect() })
    };
    app.workers.search(&limits, work, respond).await
}

/// Returns the limit that left the grade incomplete, if any.
fn ended_by(graded: &Graded) -> Option<Limit> {
    graded.grade.unfinished.first().map(|unfinished| unfinished.limit)
}
