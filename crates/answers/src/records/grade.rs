//! Record of the grade of a board.

use super::Moves;
use clearway_forge::grade::{Grade, Graded};
use clearway_rush::{Board, formats};
use serde::Serialize;

/// Grade of one board, as `clearway grade --json` prints it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GradeRecord<'a> {
    /// Name of the board, or null.
    pub name: Option<&'a str>,
    /// Board in line format.
    pub board: String,
    /// The fields of [`Grade`], each documented there.
    #[serde(flatten)]
    pub grade: &'a Grade,
    /// A shortest solution in moves, or null; at a limit, the best solution so far.
    pub solution: Option<Moves<'a>>,
}

impl<'a> GradeRecord<'a> {
    /// Creates the record of a grade.
    pub fn new(name: Option<&'a str>, board: &Board, graded: &'a Graded) -> GradeRecord<'a> {
        GradeRecord {
            name,
            board: formats::line(board),
            grade: &graded.grade,
            solution: graded.solution.as_ref().map(|solution| Moves(&solution.0)),
        }
    }
}
