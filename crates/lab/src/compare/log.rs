//! Log of a comparison, from which an interrupted comparison is resumed: a [log file](clearway_util::log) with a line for each
//! run, written as soon as the run finishes.

use super::{Comparison, ComparisonRecord};
use clearway_util::log::{self, CorruptLines, LineLog};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// Log of finished runs; without a file by default.
#[derive(Debug, Default)]
pub struct ComparisonLog {
    file: Option<LineLog>,
    known: KnownRuns,
    corrupt: CorruptLines,
}

/// Finished runs by board number, algorithm and policy. The text of the policy is part of the key, since its file may change.
pub(super) type KnownRuns = HashMap<(usize, String, Option<String>), ComparisonRecord>;

/// Why a comparison failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// The log file cannot be used.
    #[error(transparent)]
    File(#[from] log::LogError),
    /// The callback that receives the records failed.
    #[error(transparent)]
    Take(io::Error),
}

/// First line of the file: everything that a run depends on, besides its board and its algorithm.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ComparisonHeader {
    clearway: String,
    boards: usize,
    metric: String,
    node_limit: Option<u64>,
    time_limit: Option<f64>,
    memory: Option<usize>,
}

/// Any other line of the file.
#[derive(Serialize, Deserialize)]
struct RunLine {
    number: usize,
    run: ComparisonRecord,
}

impl ComparisonHeader {
    pub fn new(comparison: &Comparison) -> ComparisonHeader {
        ComparisonHeader {
            clearway: format!("compare {}", env!("CARGO_PKG_VERSION")),
            boards: comparison.boards.len(),
            metric: comparison.metric.as_str().to_owned(),
            node_limit: comparison.limits.nodes,
            time_limit: comparison.limits.time.map(|time| time.as_secs_f64()),
            memory: comparison.limits.memory,
        }
    }
}

impl ComparisonLog {
    /// Opens or creates a log file, and reads its runs.
    pub fn open(path: &Path, comparison: &Comparison) -> Result<ComparisonLog, ComparisonError> {
        let mut known = HashMap::new();
        let parse = |_, line: &str| {
            let line: RunLine = serde_json::from_str(line).map_err(|error| format!("is not a valid run: {error}"))?;
            let board = comparison.boards.get(line.number).map(|entry| clearway_rush::formats::line(&entry.board));
            if board.as_deref() != Some(&line.run.board) {
                return Err("is a run of another board than the one at its number".to_owned());
            }
            insert_run(&mut known, line.number, line.run);
            Ok(())
        };
        let (file, corrupt) = LineLog::open(path, "a comparison", json(&ComparisonHeader::new(comparison)), parse)?;
        Ok(ComparisonLog { file: Some(file), known, corrupt })
    }

    /// Damaged lines of the file. Their runs are repeated.
    pub fn corrupt(&self) -> &CorruptLines {
        &self.corrupt
    }

    /// Number of runs that the log held when it was opened.
    pub fn known(&self) -> usize {
        self.known.len()
    }

    #[cfg(feature = "parquet")]
    pub(super) fn insert(&mut self, board: usize, run: ComparisonRecord) {
        insert_run(&mut self.known, board, run);
    }

    pub(super) fn take_known(&mut self) -> KnownRuns {
        std::mem::take(&mut self.known)
    }

    pub(super) fn append(&mut self, number: usize, run: &ComparisonRecord) -> Result<(), ComparisonError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        Ok(file.append(&json(&RunLine { number, run: run.clone() }))?)
    }
}

fn insert_run(known: &mut KnownRuns, board: usize, run: ComparisonRecord) {
    known.insert((board, run.canonical.clone(), run.policy.clone()), run);
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("records are serialisable")
}
