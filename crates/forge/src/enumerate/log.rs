//! Results of tasks in a file, so that an interrupted enumeration can be resumed and shards can be combined: a
//! [log](clearway_util::log) with a line for each completed task.

use super::{Catalogue, EnumerationPlan, TaskResult};
use clearway_util::log::LineLog;
pub use clearway_util::log::{CorruptLines, LogError};
use serde::{Deserialize, Serialize};
use std::path::Path;

const KIND: &str = "an enumeration";

/// Log file of completed tasks.
#[derive(Debug)]
pub struct TaskLog(LineLog);

/// First line of a log: everything that the puzzles depend on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LogHeader {
    clearway: String,
    size: (u8, u8),
    exit: String,
    line: u8,
    walls: u8,
    metric: String,
    at_least: u32,
    representative: String,
}

impl LogHeader {
    pub fn new(plan: &EnumerationPlan) -> LogHeader {
        let shape = plan.shape();
        LogHeader {
            clearway: format!("enumerate {}", env!("CARGO_PKG_VERSION")),
            size: (shape.width(), shape.height()),
            exit: shape.side().as_str().to_owned(),
            line: shape.line(),
            walls: shape.walls(),
            metric: plan.metric().as_str().to_owned(),
            at_least: plan.at_least(),
            representative: plan.representative().as_str().to_owned(),
        }
    }

    pub fn text(&self) -> String {
        json(self)
    }
}

impl TaskLog {
    /// Opens or creates a log, and adds its tasks to a catalogue. Damaged lines are removed; their tasks have to be run again.
    pub fn open(
        path: &Path,
        plan: &EnumerationPlan,
        catalogue: &mut Catalogue,
    ) -> Result<(TaskLog, CorruptLines), LogError> {
        let (log, corrupt) = LineLog::open(path, KIND, LogHeader::new(plan).text(), add(plan, catalogue))?;
        Ok((TaskLog(log), corrupt))
    }

    /// Adds the tasks of a log to a catalogue without changing the file.
    pub fn read(path: &Path, plan: &EnumerationPlan, catalogue: &mut Catalogue) -> Result<CorruptLines, LogError> {
        LineLog::read(path, KIND, &LogHeader::new(plan).text(), add(plan, catalogue))
    }

    /// Appends the result of a task.
    pub fn append(&mut self, result: &TaskResult) -> Result<(), LogError> {
        self.0.append(&json(result))
    }
}

/// Returns a function that parses a line and adds its task to a catalogue.
fn add(plan: &EnumerationPlan, catalogue: &mut Catalogue) -> impl FnMut(u64, &str) -> Result<(), String> {
    |_, line| {
        let result: TaskResult = serde_json::from_str(line).map_err(|error| format!("is not a task: {error}"))?;
        let depths = 1..=result.tally.components.len();
        if result.task >= plan.tasks() || result.puzzles.iter().any(|p| !depths.contains(&p.histogram.len())) {
            return Err("has a task or a puzzle that does not exist in this plan".to_owned());
        }
        catalogue.add(result);
        Ok(())
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("log entries can always be written as JSON")
}
