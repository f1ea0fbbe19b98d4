//! How hard a board is, and why.

use super::App;
use super::board::{BoardText, Effort};
use super::request::{Body, json};
use crate::error::{ApiError, BodyRefused, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_forge::grade::{Graded, Grader};
use clearway_lab::records::GradeRecord;
use clearway_rush::Solver;
use clearway_rush::formats::Puzzle;
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
    Refused, BodyRefused,
))]
pub async fn grade(State(app): State<Arc<App>>, Body(request): Body<GradeBoard>) -> Result<Response, ApiError> {
    let limits = request.effort.limits()?;
    let work = move |solver: &mut Solver, limits: &_| {
        let puzzle = request.board.read()?;
        // What plain searches would need is of no interest here, and costs more than all the rest.
        let graded = Grader::new().without_machine().grade(&puzzle.board, solver, limits);
        let ended_by = ended_by(&graded);
        Ok(((puzzle, graded), ended_by))
    };
    let answer = |(puzzle, graded): (Puzzle, Graded)| {
        let reasons = graded.grade.reasons().into_iter().map(|reason| Why { harder: reason.harder, text: reason.text });
        let record = GradeRecord::new(puzzle.name.as_deref(), &puzzle.board, &graded);
        json(&GradedBoard { record, reasons: reasons.collect() })
    };
    app.workers.search(&limits, work, answer).await
}

/// The limit that kept a part of the grade from being known.
fn ended_by(graded: &Graded) -> Option<Limit> {
    graded.grade.unfinished.first().map(|unfinished| unfinished.limit)
}
