//! How hard a board is, and why.

use super::App;
use super::board::{BoardText, Effort};
use super::request::{Body, json};
use crate::error::{ApiError, BodyRefused, Busy, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_forge::grade::{Graded, Grader};
use clearway_lab::records::GradeRecord;
use clearway_rush::Solver;
use clearway_search::Limit;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A board to grade.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GradeBoard {
    #[serde(flatten)]
    board: BoardText,
    #[serde(flatten)]
    effort: Effort,
}

/// A board with its grade.
#[derive(Serialize, ToSchema)]
pub struct GradedBoard<'a> {
    #[serde(flatten)]
    record: GradeRecord<'a>,
    /// Why it is hard or easy, in words.
    reasons: Vec<Why>,
}

/// Something that makes a board harder or easier than most cards.
#[derive(Serialize, ToSchema)]
pub struct Why {
    /// Whether it makes it harder.
    harder: bool,
    /// What it is.
    text: String,
}

/// Grades a board: how hard it is for people, and why
#[utoipa::path(post, path = "/grade", tag = "boards", request_body = GradeBoard, responses(
    (status = 200, description = "The fields of `clearway grade --json`, and the reasons", body = GradedBoard),
    Refused, BodyRefused, Busy,
))]
pub async fn grade(State(app): State<Arc<App>>, Body(request): Body<GradeBoard>) -> Result<Response, ApiError> {
    let puzzle = request.board.read()?;
    let limits = request.effort.limits()?;
    let board = puzzle.board.clone();
    // What plain searches would need is of no interest here, and costs more than all the rest.
    let work = move |solver: &mut Solver, limits: &_| Grader::new().without_machine().grade(&board, solver, limits);
    let graded = app.workers.search(&limits, work, ended_by).await?;
    let reasons = graded.grade.reasons().into_iter().map(|reason| Why { harder: reason.harder, text: reason.text });
    let record = GradeRecord::new(puzzle.name.as_deref(), &puzzle.board, &graded);
    json(&GradedBoard { record, reasons: reasons.collect() })
}

/// The limit that kept a part of the grade from being known.
fn ended_by(graded: &Graded) -> Option<Limit> {
    graded.grade.unfinished.first().map(|unfinished| unfinished.limit)
}
