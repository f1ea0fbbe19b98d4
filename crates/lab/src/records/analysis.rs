//! Facts about all states of a board.

use super::limit_word;
use clearway_rush::exact::Analysis;
use clearway_rush::formats;
use serde::Serialize;

/// Facts about all states that can be reached from a board, as `solve --analyze` gives them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysisRecord<'a> {
    /// The states that can be reached.
    pub states: u64,
    /// Those of them that are solved.
    pub goals: u64,
    /// The largest distance of any state to its nearest solved state.
    pub depth: u32,
    /// A board at that distance, in line format; null if no solved state can be reached.
    pub farthest: Option<String>,
    /// The number of different shortest solutions.
    pub optimal_solutions: u128,
    /// The number of states at each distance from their nearest solved state, from 0.
    pub histogram: &'a [u64],
    /// Only if the walk ended early: `nodes`, `time`, `memory` or `interrupted`. The facts are then those of the part
    /// that was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
}

impl<'a> AnalysisRecord<'a> {
    /// The record of an analysis.
    pub fn new(analysis: &'a Analysis) -> AnalysisRecord<'a> {
        AnalysisRecord {
            states: analysis.states,
            goals: analysis.goals,
            depth: analysis.depth,
            farthest: analysis.farthest.as_ref().map(formats::line),
            optimal_solutions: analysis.optimal_solutions,
            histogram: &analysis.histogram,
            limit: analysis.limit.map(limit_word),
        }
    }
}
