//! The runs of a comparison in a file, so that it can go on where it was interrupted: a [log](clearway_util::log) with a line
//! for each run, which is written as soon as the run is done.

use super::{Comparison, Record};
use clearway_util::log::{self, CorruptLines, LineLog};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// Where the runs that are done are kept, if anywhere.
#[derive(Debug, Default)]
pub struct Log {
    file: Option<LineLog>,
    known: Known,
    corrupt: CorruptLines,
}

/// Runs by the number of their board, their algorithm and their policy, which may change while its file keeps its name.
pub(super) type Known = HashMap<(usize, String, Option<String>), Record>;

/// What went wrong around the runs.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file is of no use.
    #[error(transparent)]
    File(#[from] log::LogError),
    /// Whoever took the records could not.
    #[error("{0}")]
    Take(io::Error),
}

/// The first line. Everything that a run depends on, beside its board and its algorithm.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    clearway: String,
    boards: usize,
    metric: String,
    node_limit: Option<u64>,
    time_limit: Option<f64>,
    memory: Option<usize>,
}

/// Any other line.
#[derive(Serialize, Deserialize)]
struct Line {
    number: usize,
    run: Record,
}

impl Head {
    pub fn of(comparison: &Comparison) -> Head {
        Head {
            clearway: format!("compare {}", env!("CARGO_PKG_VERSION")),
            boards: comparison.boards.len(),
            metric: comparison.metric.word().to_owned(),
            node_limit: comparison.limits.nodes,
            time_limit: comparison.limits.time.map(|time| time.as_secs_f64()),
            memory: comparison.limits.memory,
        }
    }
}

impl Log {
    /// Opens a file, or makes it, and reads the runs that it holds.
    pub fn open(path: &Path, comparison: &Comparison) -> Result<Log, LogError> {
        let mut known = HashMap::new();
        let take = |_, line: &str| {
            let line: Line = serde_json::from_str(line).map_err(|error| format!("is not a run: {error}"))?;
            let board = comparison.boards.get(line.number).map(|entry| clearway_rush::formats::line(&entry.board));
            if board.as_deref() != Some(&line.run.board) {
                return Err("is about a board that is not compared in that place".to_owned());
            }
            know(&mut known, line.number, line.run);
            Ok(())
        };
        let (file, corrupt) = LineLog::open(path, "a comparison", json(&Head::of(comparison)), take)?;
        Ok(Log { file: Some(file), known, corrupt })
    }

    /// Its lines that were damaged: their runs are made again.
    pub fn corrupt(&self) -> &CorruptLines {
        &self.corrupt
    }

    /// How many runs it held when it was opened.
    pub fn known(&self) -> usize {
        self.known.len()
    }

    pub(super) fn know(&mut self, board: usize, run: Record) {
        know(&mut self.known, board, run);
    }

    pub(super) fn take_known(&mut self) -> Known {
        std::mem::take(&mut self.known)
    }

    pub(super) fn append(&mut self, number: usize, run: &Record) -> Result<(), LogError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        Ok(file.append(&json(&Line { number, run: run.clone() }))?)
    }
}

fn know(known: &mut Known, board: usize, run: Record) {
    known.insert((board, run.canonical.clone(), run.policy.clone()), run);
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("records are always serialisable")
}
