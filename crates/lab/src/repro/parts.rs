//! The finished parts of experiments, kept as they finish, so that an interrupted run can resume.
//!
//! A part is known by all that its result depends on, so any run may use any log: what does not match is done again.

use super::Run;
use crate::LabOutcome;
use crate::records::limit_word;
use clearway_rush::{Metric, Solution, formats};
use clearway_search::{Counters, Limit, Verdict};
use clearway_util::log::{CorruptLines, LineLog, LogError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Where finished parts are kept; nowhere by default.
#[derive(Clone, Debug, Default)]
pub struct Parts(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    log: Option<LineLog>,
    /// What the log held when it was opened.
    known: HashMap<String, serde_json::Value>,
    added: usize,
}

/// The first line of the log.
#[derive(Serialize)]
struct Header {
    clearway: String,
}

/// Any other line.
#[derive(Serialize, Deserialize)]
struct Line {
    part: String,
    result: serde_json::Value,
}

impl Parts {
    /// Opens a log, or makes it, and reads the parts that it holds. Also returns its damaged lines: their parts are done
    /// again.
    pub fn open(path: &Path) -> Result<(Parts, CorruptLines), LogError> {
        let mut kept = Kept::default();
        let header = Header { clearway: format!("repro {}", env!("CARGO_PKG_VERSION")) };
        let take = |_, line: &str| {
            let line: Line = serde_json::from_str(line).map_err(|error| format!("is not a part: {error}"))?;
            kept.known.insert(line.part, line.result);
            Ok(())
        };
        let (log, corrupt) = LineLog::open(path, "reproductions", json(&header), take)?;
        kept.log = Some(log);
        Ok((Parts(Arc::new(Mutex::new(kept))), corrupt))
    }

    /// How many parts the log holds.
    pub fn count(&self) -> usize {
        let kept = self.lock();
        kept.known.len() + kept.added
    }

    /// The result of a part that was finished before, if it can be read.
    pub(super) fn known<T: DeserializeOwned>(&self, part: &str) -> Option<T> {
        serde_json::from_value(self.lock().known.get(part)?.clone()).ok()
    }

    /// Keeps the result of a part.
    pub(super) fn keep(&self, part: String, result: &impl Serialize) -> Result<(), LogError> {
        let mut kept = self.lock();
        let Some(log) = &mut kept.log else { return Ok(()) };
        log.append(&json(&Line { part, result: serde_json::to_value(result).unwrap_or_default() }))?;
        kept.added += 1;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What a search found, in a log.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptOutcome {
    status: String,
    limit: Option<String>,
    solution: Option<String>,
    /// In the order of the fields of [`Counters`].
    lower_bound: u32,
    counters: [u64; 9],
    queue: Option<u64>,
    note: Option<String>,
    time: Duration,
    /// The limit on memory, which matters only where it was reached.
    memory: usize,
}

impl KeptOutcome {
    /// None for a search that was cancelled: it is not finished.
    pub fn new(outcome: &LabOutcome, memory: usize) -> Option<KeptOutcome> {
        let limit = match outcome.verdict {
            Verdict::Limit(Limit::Cancelled) => return None,
            Verdict::Limit(limit) => Some(limit_word(limit).to_owned()),
            Verdict::Solved | Verdict::Unsolvable => None,
        };
        let c = &outcome.counters;
        Some(KeptOutcome {
            status: outcome.verdict.word().to_owned(),
            limit,
            solution: outcome.solution.as_ref().map(ToString::to_string),
            lower_bound: outcome.lower_bound,
            counters: [
                c.expanded,
                c.generated,
                c.evaluated,
                c.goal_tests,
                c.reopened,
                c.duplicates,
                c.peak_open,
                c.peak_memory,
                c.until_last_jump,
            ],
            queue: outcome.queue,
            note: outcome.note.clone(),
            time: outcome.time,
            memory,
        })
    }

    /// What was found, if that also holds for another limit on memory.
    pub fn outcome(self, memory: usize) -> Option<LabOutcome> {
        let limits = [Limit::Nodes, Limit::Time, Limit::Memory, Limit::Incomplete];
        let verdict = match self.limit {
            Some(word) => Verdict::Limit(limits.into_iter().find(|&limit| limit_word(limit) == word)?),
            None if self.status == Verdict::Solved.word() => Verdict::Solved,
            None if self.status == Verdict::Unsolvable.word() => Verdict::Unsolvable,
            None => return None,
        };
        if verdict == Verdict::Limit(Limit::Memory) && memory != self.memory {
            return None;
        }
        let solution = self.solution.map(|text| text.parse::<Solution>()).transpose().ok()?;
        let [expanded, generated, evaluated, goal_tests, reopened, duplicates, peak_open, peak_memory, until_last_jump] =
            self.counters;
        let counters = Counters {
            expanded,
            generated,
            evaluated,
            goal_tests,
            reopened,
            duplicates,
            peak_open,
            peak_memory,
            until_last_jump,
        };
        Some(LabOutcome {
            verdict,
            solution,
            lower_bound: self.lower_bound,
            counters,
            queue: self.queue,
            note: self.note,
            time: self.time,
        })
    }
}

/// All that the result of a search depends on, but for the memory.
pub(super) fn part_of(run: &Run) -> String {
    let Run { algorithm, board, metric, nodes, difficulty } = run;
    let policy = algorithm.policy().map(|policy| format!(" {policy}")).unwrap_or_default();
    let metric = if *metric == Metric::Moves { "moves" } else { "steps" };
    let nodes = nodes.map_or(String::new(), |nodes| format!(", at most {nodes} nodes"));
    format!("{algorithm}{policy} on {}, in {metric}{nodes}, difficulty {difficulty}", formats::line(board))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repro::board;
    use clearway_rush::heuristics::Context;

    #[test]
    fn what_a_search_found_is_read_back() {
        let run = Run::new("astar(h1)", &board("cards", "JAM01"), Metric::Moves);
        let solve = |limits| run.algorithm.solve(&run.board, run.metric, &limits, &Context::default());
        let found = solve(clearway_search::Limits::default());
        let text = json(&KeptOutcome::new(&found, 5).unwrap());
        let kept = |memory| serde_json::from_str::<KeptOutcome>(&text).unwrap().outcome(memory).unwrap();
        let same = |one: &LabOutcome, other: &LabOutcome| {
            (one.verdict, &one.solution, one.counters, one.time)
                == (other.verdict, &other.solution, other.counters, other.time)
        };
        assert!(same(&kept(5), &found) && same(&kept(6), &found));
        let full = solve(clearway_search::Limits { memory: Some(1), ..Default::default() });
        let text = json(&KeptOutcome::new(&full, 1).unwrap());
        let kept = |memory| serde_json::from_str::<KeptOutcome>(&text).unwrap().outcome(memory);
        assert!(same(&kept(1).unwrap(), &full) && kept(2).is_none(), "with more memory it may end otherwise");
        let cancelled = LabOutcome { verdict: Verdict::Limit(Limit::Cancelled), ..found };
        assert!(KeptOutcome::new(&cancelled, 1).is_none());
    }
}
