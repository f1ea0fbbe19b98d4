//! Measurements of boards as JSON lines, in a log to resume from.

use clearway_rush::Metric;
use clearway_util::log::{LineLog, LogError};
use clearway_util::seal::unseal;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Kind of the log, for messages.
const WHAT: &str = "measurements of large boards";

/// Version of the log's format.
const FORMAT: &str = "large boards 3";

/// CPU seconds after which the length of the best plan so far is recorded.
pub const MARKS: [f64; 4] = [1.0, 5.0, 10.0, 20.0];

/// The first line of a log: what all of its measurements have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    clearway: String,
    /// Set of boards: `recipe` or `walled`.
    pub set: String,
    /// Seed of the boards.
    pub seed: u64,
    /// Name of the engine.
    pub engine: String,
    /// Metric of all lengths and bounds: `moves` or `steps`. Old logs, which are in moves, do not name it.
    #[serde(default = "moves", skip_serializing_if = "is_moves")]
    pub metric: String,
    /// Maximum wall-clock time per board, in seconds.
    pub time_limit: f64,
    /// Maximum size of the tables, in megabytes.
    pub memory_limit: usize,
}

fn moves() -> String {
    Metric::Moves.as_str().to_owned()
}

fn is_moves(metric: &str) -> bool {
    metric == Metric::Moves.as_str()
}

/// The measurement of a board. Lengths are in the metric of the log. Times are CPU seconds of the thread, which other programs
/// affect least.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Name of the board.
    pub name: String,
    /// Kind of the board: its size and density, or its size.
    pub kind: String,
    /// `solved` if the plan is proven optimal, `unsolvable` if that is proven, otherwise the limit that was reached.
    pub verdict: String,
    /// Time of the first plan.
    pub first_seconds: Option<f64>,
    /// Length of the first plan.
    #[serde(alias = "first_moves")]
    pub first_length: Option<u32>,
    /// Length of the best plan at each of the [`MARKS`].
    #[serde(alias = "moves_after")]
    pub length_after: [Option<u32>; MARKS.len()],
    /// Length of the best plan at the end.
    #[serde(alias = "moves")]
    pub length: Option<u32>,
    /// The best plan.
    pub plan: Option<String>,
    /// Part of the engine that found the best plan.
    pub found_by: Option<String>,
    /// Lower bound on the length of all plans.
    pub lower_bound: u32,
    /// Time of the proof that the plan is optimal, or that there is none.
    pub proof_seconds: Option<f64>,
    /// Part of the engine that proved the bound, or that there is no plan. Old logs name it only for proofs.
    #[serde(alias = "proved_by")]
    pub bound_by: Option<String>,
    /// Number of expanded states.
    pub expanded: u64,
    /// Number of conflicts of the SAT solver.
    pub conflicts: u64,
    /// Total time.
    pub cpu_seconds: f64,
    /// Total wall-clock time, which the limit applies to.
    pub seconds: f64,
    /// Time for the bare board, if this one is walled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bare_seconds: Option<f64>,
}

impl Header {
    /// Creates the header of a log.
    pub fn new(set: &str, seed: u64, engine: &str, metric: Metric, time_limit: f64, memory_limit: usize) -> Header {
        Header {
            clearway: FORMAT.to_owned(),
            set: set.to_owned(),
            seed,
            engine: engine.to_owned(),
            metric: metric.as_str().to_owned(),
            time_limit,
            memory_limit,
        }
    }
}

impl Measurement {
    /// Returns whether the plan is proven optimal.
    pub fn is_proven_optimal(&self) -> bool {
        self.verdict == "solved"
    }

    /// Returns whether the board is proven to have no plan.
    pub fn is_unsolvable(&self) -> bool {
        self.verdict == "unsolvable"
    }

    /// Returns whether the first plan was found within a number of seconds.
    pub fn has_plan_within(&self, seconds: f64) -> bool {
        self.first_seconds.is_some_and(|first| first <= seconds)
    }
}

/// Returns the lengths of the best plan at each of the [`MARKS`], from the seconds and the lengths of all plans in the order in
/// which they were found.
pub fn lengths_at_marks(plans: &[(f64, u32)]) -> [Option<u32>; MARKS.len()] {
    MARKS.map(|mark| plans.iter().take_while(|&&(seconds, _)| seconds <= mark).map(|&(_, length)| length).min())
}

/// A log that is being written.
#[derive(Debug)]
pub struct RecordLog {
    log: LineLog,
    done: HashMap<String, Measurement>,
}

impl RecordLog {
    /// Opens a log with this header, or creates it. Prints a warning about lines that were damaged; their boards are measured
    /// again.
    pub fn open(path: &Path, header: &Header) -> Result<RecordLog, LogError> {
        let mut done = HashMap::new();
        let header = to_json(header);
        let (log, corrupt) = LineLog::open(path, WHAT, header, |_, line| {
            let record: Measurement = serde_json::from_str(line).map_err(|error| format!("is invalid: {error}"))?;
            done.insert(record.name.clone(), record);
            Ok(())
        })?;
        if let Some(message) = corrupt.message("these boards are measured again") {
            eprintln!("warning: {message}");
        }
        Ok(RecordLog { log, done })
    }

    /// Returns whether the log holds a board.
    pub fn contains(&self, name: &str) -> bool {
        self.done.contains_key(name)
    }

    /// Adds a measurement.
    pub fn append(&mut self, record: &Measurement) -> Result<(), LogError> {
        self.log.append(&to_json(record))
    }
}

/// Returns a header or a record as JSON.
fn to_json(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("numbers, texts and lists are representable as JSON")
}

/// Reads a log: its header, and its measurements in order.
pub fn read(path: &Path) -> Result<(Header, Vec<Measurement>), String> {
    let located = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
    let file = File::open(path).map_err(|error| located(&error))?;
    let mut first = String::new();
    BufReader::new(file.take(1 << 16)).read_line(&mut first).map_err(|error| located(&error))?;
    let text = unseal(first.trim_end(), "").map_err(|error| located(&error))?;
    let header: Header = serde_json::from_str(&text).map_err(|error| located(&error))?;
    let mut records = Vec::new();
    let corrupt = LineLog::read(path, WHAT, &text, |_, line| {
        records.push(serde_json::from_str(line).map_err(|error| format!("is invalid: {error}"))?);
        Ok(())
    })
    .map_err(|error| error.to_string())?;
    match corrupt.message("measure these boards again") {
        Some(message) => Err(message),
        None => Ok((header, records)),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A board that is proven to need a plan of this length after that number of seconds, if any.
    pub fn record(name: &str, first: Option<(f64, u32)>, proof: Option<f64>) -> Measurement {
        let plans: Vec<(f64, u32)> = first.into_iter().collect();
        let verdict = if proof.is_none() {
            "time"
        } else if first.is_some() {
            "solved"
        } else {
            "unsolvable"
        };
        Measurement {
            name: name.to_owned(),
            kind: "9x9-75".to_owned(),
            verdict: verdict.to_owned(),
            first_seconds: first.map(|(seconds, _)| seconds),
            first_length: first.map(|(_, length)| length),
            length_after: lengths_at_marks(&plans),
            length: first.map(|(_, length)| length),
            plan: first.map(|_| "A+4".to_owned()),
            found_by: first.map(|_| "layers".to_owned()),
            lower_bound: 3,
            proof_seconds: proof,
            bound_by: None,
            expanded: 7,
            conflicts: 0,
            cpu_seconds: 1.25,
            seconds: 1.5,
            bare_seconds: None,
        }
    }

    #[test]
    fn marks_hold_the_best_plan_so_far() {
        let plans = [(0.5, 40), (1.0, 38), (4.0, 39), (19.0, 30)];
        assert_eq!(lengths_at_marks(&plans), [Some(38), Some(38), Some(38), Some(30)]);
        assert_eq!(lengths_at_marks(&plans[3..]), [None, None, None, Some(30)]);
        assert_eq!(lengths_at_marks(&[]), [None; 4]);
    }

    #[test]
    fn measurements_are_resumed_and_read() {
        let path = std::env::temp_dir().join(format!("clearway-large-{}.jsonl", std::process::id()));
        let header = Header::new("recipe", 1, "astar", Metric::Steps, 20.0, 3_000);
        let records = [record("a", Some((0.5, 9)), Some(0.75)), record("b", None, None)];
        for record in &records {
            let mut log = RecordLog::open(&path, &header).unwrap();
            assert!(!log.contains(&record.name));
            log.append(record).unwrap();
        }
        assert!(RecordLog::open(&path, &header).unwrap().contains("a"));
        assert!(RecordLog::open(&path, &Header { seed: 2, ..header.clone() }).is_err());
        assert_eq!(read(&path), Ok((header, records.to_vec())));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn logs_without_a_metric_are_in_moves() {
        let header = Header::new("recipe", 1, "astar", Metric::Moves, 20.0, 3_000);
        let text = to_json(&header);
        assert!(!text.contains("metric"), "{text}");
        assert_eq!(serde_json::from_str::<Header>(&text).unwrap(), header);
        let new = to_json(&record("a", Some((0.5, 9)), Some(0.75)));
        let old = [
            ("first_length", "first_moves"),
            ("length_after", "moves_after"),
            ("\"length\"", "\"moves\""),
            ("bound_by", "proved_by"),
        ]
        .into_iter()
        .fold(new.clone(), |text, (new, old)| text.replace(new, old));
        assert_ne!(new, old);
        assert_eq!(
            serde_json::from_str::<Measurement>(&old).unwrap(),
            serde_json::from_str::<Measurement>(&new).unwrap()
        );
    }
}
