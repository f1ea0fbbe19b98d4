//! How hard a board is.

use super::Moves;
use clearway_forge::grade::{Grade, Graded};
use clearway_rush::{Board, formats};
use serde::Serialize;

/// The grade of one board, as `clearway grade --json` prints it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GradeRecord<'a> {
    /// The name of the board, or null if it has none.
    pub name: Option<&'a str>,
    /// The board in line format.
    pub board: String,
    /// The fields of [`Grade`], each documented there.
    #[serde(flatten)]
    pub grade: &'a Grade,
    /// A shortest solution in moves, or null.
    pub solution: Option<Moves<'a>>,
}

impl<'a> GradeRecord<'a> {
    /// The record of a grade.
    pub fn new(name: Option<&'a str>, board: &Board, graded: &'a Graded) -> GradeRecord<'a> {
        GradeRecord {
            name,
            board: formats::line(board),
            grade: &graded.grade,
            solution: graded.solution.as_ref().map(|solution| Moves(&solution.0)),
        }
    }
}
