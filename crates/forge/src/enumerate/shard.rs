//! Results of a plan computed elsewhere, as a Parquet file: the table of puzzles, with the plan, the completed tasks and their
//! counts in the metadata.

use super::log::LogHeader;
use super::parquet::read_rows;
use super::{Catalogue, Plan, Tally};
use crate::parts::{HEAD, PartError, checksum_note, note, open, sealed};
use parquet::file::reader::FileReader;

const TASKS: &str = "tasks";
const TALLY: &str = "tally";

impl Catalogue {
    /// Encodes the completed tasks of a plan as a file, which [`from_shard`](Self::from_shard) decodes.
    pub fn to_shard(&mut self, plan: &Plan) -> Result<Vec<u8>, PartError> {
        let json = |value: Result<String, serde_json::Error>| value.map_err(|error| PartError::Damaged(error.into()));
        let notes = [
            (HEAD, LogHeader::new(plan).text()),
            (TASKS, json(serde_json::to_string(&self.tasks))?),
            (TALLY, json(serde_json::to_string(&self.tally))?),
            checksum_note(),
        ];
        Ok(sealed(self.write_table(Vec::new(), &notes)?))
    }

    /// Decodes the completed tasks of a plan from a file.
    pub fn from_shard(bytes: &[u8], plan: &Plan) -> Result<Catalogue, PartError> {
        let file = open(bytes, &LogHeader::new(plan).text())?;
        let broken = |key: &str| PartError::Damaged(format!("invalid metadata entry '{key}'").into());
        let value = |key: &'static str| note(&file, key).ok_or_else(|| broken(key));
        let tasks = serde_json::from_str(&value(TASKS)?).map_err(|_| broken(TASKS))?;
        let tally: Tally = serde_json::from_str(&value(TALLY)?).map_err(|_| broken(TALLY))?;
        let mut shard = Catalogue { tasks, tally, puzzles: Vec::new() };
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
