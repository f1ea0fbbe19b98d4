//! What tasks found, in a file, so that the work can go on where it was interrupted, and shards can be put together: a
//! [log](clearway_util::log) with a line for each task that is done.

use super::{Catalogue, Found, Plan};
use clearway_util::log::LineLog;
pub use clearway_util::log::{CorruptLines, LogError};
use serde::{Deserialize, Serialize};
use std::path::Path;

const KIND: &str = "an enumeration";

/// A file that tasks are added to.
#[derive(Debug)]
pub struct Log(LineLog);

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
    representative: String,
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
    /// Opens a file, or makes it, and adds the tasks that it holds to a catalogue. Lines that were damaged are removed: their
    /// tasks are to be done again.
    pub fn open(path: &Path, plan: &Plan, catalogue: &mut Catalogue) -> Result<(Log, CorruptLines), LogError> {
        let (log, corrupt) = LineLog::open(path, KIND, Head::of(plan).text(), add(plan, catalogue))?;
        Ok((Log(log), corrupt))
    }

    /// Adds the tasks that a file holds to a catalogue, and leaves the file as it is.
    pub fn read(path: &Path, plan: &Plan, catalogue: &mut Catalogue) -> Result<CorruptLines, LogError> {
        LineLog::read(path, KIND, &Head::of(plan).text(), add(plan, catalogue))
    }

    /// Adds a task that is done.
    pub fn append(&mut self, found: &Found) -> Result<(), LogError> {
        self.0.append(&json(found))
    }
}

/// Adds the task of a line to a catalogue.
fn add(plan: &Plan, catalogue: &mut Catalogue) -> impl FnMut(u64, &str) -> Result<(), String> {
    |_, line| {
        let found: Found = serde_json::from_str(line).map_err(|error| format!("is not a task: {error}"))?;
        let depths = 1..=found.tally.components.len();
        if found.task >= plan.tasks() || found.puzzles.iter().any(|p| !depths.contains(&p.histogram.len())) {
            return Err("is about something that does not exist".to_owned());
        }
        catalogue.add(found);
        Ok(())
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("what is logged is always serialisable")
}
