//! The log of a run: a line for each generation.

use super::folder::{Folder, FolderError};
use clearway_gp::Generation;
use serde::Serialize;
use serde::de::DeserializeOwned;
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
}

impl Folder {
    /// The generations that are logged, also while the run goes on.
    pub fn logged<L: LogLine>(&self) -> Result<Vec<L>, FolderError> {
        if !self.has(LOG) {
            return Ok(Vec::new());
        }
        let text = self.read(LOG)?;
        // The last line may not be complete yet.
        Ok(String::from_utf8_lossy(&text).lines().map_while(|line| serde_json::from_str(line).ok()).collect())
    }
}

impl<L: LogLine> Log<L> {
    /// The log as far as a run has come: what was written about later generations is dropped, and what is missing is taken
    /// from the history.
    pub fn open(folder: &Folder, history: &[Generation]) -> Result<Log<L>, FolderError> {
        let text = if folder.has(LOG) { folder.read(LOG)? } else { Vec::new() };
        let text = String::from_utf8_lossy(&text);
        let mut written = text.lines().map(|line| serde_json::from_str::<L>(line).ok());
        let lines: Vec<L> = history
            .iter()
            .map(|generation| {
                let line = written.next().flatten();
                let line = line.filter(|line| line.generation().generation == generation.generation);
                line.unwrap_or_else(|| L::of(generation.clone()))
            })
            .collect();
        folder.write(LOG, &lines.iter().map(text_of).collect::<String>())?;
        Ok(Log { file: folder.append_to(LOG)?, folder: folder.clone(), lines })
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
    serde_json::to_string(line).expect("generations are always serialisable") + "\n"
}
