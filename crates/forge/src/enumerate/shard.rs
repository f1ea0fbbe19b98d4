//! Results of a plan computed elsewhere, as a Parquet file: the table of puzzles, with the plan, the completed tasks and their
//! counts in the metadata.

use super::log::LogHeader;
use super::parquet::read_rows;
use super::{Catalogue, EnumerationPlan};
use crate::parts::{HEAD, PartError, checksum_note, note, open, sealed};
use parquet::file::reader::FileReader;
use serde::Serialize;
use serde::de::DeserializeOwned;

const TASKS: &str = "tasks";
const TALLY: &str = "tally";

/// A metadata entry is not the expected JSON.
#[derive(Debug, thiserror::Error)]
#[error("invalid metadata entry '{key}': {error}")]
struct InvalidEntry {
    key: &'static str,
    #[source]
    error: serde_json::Error,
}

/// Encodes the value of a metadata entry.
fn json(value: &impl Serialize) -> Result<String, PartError> {
    serde_json::to_string(value).map_err(|error| PartError::Damaged(error.into()))
}

/// Decodes the value of a metadata entry.
fn entry<T: DeserializeOwned>(file: &impl FileReader, key: &'static str) -> Result<T, PartError> {
    let text = note(file, key).ok_or_else(|| PartError::Damaged(format!("missing metadata entry '{key}'").into()))?;
    serde_json::from_str(&text).map_err(|error| PartError::Damaged(InvalidEntry { key, error }.into()))
}

impl Catalogue {
    /// Encodes the completed tasks of a plan as a file, which [`from_shard`](Self::from_shard) decodes.
    pub fn to_shard(&mut self, plan: &EnumerationPlan) -> Result<Vec<u8>, PartError> {
        let notes = [
            (HEAD, LogHeader::new(plan).text()),
            (TASKS, json(&self.tasks)?),
            (TALLY, json(&self.tally)?),
            checksum_note(),
        ];
        Ok(sealed(self.write_table(Vec::new(), &notes)?))
    }

    /// Decodes the completed tasks of a plan from a file.
    pub fn from_shard(bytes: &[u8], plan: &EnumerationPlan) -> Result<Catalogue, PartError> {
        let file = open(bytes, &LogHeader::new(plan).text())?;
        let mut shard = Catalogue { tasks: entry(&file, TASKS)?, tally: entry(&file, TALLY)?, puzzles: Vec::new() };
        for number in 0..file.num_row_groups() {
            shard.puzzles.extend(read_rows(&*file.get_row_group(number)?)?);
        }
        if let Some(task) = shard.tasks.iter().find(|&&task| task >= plan.tasks()) {
            let tasks = plan.tasks();
            return Err(PartError::Inconsistent(format!("task {task} does not exist, the plan has {tasks} tasks")));
        }
        let depths = 1..=shard.tally.components.len();
        if let Some(puzzle) = shard.puzzles.iter().find(|puzzle| !depths.contains(&puzzle.histogram.len())) {
            return Err(PartError::Inconsistent(format!("invalid histogram of puzzle {}", puzzle.board)));
        }
        Ok(shard)
    }

    /// Adds the results of `other`. It is an error if both contain the same task, because it would be counted twice.
    pub fn join(&mut self, mut other: Catalogue) -> Result<(), PartError> {
        if let Some(task) = self.tasks.intersection(&other.tasks).next() {
            return Err(PartError::Inconsistent(format!("task {task} is already done")));
        }
        self.tasks.append(&mut other.tasks);
        self.tally.add(&other.tally);
        self.puzzles.append(&mut other.puzzles);
        Ok(())
    }

    /// Returns whether exactly these tasks are done. They must be different.
    pub fn has_exactly(&self, tasks: &[u64]) -> bool {
        self.tasks() == tasks.len() as u64 && tasks.iter().all(|&task| self.contains_task(task))
    }
}
