//! Log of a run: one line per generation, with a [checksum](clearway_util::seal).
//!
//! Runs are resumed from checkpoints, not from the log. A damaged line is restored from the checkpoint, without the data that
//! the checkpoint does not hold.

use super::folder::{Folder, FolderError};
use clearway_gp::Generation;
use clearway_util::log::CorruptLines;
use clearway_util::seal::{SealError, seal, unseal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;

const LOG_FILE: &str = "log.jsonl";

/// A line of the log of a run: a generation with additional data.
pub trait LogLine: Serialize + DeserializeOwned {
    /// Creates a line without additional data, to restore a damaged one.
    fn from_generation(generation: Generation) -> Self;

    /// Statistics of the generation.
    fn generation(&self) -> &Generation;
}

/// Log of a run, open for appending.
#[derive(Debug)]
pub struct RunLog<L> {
    file: File,
    folder: Folder,
    lines: Vec<L>,
    corrupt: CorruptLines,
}

impl Folder {
    /// Reads the logged generations, also while the run is active.
    pub fn logged<L: LogLine>(&self) -> Result<Vec<L>, FolderError> {
        if !self.has(LOG_FILE) {
            return Ok(Vec::new());
        }
        let text = self.read(LOG_FILE)?;
        // The last line may be incomplete. Logs of earlier versions have no checksums.
        let parse = |line: &str| match unseal(line, "") {
            Ok(object) => serde_json::from_str(&object).ok(),
            Err(SealError::Missing) => serde_json::from_str(line).ok(),
            Err(_) => None,
        };
        Ok(String::from_utf8_lossy(&text).lines().filter_map(parse).collect())
    }
}

impl<L: LogLine> RunLog<L> {
    /// Opens the log of a run with this history. Lines of later generations are dropped, and missing or damaged lines are
    /// restored from the history.
    pub fn open(folder: &Folder, history: &[Generation]) -> Result<RunLog<L>, FolderError> {
        let text = if folder.has(LOG_FILE) { folder.read(LOG_FILE)? } else { Vec::new() };
        let text = String::from_utf8_lossy(&text);
        let (mut written, mut corrupt) = (HashMap::new(), Vec::new());
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            // An incomplete last line was being written when the process was killed.
            let Some(line) = line.strip_suffix('\n') else { break };
            match unseal(line, "").ok().and_then(|object| serde_json::from_str::<L>(&object).ok()) {
                Some(line) => drop(written.insert(line.generation().generation, line)),
                None => corrupt.push(number),
            }
        }
        let restore = |one: &Generation| L::from_generation(one.clone());
        let lines: Vec<L> =
            history.iter().map(|one| written.remove(&one.generation).unwrap_or_else(|| restore(one))).collect();
        folder.write(LOG_FILE, &lines.iter().map(to_text).collect::<String>())?;
        let corrupt = CorruptLines::new(&folder.file(LOG_FILE), corrupt);
        Ok(RunLog { file: folder.append_to(LOG_FILE)?, folder: folder.clone(), lines, corrupt })
    }

    /// Lines that were damaged when the log was opened.
    pub fn corrupt(&self) -> &CorruptLines {
        &self.corrupt
    }

    /// Appends a line.
    pub fn append(&mut self, line: L) -> Result<(), FolderError> {
        let written = self.file.write_all(to_text(&line).as_bytes()).and_then(|()| self.file.flush());
        written.map_err(self.folder.failed("write", LOG_FILE))?;
        self.lines.push(line);
        Ok(())
    }

    /// All lines, in the order of the generations.
    pub fn lines(&self) -> &[L] {
        &self.lines
    }
}

fn to_text(line: &impl Serialize) -> String {
    seal(&serde_json::to_string(line).expect("log lines are serialisable"), "") + "\n"
}
