//! Statistics about the component of a board.

use crate::RequestError;
use crate::SearchRequest;
use crate::board::{BoardRequest, NoOptions};
use clearway_answers::records::AnalysisRecord;
use clearway_rush::exact::Analysis;
use clearway_rush::formats::Puzzle;
use clearway_rush::{Solver, formats};
use clearway_search::{Limit, Limits};
use serde::Serialize;
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

/// A board to explore.
#[derive(Debug)]
pub struct AnalyzeRequest(pub BoardRequest<NoOptions>);

impl SearchRequest for AnalyzeRequest {
    type Found = (Puzzle, Analysis);

    fn limits(&self) -> Result<Limits, RequestError> {
        self.0.limits.to_limits()
    }

    fn search(&self, solver: &mut Solver, limits: &Limits) -> Result<(Self::Found, Option<Limit>), RequestError> {
        let puzzle = self.0.board.read()?;
        let analysis = solver.analyze(&puzzle.board, self.0.metric, limits);
        let ended_by = analysis.limit;
        Ok(((puzzle, analysis), ended_by))
    }

    fn answer<'a>(&'a self, (puzzle, analysis): &'a Self::Found) -> impl Serialize + 'a {
        Analyzed {
            name: puzzle.name.as_deref(),
            board: formats::line(&puzzle.board),
            metric: self.0.metric.as_str(),
            facts: AnalysisRecord::new(analysis),
        }
    }
}
