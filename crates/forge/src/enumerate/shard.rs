//! What was done of a plan elsewhere, as a Parquet file: the table of its puzzles, with notes on what it is a part of, which
//! tasks were done, and what they counted.

use super::log::Head;
use super::parquet::read_rows;
use super::{Catalogue, Plan, Tally};
use crate::parts::{HEAD, PartError, checksum_note, note, open, sealed};
use parquet::file::reader::FileReader;

const TASKS: &str = "tasks";
const TALLY: &str = "tally";

impl Catalogue {
    /// What was done of a plan, as a file from which [`from_shard`](Self::from_shard) makes the same again.
    pub fn to_shard(&mut self, plan: &Plan) -> Result<Vec<u8>, PartError> {
        let json =
            |value: Result<String, serde_json::Error>| value.map_err(|error| PartError::Broken(error.to_string()));
        let notes = [
            (HEAD, Head::of(plan).text()),
            (TASKS, json(serde_json::to_string(&self.tasks))?),
            (TALLY, json(serde_json::to_string(&self.tally))?),
            checksum_note(),
        ];
        Ok(sealed(self.write_table(Vec::new(), &notes)?))
    }

    /// What was done of a plan, from a file.
    pub fn from_shard(bytes: &[u8], plan: &Plan) -> Result<Catalogue, PartError> {
        let file = open(bytes, &Head::of(plan).text())?;
        let broken = |key: &str| PartError::Broken(format!("its note on {key} cannot be read"));
        let told = |key: &'static str| note(&file, key).ok_or_else(|| broken(key));
        let tasks = serde_json::from_str(&told(TASKS)?).map_err(|_| broken(TASKS))?;
        let tally: Tally = serde_json::from_str(&told(TALLY)?).map_err(|_| broken(TALLY))?;
        let mut shard = Catalogue { tasks, tally, puzzles: Vec::new() };
        for number in 0..file.num_row_groups() {
            shard.puzzles.extend(read_rows(&*file.get_row_group(number)?)?);
        }
        if let Some(task) = shard.tasks.iter().find(|&&task| task >= plan.tasks()) {
            return Err(PartError::Senseless(format!("task {task} of {}", plan.tasks())));
        }
        let depths = 1..=shard.tally.components.len();
        if let Some(puzzle) = shard.puzzles.iter().find(|puzzle| !depths.contains(&puzzle.histogram.len())) {
            return Err(PartError::Senseless(format!("the depth of {}", puzzle.board)));
        }
        Ok(shard)
    }

    /// Adds what was done elsewhere; refuses a task that is done already, since it would be counted twice.
    pub fn join(&mut self, mut other: Catalogue) -> Result<(), PartError> {
        if let Some(task) = self.tasks.intersection(&other.tasks).next() {
            return Err(PartError::Senseless(format!("task {task} is done already")));
        }
        self.tasks.append(&mut other.tasks);
        self.tally.add(&other.tally);
        self.puzzles.append(&mut other.puzzles);
        Ok(())
    }

    /// Whether just these tasks are done.
    pub fn is_of(&self, tasks: &[u64]) -> bool {
        self.tasks() == tasks.len() as u64 && tasks.iter().all(|&task| self.has(task))
    }
}
