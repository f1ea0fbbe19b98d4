//! The answer to a board.

use super::{AnalysisRecord, Moves, limit_word};
use crate::Found;
use clearway_rush::exact::Analysis;
use clearway_rush::{Board, Metric, Solution, formats};
use clearway_search::Verdict;
use serde::Serialize;

/// The answer to one board, as `clearway solve --json` prints it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SolveRecord<'a> {
    /// The name of the board, or null if it has none.
    pub name: Option<&'a str>,
    /// The board in line format.
    pub board: String,
    /// `solved`, `unsolvable` (proven: the whole component was visited) or `limit`.
    pub status: &'static str,
    /// Whether the solution is proven shortest in the metric; false if there is none.
    pub optimal: bool,
    /// What was made shortest: `moves` (a slide of any length counts 1) or `steps` (one cell counts 1).
    pub metric: &'static str,
    /// The number of slides of the solution, or null.
    pub moves: Option<u32>,
    /// The number of cells slid in the solution, or null.
    pub steps: Option<u32>,
    /// The solution: a vehicle, a sign (plus is right or down) and a number of cells a move; or null.
    pub solution: Option<Moves<'a>>,
    /// States whose successors were made.
    pub expanded: u64,
    /// Nodes generated, new or not: the start and all successors.
    pub generated: u64,
    /// Wall-clock time of the search.
    pub seconds: f64,
    /// The engine that gave the answer, or the algorithm that was asked for.
    pub algorithm: &'a str,
    /// No solution is shorter than this in the metric; null if there is none at all.
    pub lower_bound: Option<u32>,
    /// Only with the status `limit`: `nodes`, `time`, `memory`, `interrupted`, or `incomplete` if the
    /// algorithm gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Only if they are asked for: facts about all states that can be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisRecord<'a>>,
}

impl<'a> SolveRecord<'a> {
    /// The record of what was found.
    pub fn new(
        name: Option<&'a str>,
        board: &Board,
        metric: Metric,
        found: &'a Found,
        analysis: Option<&'a Analysis>,
    ) -> SolveRecord<'a> {
        let answer = &found.answer;
        let solution = answer.solution.as_ref();
        SolveRecord {
            name,
            board: formats::line(board),
            status: answer.verdict.word(),
            optimal: found.optimal,
            metric: metric.word(),
            moves: solution.map(Solution::moves),
            steps: solution.map(Solution::steps),
            solution: solution.map(|solution| Moves(&solution.0)),
            expanded: answer.counters.expanded,
            generated: answer.counters.generated,
            seconds: answer.time.as_secs_f64(),
            algorithm: &found.algorithm,
            lower_bound: (answer.verdict != Verdict::Unsolvable).then_some(answer.lower_bound),
            limit: match answer.verdict {
                Verdict::Limit(limit) => Some(limit_word(limit)),
                Verdict::Solved | Verdict::Unsolvable => None,
            },
            analysis: analysis.map(AnalysisRecord::new),
        }
    }
}
