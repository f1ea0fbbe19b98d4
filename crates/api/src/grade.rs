//! The difficulty of a board, and its reasons.

use crate::RequestError;
use crate::SearchRequest;
use crate::board::{BoardText, SearchLimits};
use clearway_answers::records::GradeRecord;
use clearway_forge::grade::{DifficultyReason, Graded, Grader};
use clearway_rush::Solver;
use clearway_rush::formats::Puzzle;
use clearway_search::{Limit, Limits};
use serde::{Deserialize, Serialize};
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
    /// What is measured: `moves`, `depth`, `vehicles`, `counterintuitive` (moves) or `choice` (legal moves for each one that is on a
    /// shortest solution).
    measure: &'static str,
    /// The measured value, with one decimal.
    value: f64,
    /// Whether it makes the board harder.
    harder: bool,
    /// Description of the property.
    text: String,
}

/// Returns the limit that left the grade incomplete, if any.
fn ended_by(graded: &Graded) -> Option<Limit> {
    graded.grade.unfinished.first().map(|unfinished| unfinished.limit)
}

impl SearchRequest for GradeRequest {
    type Found = (Puzzle, Graded);

    fn limits(&self) -> Result<Limits, RequestError> {
        self.limits.to_limits()
    }

    fn search(&self, solver: &mut Solver, limits: &Limits) -> Result<(Self::Found, Option<Limit>), RequestError> {
        let puzzle = self.board.read()?;
        // The machine's part of the grade is not shown here, and costs more than all the rest.
        let graded = Grader::new().without_machine().grade(&puzzle.board, solver, limits);
        let ended_by = ended_by(&graded);
        Ok(((puzzle, graded), ended_by))
    }

    fn answer<'a>(&'a self, (puzzle, graded): &'a Self::Found) -> impl Serialize + 'a {
        let reasons = graded.grade.reasons().into_iter();
        let reasons = reasons.map(|DifficultyReason { measure, value, harder, text }| GradeReason {
            measure,
            value,
            harder,
            text,
        });
        let record = GradeRecord::new(puzzle.name.as_deref(), &puzzle.board, graded);
        GradedBoard { record, reasons: reasons.collect() }
    }
}
