//! Record of one run of a comparison.

use super::NamedBoard;
use crate::{ConfiguredAlgorithm, LabOutcome};
use clearway_rush::{Metric, Solution, formats};
use clearway_search::{SearchStatistics, Verdict};
use serde::{Deserialize, Serialize};

/// Result of one algorithm on one board, as `clearway compare --json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ComparisonRecord {
    /// Name of the board, or null.
    pub name: Option<String>,
    /// Board in line format.
    pub board: String,
    /// Algorithm, as given in the request.
    pub algorithm: String,
    /// Canonical form of the algorithm.
    pub canonical: String,
    /// Present only if a policy guides it: the text of the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// Metric of lengths: `moves` or `steps`.
    pub metric: String,
    /// `solved`, `unsolvable` (proven) or `limit`.
    pub status: String,
    /// Present only with the status `limit`: `nodes`, `time`, `memory`, or `incomplete` if the algorithm gave up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Number of slides in the solution found, or null. A solution may exist even if a limit stopped the run.
    pub moves: Option<u32>,
    /// Number of cells slid in the solution, or null.
    pub steps: Option<u32>,
    /// Length of a shortest solution in the metric, by the exact solver; null if it is unknown or the board is unsolvable.
    pub optimum: Option<u32>,
    /// Statistics of the search.
    #[serde(flatten)]
    pub statistics: SearchStatistics,
    /// Number of nodes left in the queue of a search over paths; null for other searches.
    pub queue: Option<u64>,
    /// Present only if the search could not start: the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl ComparisonRecord {
    pub(super) fn new(
        entry: &NamedBoard,
        algorithm: &ConfiguredAlgorithm,
        metric: Metric,
        outcome: &LabOutcome,
    ) -> ComparisonRecord {
        let canonical = algorithm.to_string();
        ComparisonRecord {
            name: entry.name.clone(),
            board: formats::line(&entry.board),
            algorithm: canonical.clone(),
            canonical,
            policy: algorithm.policy().map(ToString::to_string),
            metric: metric.as_str().to_owned(),
            status: outcome.verdict.as_str().to_owned(),
            limit: match outcome.verdict {
                Verdict::Limit(limit) => Some(limit.as_str().to_owned()),
                Verdict::Solved | Verdict::Unsolvable => None,
            },
            moves: outcome.solution.as_ref().map(Solution::moves),
            steps: outcome.solution.as_ref().map(Solution::steps),
            optimum: None,
            statistics: outcome.statistics,
            queue: outcome.queue,
            note: outcome.note.clone(),
            seconds: outcome.time.as_secs_f64(),
        }
    }

    /// Length of the solution in the metric.
    pub fn length(&self) -> Option<u32> {
        if self.metric == Metric::Moves.as_str() { self.moves } else { self.steps }
    }

    /// Whether the algorithm solved the board.
    pub fn solved(&self) -> bool {
        self.status == Verdict::Solved.as_str()
    }
}
