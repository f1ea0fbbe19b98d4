//! Record of the analysis of a board.

use clearway_rush::exact::Analysis;
use clearway_rush::formats;
use clearway_search::Limit;
use serde::Serialize;

/// Facts about all states reachable from a board, as `clearway solve --analyze` prints them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysisRecord<'a> {
    /// Number of reachable states; with `partial`, of those that were visited.
    pub states: u64,
    /// Number of solved states among them.
    pub goals: u64,
    /// Largest distance of any state to its nearest solved state; null if no solved state is reachable, or if a limit was
    /// reached before it was known.
    pub depth: Option<u32>,
    /// A board at that distance, in line format; null if `depth` is null.
    pub farthest: Option<String>,
    /// Number of different shortest solutions; null if a limit was reached before they were counted.
    pub optimal_solutions: Option<u128>,
    /// Present only if true: there are more than 2^128 - 1 shortest solutions, and `optimal_solutions` is that number.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub optimal_solutions_saturated: bool,
    /// Number of states at each distance from their nearest solved state, starting at 0; empty if no solved state is
    /// reachable, null if a limit was reached before it was known.
    pub histogram: Option<&'a [u64]>,
    /// Present only if true: a limit was reached before all states were visited; `states` and `goals` are lower bounds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Present only if a limit stopped the analysis: `nodes`, `time`, `memory` or `interrupted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
}

impl<'a> AnalysisRecord<'a> {
    /// Creates the record of an analysis.
    pub fn new(analysis: &'a Analysis) -> AnalysisRecord<'a> {
        let is_known = analysis.limit.is_none() || analysis.depth.is_some();
        AnalysisRecord {
            states: analysis.states,
            goals: analysis.goals,
            depth: analysis.depth,
            farthest: analysis.farthest.as_ref().map(formats::line),
            optimal_solutions: analysis.optimal_solutions,
            optimal_solutions_saturated: analysis.is_saturated(),
            histogram: is_known.then_some(&*analysis.histogram),
            partial: analysis.is_partial,
            limit: analysis.limit.map(Limit::as_str),
        }
    }
}
