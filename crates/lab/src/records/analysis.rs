//! Facts about all states of a board.

use super::limit_word;
use clearway_rush::exact::Analysis;
use clearway_rush::formats;
use serde::Serialize;

/// Facts about all states that can be reached from a board, as `solve --analyze` gives them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysisRecord<'a> {
    /// The states that can be reached; with `partial`, those that were seen.
    pub states: u64,
    /// Those of them that are solved.
    pub goals: u64,
    /// The largest distance of any state to its nearest solved state; null if no solved state can be reached, or if a
    /// limit was reached before it was known.
    pub depth: Option<u32>,
    /// A board at that distance, in line format; null as `depth` is.
    pub farthest: Option<String>,
    /// The number of different shortest solutions; null if a limit was reached before they were counted.
    pub optimal_solutions: Option<u128>,
    /// Only if it is true: there are more shortest solutions than 2^128 - 1, the number that `optimal_solutions` then is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub optimal_solutions_saturated: bool,
    /// The number of states at each distance from their nearest solved state, from 0; empty if no solved state can be
    /// reached, null if a limit was reached before it was known.
    pub histogram: Option<&'a [u64]>,
    /// Only if it is true: a limit was reached before all states were seen, and `states` and `goals` are lower bounds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Only if the walk ended early: `nodes`, `time`, `memory` or `interrupted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
}

impl<'a> AnalysisRecord<'a> {
    /// The record of an analysis.
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
            limit: analysis.limit.map(limit_word),
        }
    }
}
