//! What tasks found, in a file, so that the work can go on where it was interrupted, and shards can be put together.
//!
//! The first line says what is enumerated; each other line is a task that is done. A line is written in one write; a
//! last line that is not whole is dropped when the file is read again.

use super::{Catalogue, Found, Plan, Representative};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that tasks are added to.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

/// What went wrong with a log.
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
}

/// The first line: everything that the puzzles depend on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    clearway: String,
    size: (u8, u8),
    exit: String,
    line: u8,
    walls: u8,
    metric: String,
    at_least: u32,
    /// Logs of versions before the choice was added do not have it.
    #[serde(default = "first")]
    representative: String,
}

fn first() -> String {
    Representative::First.as_str().to_owned()
}

impl Head {
    pub fn of(plan: &Plan) -> Head {
        let shape = plan.shape();
        Head {
            clearway: format!("enumerate {}", env!("CARGO_PKG_VERSION")),
            size: (shape.width(), shape.height()),
            exit: shape.side().word().to_owned(),
            line: shape.line(),
            walls: shape.walls(),
            metric: plan.metric().word().to_owned(),
            at_least: plan.at_least(),
            representative: plan.representative().as_str().to_owned(),
        }
    }

    pub fn text(&self) -> String {
        json(self)
    }
}

impl Log {
    /// Opens a file, or makes it, and adds the tasks that it holds to a catalogue.
    pub fn open(path: &Path, plan: &Plan, catalogue: &mut Catalogue) -> Result<Log, LogError> {
        let failed = |doing| move |error| LogError::File { doing, path: path.to_owned(), error };
        let file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(failed("open"))?;
        let whole = read(&file, path, plan, catalogue)?;
        file.set_len(whole).map_err(failed("write"))?;
        let mut log = Log { file, path: path.to_owned() };
        log.file.seek(SeekFrom::End(0)).map_err(failed("write"))?;
        if whole == 0 {
            log.write(&Head::of(plan).text())?;
        }
        Ok(log)
    }

    /// Adds the tasks that a file holds to a catalogue, and leaves the file as it is.
    pub fn read(path: &Path, plan: &Plan, catalogue: &mut Catalogue) -> Result<(), LogError> {
        let file = File::open(path);
        let file = file.map_err(|error| LogError::File { doing: "open", path: path.to_owned(), error })?;
        read(&file, path, plan, catalogue).map(|_| ())
    }

    /// Adds a task that is done.
    pub fn append(&mut self, found: &Found) -> Result<(), LogError> {
        self.write(&json(found))
    }

    fn write(&mut self, line: &str) -> Result<(), LogError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| LogError::File { doing: "write", path: self.path.clone(), error })
    }
}

/// Adds the tasks of a log to a catalogue. Returns the length of its whole lines.
fn read(file: &File, path: &Path, plan: &Plan, catalogue: &mut Catalogue) -> Result<u64, LogError> {
    let failed = |doing| move |error| LogError::File { doing, path: path.to_owned(), error };
    let other = |why: String| LogError::Other { path: path.to_owned(), why };
    let no_log = || other("it is no log of an enumeration".to_owned());
    let mut reader = BufReader::new(file);
    let (mut line, mut whole, head) = (Vec::new(), 0, Head::of(plan).text());
    for number in 1.. {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(failed("read"))?;
        if line.last() != Some(&b'\n') {
            if number == 1 && !head.as_bytes().starts_with(&line) {
                return Err(no_log());
            }
            break;
        }
        if number == 1 {
            let found: Head = serde_json::from_slice(&line).map_err(|_| no_log())?;
            if found != Head::of(plan) {
                return Err(other(format!("it was made with other settings:\n  {}\n  {head}", found.text())));
            }
        } else {
            let found: Found =
                serde_json::from_slice(&line).map_err(|error| other(format!("line {number}: {error}")))?;
            let depths = 1..=found.tally.components.len();
            if found.task >= plan.tasks() || found.puzzles.iter().any(|p| !depths.contains(&p.histogram.len())) {
                return Err(other(format!("line {number} is about something that does not exist")));
            }
            catalogue.add(found);
        }
        whole += length as u64;
    }
    Ok(whole)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("what is logged is always serialisable")
}
