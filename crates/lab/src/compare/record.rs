//! What one run found and counted, as `compare --json` prints it.

use super::Entry;
use crate::records::limit_word;
use crate::{Algorithm, LabOutcome};
use clearway_rush::{Metric, Solution, formats};
use clearway_search::Verdict;
use serde::{Deserialize, Serialize};

/// One algorithm on one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Record {
    /// The name of the board, or null if it has none.
    pub name: Option<String>,
    /// The board in line format.
    pub board: String,
    /// The algorithm, as it was asked for.
    pub algorithm: String,
    /// The algorithm in its canonical form.
    pub canonical: String,
    /// Only if a policy guides it: the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// What lengths count: `moves` or `steps`.
    pub metric: String,
    /// `solved`, `unsolvable` (proven) or `limit`.
    pub status: String,
    /// Only with the status `limit`: `nodes`, `time`, `memory`, or `incomplete` if the algorithm gave up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// The number of slides of the solution found, or null. There may be one even if a limit ended the run.
    pub moves: Option<u32>,
    /// The number of cells slid in the solution, or null.
    pub steps: Option<u32>,
    /// The length of a shortest solution in the metric, by the exact solver; null if it is not known or there is none.
    pub optimum: Option<u32>,
    /// States whose successors were made.
    pub expanded: u64,
    /// Nodes generated, new or not: the start of each search and all successors.
    pub generated: u64,
    /// States for which the heuristic was asked.
    pub evaluated: u64,
    /// States for which it was asked whether they are goals.
    pub goal_tests: u64,
    /// States expanded again because a shorter way to them was found.
    pub reopened: u64,
    /// Successors left out because they were known already.
    pub duplicates: u64,
    /// The most states that waited to be expanded at one time.
    pub peak_open: u64,
    /// The most bytes held.
    pub peak_memory: u64,
    /// Expanded until the estimated total last grew: what tie-breaking cannot change.
    pub until_last_jump: u64,
    /// The nodes left in the queue of a search over paths; null for any other search.
    pub queue: Option<u64>,
    /// Only if the search could not begin: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Wall-clock time.
    pub seconds: f64,
}

impl Record {
    pub(super) fn new(entry: &Entry, algorithm: &Algorithm, metric: Metric, outcome: &LabOutcome) -> Record {
        let counters = &outcome.counters;
        let canonical = algorithm.to_string();
        Record {
            name: entry.name.clone(),
            board: formats::line(&entry.board),
            algorithm: canonical.clone(),
            canonical,
            policy: algorithm.policy().map(ToString::to_string),
            metric: metric.word().to_owned(),
            status: outcome.verdict.word().to_owned(),
            limit: match outcome.verdict {
                Verdict::Limit(limit) => Some(limit_word(limit).to_owned()),
                Verdict::Solved | Verdict::Unsolvable => None,
            },
            moves: outcome.solution.as_ref().map(Solution::moves),
            steps: outcome.solution.as_ref().map(Solution::steps),
            optimum: None,
            expanded: counters.expanded,
            generated: counters.generated,
            evaluated: counters.evaluated,
            goal_tests: counters.goal_tests,
            reopened: counters.reopened,
            duplicates: counters.duplicates,
            peak_open: counters.peak_open,
            peak_memory: counters.peak_memory,
            until_last_jump: counters.until_last_jump,
            queue: outcome.queue,
            note: outcome.note.clone(),
            seconds: outcome.time.as_secs_f64(),
        }
    }

    /// The length of the solution in the metric.
    pub fn length(&self) -> Option<u32> {
        if self.metric == Metric::Moves.word() { self.moves } else { self.steps }
    }

    /// Whether the algorithm solved the board.
    pub fn solved(&self) -> bool {
        self.status == Verdict::Solved.word()
    }
}
