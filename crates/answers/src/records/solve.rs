//! Record of the answer to a board.

use super::{AnalysisRecord, Moves};
use crate::SolveOutcome;
use clearway_rush::exact::Analysis;
use clearway_rush::{Board, Metric, Solution, formats};
use clearway_search::Verdict;
use serde::Serialize;

/// Answer to one board, as `clearway solve --json` prints it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SolveRecord<'a> {
    /// Name of the board, or null.
    pub name: Option<&'a str>,
    /// Board in line format.
    pub board: String,
    /// `solved`, `unsolvable` (proven) or `limit`.
    pub status: &'static str,
    /// Whether the solution is proven optimal in the metric; false without a solution.
    pub optimal: bool,
    /// Metric of the length: `moves` (a slide of any length counts 1) or `steps` (each cell counts 1).
    pub metric: &'static str,
    /// Number of slides in the solution, or null. With the status `limit`, the solution is the best that was found.
    pub moves: Option<u32>,
    /// Number of cells slid in the solution, or null.
    pub steps: Option<u32>,
    /// Moves of the solution, or null. Each is a vehicle, a sign (plus is right or down) and a number of cells.
    pub solution: Option<Moves<'a>>,
    /// Number of states expanded.
    pub expanded: u64,
    /// Number of nodes generated, duplicates included: the start and all successors.
    pub generated: u64,
    /// Number of conflicts of the SAT solver.
    pub conflicts: u64,
    /// Wall-clock time of the search, in seconds.
    pub seconds: f64,
    /// Canonical form of the algorithm, or the engine of the portfolio that found the solution or, without one, the verdict.
    pub algorithm: &'a str,
    /// Lower bound on the length of every solution, in the metric; null if the board is unsolvable.
    pub lower_bound: Option<u32>,
    /// Engine that proved the lower bound, or that the board is unsolvable.
    pub bound_algorithm: &'a str,
    /// Present only with the status `limit`: `nodes`, `time`, `memory`, `interrupted`, or `incomplete` if the algorithm gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Present only on request: facts about all reachable states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisRecord<'a>>,
}

impl<'a> SolveRecord<'a> {
    /// Creates the record of an outcome.
    pub fn new(
        name: Option<&'a str>,
        board: &Board,
        metric: Metric,
        outcome: &'a SolveOutcome,
        analysis: Option<&'a Analysis>,
    ) -> SolveRecord<'a> {
        let answer = &outcome.answer;
        let solution = answer.solution.as_ref();
        SolveRecord {
            name,
            board: formats::line(board),
            status: answer.verdict.as_str(),
            optimal: outcome.optimal,
            metric: metric.as_str(),
            moves: solution.map(Solution::moves),
            steps: solution.map(Solution::steps),
            solution: solution.map(|solution| Moves(&solution.0)),
            expanded: answer.statistics.expanded,
            generated: answer.statistics.generated,
            conflicts: answer.statistics.conflicts,
            seconds: answer.time.as_secs_f64(),
            algorithm: &outcome.algorithm,
            bound_algorithm: match answer.bound_algorithm {
                "" => &outcome.algorithm,
                engine => engine,
            },
            lower_bound: (answer.verdict != Verdict::Unsolvable).then_some(answer.lower_bound),
            limit: match answer.verdict {
                Verdict::Limit(limit) => Some(limit.as_str()),
                Verdict::Solved | Verdict::Unsolvable => None,
            },
            analysis: analysis.map(AnalysisRecord::new),
        }
    }
}
