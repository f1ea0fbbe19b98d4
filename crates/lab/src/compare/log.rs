//! The runs of a comparison in a file, so that it can go on where it was interrupted.
//!
//! The first line says what is compared and within which limits; each other line is a run. A run is written as soon as
//! it is done, in one write; a last line that is not whole is dropped when the file is read again.

use super::{Comparison, Record};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Where the runs that are done are kept, if anywhere.
#[derive(Debug, Default)]
pub struct Log {
    file: Option<(File, PathBuf)>,
    known: Known,
}

/// Runs by the number of their board, their algorithm and their policy, which may change while its file keeps its name.
pub(super) type Known = HashMap<(usize, String, Option<String>), Record>;

/// What went wrong around the runs.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be read or written.
    #[error("cannot {doing} {}: {error}", path.display())]
    File {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        error: io::Error,
    },
    /// The file holds something else.
    #[error("{} cannot be resumed: {why}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
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
        let failed = |doing| move |error| LogError::File { doing, path: path.to_owned(), error };
        let other = |why: String| LogError::Other { path: path.to_owned(), why };
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(failed("open"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed("read"))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| other("it is not text".to_owned()))?;
        let mut lines = (1..).zip(text.lines());
        let head = Head::of(comparison);
        let mut known = HashMap::new();
        let begun = match lines.next() {
            None if bytes.is_empty() || bytes.starts_with(b"{\"clearway\"") => false,
            None => return Err(other("it is no log of a comparison".to_owned())),
            Some((_, first)) => {
                let found: Head =
                    serde_json::from_str(first).map_err(|_| other("it is no log of a comparison".to_owned()))?;
                if found != head {
                    return Err(other(format!("it was made with other settings:\n  {first}\n  {}", json(&head))));
                }
                true
            }
        };
        for (number, line) in lines {
            let line: Line = serde_json::from_str(line).map_err(|error| other(format!("line {number}: {error}")))?;
            let board = comparison.boards.get(line.number).map(|entry| clearway_rush::formats::line(&entry.board));
            if board.as_deref() != Some(&line.run.board) {
                return Err(other(format!("line {number} is about a board that is not compared in that place")));
            }
            know(&mut known, line.number, line.run);
        }
        file.set_len(whole as u64).map_err(failed("write"))?;
        file.seek(SeekFrom::End(0)).map_err(failed("write"))?;
        let mut log = Log { file: Some((file, path.to_owned())), known };
        if !begun {
            log.write(&json(&head))?;
        }
        Ok(log)
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
        if self.file.is_none() {
            return Ok(());
        }
        self.write(&json(&Line { number, run: run.clone() }))
    }

    fn write(&mut self, line: &str) -> Result<(), LogError> {
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        file.write_all(format!("{line}\n").as_bytes()).map_err(|error| LogError::File {
            doing: "write",
            path: path.clone(),
            error,
        })
    }
}

fn know(known: &mut Known, board: usize, run: Record) {
    known.insert((board, run.canonical.clone(), run.policy.clone()), run);
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("records are always serialisable")
}
