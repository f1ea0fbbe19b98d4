//! The log of a run: a line for each generation, with a [checksum](clearway_util::seal).
//!
//! The checkpoint is what a run goes on from. A line of the log that was damaged is written anew from it, without what the
//! checkpoint does not hold.

use super::folder::{Folder, FolderError};
use clearway_gp::Generation;
use clearway_util::log::CorruptLines;
use clearway_util::seal::{SealError, seal, unseal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;

const LOG: &str = "log.jsonl";

/// A line of the log of a run: a generation, and more where there is more to say.
pub trait LogLine: Serialize + DeserializeOwned {
    /// What is known without the log.
    fn of(generation: Generation) -> Self;

    /// The generation.
    fn generation(&self) -> &Generation;
}

/// The log of a run.
pub(crate) struct Log<L> {
    file: File,
    folder: Folder,
    lines: Vec<L>,
    corrupt: CorruptLines,
}

impl Folder {
    /// The generations that are logged, also while the run goes on.
    pub fn logged<L: LogLine>(&self) -> Result<Vec<L>, FolderError> {
        if !self.has(LOG) {
            return Ok(Vec::new());
        }
        let text = self.read(LOG)?;
        // The last line may not be complete yet. Runs of earlier versions have no checksums.
        let read = |line: &str| match unseal(line, "") {
            Ok(object) => serde_json::from_str(&object).ok(),
            Err(SealError::Missing) => serde_json::from_str(line).ok(),
            Err(SealError::Mismatch) => None,
        };
        Ok(String::from_utf8_lossy(&text).lines().filter_map(read).collect())
    }
}

impl<L: LogLine> Log<L> {
    /// The log as far as a run has come: what was written about later generations is dropped, and what is missing is taken
    /// from the history.
    pub fn open(folder: &Folder, history: &[Generation]) -> Result<Log<L>, FolderError> {
        let text = if folder.has(LOG) { folder.read(LOG)? } else { Vec::new() };
        let text = String::from_utf8_lossy(&text);
        let (mut written, mut corrupt) = (HashMap::new(), Vec::new());
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            // A last line that is not whole was being written when the process was killed.
            let Some(line) = line.strip_suffix('\n') else { break };
            match unseal(line, "").ok().and_then(|object| serde_json::from_str::<L>(&object).ok()) {
                Some(line) => drop(written.insert(line.generation().generation, line)),
                None => corrupt.push(number),
            }
        }
        let restored = |generation: &Generation| L::of(generation.clone());
        let lines: Vec<L> =
            history.iter().map(|made| written.remove(&made.generation).unwrap_or_else(|| restored(made))).collect();
        folder.write(LOG, &lines.iter().map(text_of).collect::<String>())?;
        let corrupt = CorruptLines::new(&folder.file(LOG), corrupt);
        Ok(Log { file: folder.append_to(LOG)?, folder: folder.clone(), lines, corrupt })
    }

    /// The lines that were damaged when it was opened.
    pub fn corrupt(&self) -> &CorruptLines {
        &self.corrupt
    }

    /// Writes a line.
    pub fn append(&mut self, line: L) -> Result<(), FolderError> {
        let written = self.file.write_all(text_of(&line).as_bytes()).and_then(|()| self.file.flush());
        written.map_err(self.folder.failed("write", LOG))?;
        self.lines.push(line);
        Ok(())
    }

    /// All lines, from the first generation on.
    pub fn lines(&self) -> &[L] {
        &self.lines
    }
}

fn text_of(line: &impl Serialize) -> String {
    // A generation holds nothing that JSON cannot express.
    seal(&serde_json::to_string(line).expect("generations are always serialisable"), "") + "\n"
}
