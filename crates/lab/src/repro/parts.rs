//! Log of the finished parts of experiments, from which an interrupted run is resumed.
//!
//! The key of a part contains everything that its result depends on. Any run may therefore use any log: parts that do not match
//! are executed again.

use super::SearchRun;
use crate::LabOutcome;
use clearway_rush::{Metric, Solution, formats};
use clearway_search::{Limit, SearchStatistics, Verdict};
use clearway_util::log::{CorruptLines, LineLog, LogError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Log of finished parts; without a file by default.
#[derive(Clone, Debug, Default)]
pub struct Parts(Arc<Mutex<PartLog>>);

#[derive(Debug, Default)]
struct PartLog {
    file: Option<LineLog>,
    /// Results that the file held when it was opened, by key.
    known: HashMap<String, serde_json::Value>,
    /// Number of parts added since.
    added: usize,
}

/// First line of the file.
#[derive(Serialize)]
struct Header {
    clearway: String,
}

/// Any other line of the file.
#[derive(Serialize, Deserialize)]
struct PartLine {
    part: String,
    result: serde_json::Value,
}

impl Parts {
    /// Opens or creates a log file, and reads its parts. Also returns its damaged lines, whose parts are executed again.
    pub fn open(path: &Path) -> Result<(Parts, CorruptLines), LogError> {
        let mut parts = PartLog::default();
        let header = Header { clearway: format!("repro {}", env!("CARGO_PKG_VERSION")) };
        let parse = |_, line: &str| {
            let line: PartLine = serde_json::from_str(line).map_err(|error| format!("is not a valid part: {error}"))?;
            parts.known.insert(line.part, line.result);
            Ok(())
        };
        let (file, corrupt) = LineLog::open(path, "reproductions", json(&header), parse)?;
        parts.file = Some(file);
        Ok((Parts(Arc::new(Mutex::new(parts))), corrupt))
    }

    /// Number of parts in the log.
    pub fn count(&self) -> usize {
        let parts = self.lock();
        parts.known.len() + parts.added
    }

    /// Returns the results of searches that the file held and that are valid for this memory limit, by part.
    pub fn searches(&self, memory: usize) -> Vec<(String, LabOutcome)> {
        let names: Vec<String> = self.lock().known.keys().cloned().collect();
        let outcome = |name: String| {
            let logged: LoggedOutcome = self.known(&name)?;
            Some((name, logged.into_outcome(memory)?))
        };
        let mut found: Vec<_> = names.into_iter().filter_map(outcome).collect();
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        found
    }

    /// Returns the logged result of a part, if there is a valid one.
    pub(super) fn known<T: DeserializeOwned>(&self, part: &str) -> Option<T> {
        serde_json::from_value(self.lock().known.get(part)?.clone()).ok()
    }

    /// Logs the result of a part.
    pub(super) fn append(&self, part: String, result: &impl Serialize) -> Result<(), LogError> {
        let mut parts = self.lock();
        let Some(file) = &mut parts.file else { return Ok(()) };
        file.append(&json(&PartLine { part, result: serde_json::to_value(result).unwrap_or_default() }))?;
        parts.added += 1;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, PartLog> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Outcome of a search in the log.
#[derive(Serialize, Deserialize)]
pub(super) struct LoggedOutcome {
    status: String,
    limit: Option<String>,
    solution: Option<String>,
    lower_bound: u32,
    /// In the order of [`logged_fields`].
    #[serde(rename = "counters")]
    statistics: [u64; 10],
    queue: Option<u64>,
    note: Option<String>,
    time: Duration,
    /// Memory limit in bytes, which only matters if it was reached.
    memory: usize,
}

/// Returns the statistics that are logged, in the order of the log.
fn logged_fields(statistics: &mut SearchStatistics) -> [&mut u64; 10] {
    [
        &mut statistics.expanded,
        &mut statistics.generated,
        &mut statistics.evaluated,
        &mut statistics.goal_tests,
        &mut statistics.reopened,
        &mut statistics.duplicates,
        &mut statistics.peak_open,
        &mut statistics.peak_memory,
        &mut statistics.until_last_jump,
        &mut statistics.table_size,
    ]
}

impl LoggedOutcome {
    /// Converts an outcome. `None` for a search that was cancelled, which is not finished.
    pub fn new(outcome: &LabOutcome, memory: usize) -> Option<LoggedOutcome> {
        let limit = match outcome.verdict {
            Verdict::Limit(Limit::Cancelled) => return None,
            Verdict::Limit(limit) => Some(limit.as_str().to_owned()),
            Verdict::Solved | Verdict::Unsolvable => None,
        };
        let mut statistics = outcome.statistics;
        Some(LoggedOutcome {
            status: outcome.verdict.as_str().to_owned(),
            limit,
            solution: outcome.solution.as_ref().map(ToString::to_string),
            lower_bound: outcome.lower_bound,
            statistics: logged_fields(&mut statistics).map(|field| *field),
            queue: outcome.queue,
            note: outcome.note.clone(),
            time: outcome.time,
            memory,
        })
    }

    /// Restores the outcome, if it is also valid for this memory limit.
    pub fn into_outcome(self, memory: usize) -> Option<LabOutcome> {
        let limits = [Limit::Nodes, Limit::Time, Limit::Memory, Limit::Incomplete];
        let verdict = match self.limit {
            Some(name) => Verdict::Limit(limits.into_iter().find(|&limit| limit.as_str() == name)?),
            None if self.status == Verdict::Solved.as_str() => Verdict::Solved,
            None if self.status == Verdict::Unsolvable.as_str() => Verdict::Unsolvable,
            None => return None,
        };
        if verdict == Verdict::Limit(Limit::Memory) && memory != self.memory {
            return None;
        }
        let solution = self.solution.map(|text| text.parse::<Solution>()).transpose().ok()?;
        // None of the recorded algorithms uses a SAT solver, so the conflicts are 0.
        let mut statistics = SearchStatistics::default();
        for (field, value) in logged_fields(&mut statistics).into_iter().zip(self.statistics) {
            *field = value;
        }
        Some(LabOutcome {
            verdict,
            solution,
            lower_bound: self.lower_bound,
            statistics,
            queue: self.queue,
            note: self.note,
            time: self.time,
        })
    }
}

/// Key of a search: everything that its outcome depends on, except for the memory limit.
pub(super) fn part_key(run: &SearchRun) -> String {
    let SearchRun { algorithm, board, metric, nodes, difficulty } = run;
    let policy = algorithm.policy().map(|policy| format!(" {policy}")).unwrap_or_default();
    let metric = if *metric == Metric::Moves { "moves" } else { "steps" };
    let nodes = nodes.map_or(String::new(), |nodes| format!(", at most {nodes} nodes"));
    format!("{algorithm}{policy} on {}, in {metric}{nodes}, difficulty {difficulty}", formats::line(board))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repro::board;
    use clearway_rush::heuristics::HeuristicContext;

    #[test]
    fn outcomes_round_trip_through_the_log() {
        let run = SearchRun::parse("astar(h1)", &board("cards", "JAM01"), Metric::Moves);
        let solve = |limits| run.algorithm.solve(&run.board, run.metric, &limits, &HeuristicContext::default());
        let found = solve(clearway_search::Limits::default());
        let text = json(&LoggedOutcome::new(&found, 5).unwrap());
        let logged = |memory| serde_json::from_str::<LoggedOutcome>(&text).unwrap().into_outcome(memory).unwrap();
        let same = |one: &LabOutcome, other: &LabOutcome| {
            (one.verdict, &one.solution, one.statistics, one.time)
                == (other.verdict, &other.solution, other.statistics, other.time)
        };
        assert!(same(&logged(5), &found) && same(&logged(6), &found));
        let full = solve(clearway_search::Limits { memory: Some(1), ..Default::default() });
        let text = json(&LoggedOutcome::new(&full, 1).unwrap());
        let logged = |memory| serde_json::from_str::<LoggedOutcome>(&text).unwrap().into_outcome(memory);
        assert!(same(&logged(1).unwrap(), &full) && logged(2).is_none(), "more memory may change the outcome");
        let cancelled = LabOutcome { verdict: Verdict::Limit(Limit::Cancelled), ..found };
        assert!(LoggedOutcome::new(&cancelled, 1).is_none());
    }
}
