//! Distributed comparisons: a comparison as text, and the runs of some of its boards as a part.

use super::log::{ComparisonHeader, ComparisonLog, json};
use super::{Comparison, ComparisonRecord, Contestant, NamedBoard};
use crate::ConfiguredAlgorithm;
use clearway_forge::parts::{PartError, WorkPart};
use clearway_policy::NamedPolicy;
use clearway_rush::Metric;
use clearway_rush::formats::{self, Format};
use clearway_search::Limits;
use clearway_util::hash::StableHash;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

/// Serialised form of a comparison.
#[derive(Serialize, Deserialize)]
struct ComparisonText {
    /// Names, and boards in line format.
    boards: Vec<(Option<String>, String)>,
    algorithms: Vec<AlgorithmText>,
    metric: String,
    node_limit: Option<u64>,
    time_limit: Option<f64>,
    memory: Option<usize>,
    threads: usize,
}

#[derive(Serialize, Deserialize)]
struct AlgorithmText {
    label: String,
    canonical: String,
    /// Text of the policy that guides it, since its file may not exist on the other machine.
    policy: Option<String>,
}

/// Everything that the runs of all boards depend on.
#[derive(Serialize)]
struct PartHeader {
    #[serde(flatten)]
    comparison: ComparisonHeader,
    algorithms: Vec<String>,
    /// Hash of the boards in order, and of the policies.
    hash: String,
}

impl Comparison {
    /// Serialises the comparison as text, to be restored by [`from_text`](Self::from_text) on any machine.
    pub fn to_text(&self) -> String {
        let text = ComparisonText {
            boards: self.boards.iter().map(|entry| (entry.name.clone(), formats::line(&entry.board))).collect(),
            algorithms: self.algorithms.iter().map(AlgorithmText::new).collect(),
            metric: self.metric.as_str().to_owned(),
            node_limit: self.limits.nodes,
            time_limit: self.limits.time.map(|time| time.as_secs_f64()),
            memory: self.limits.memory,
            threads: self.threads,
        };
        json(&text)
    }

    /// Restores a comparison from its [text](Self::to_text). It cannot be cancelled.
    pub fn from_text(text: &str) -> Result<Comparison, PartError> {
        let text: ComparisonText = serde_json::from_str(text).map_err(|error| PartError::Damaged(error.into()))?;
        let mut boards = Vec::with_capacity(text.boards.len());
        for (name, board) in text.boards {
            let puzzle = formats::read_one(&board, Some(Format::Line));
            let puzzle = puzzle.map_err(|error| PartError::Damaged(error.into()))?;
            boards.push(NamedBoard { name, board: puzzle.board });
        }
        let time = text.time_limit.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|error| PartError::Damaged(error.into()))?;
        let algorithms: Result<Vec<Contestant>, PartError> =
            text.algorithms.into_iter().map(AlgorithmText::into_contestant).collect();
        Ok(Comparison {
            boards,
            algorithms: algorithms?,
            metric: if text.metric == Metric::Steps.as_str() { Metric::Steps } else { Metric::Moves },
            limits: Limits { nodes: text.node_limit, time, memory: text.memory, cancel: None },
            threads: text.threads,
        })
    }

    /// Executes all runs of a range of boards, one after the other. `None` if they were cancelled.
    ///
    /// # Panics
    /// If the range is out of bounds.
    pub fn part(&self, boards: Range<usize>) -> Option<Result<Vec<u8>, PartError>> {
        let mut rows = Vec::new();
        let large = Mutex::new(());
        for board in boards {
            let first = json(&self.run_one(board, 0, &large)?);
            rows.push((board as u64, first.clone()));
            for run in 1..=self.algorithms.len() {
                let repeated = self.repeats_first_run(run);
                let record = if repeated { first.clone() } else { json(&self.run_one(board, run, &large)?) };
                rows.push((board as u64, record));
            }
        }
        Some(WorkPart { head: self.part_header(), rows }.to_parquet())
    }

    /// Reads the board numbers and runs of a [part](Self::part).
    pub fn read_part(&self, bytes: &[u8]) -> Result<Vec<(usize, ComparisonRecord)>, PartError> {
        let part = WorkPart::from_parquet(bytes, &self.part_header())?;
        let parse = |(number, record): (u64, String)| {
            let record: ComparisonRecord =
                serde_json::from_str(&record).map_err(|error| PartError::Damaged(error.into()))?;
            let board = usize::try_from(number).ok().and_then(|number| self.boards.get(number));
            if board.is_none_or(|entry| formats::line(&entry.board) != record.board) {
                return Err(PartError::Inconsistent(format!("board {number} does not match")));
            }
            Ok((number as usize, record))
        };
        part.rows.into_iter().map(parse).collect()
    }

    /// Header of the parts of this comparison.
    fn part_header(&self) -> String {
        let mut hash = StableHash::new();
        for entry in &self.boards {
            hash.text(&formats::line(&entry.board));
        }
        for algorithm in self.algorithms.iter().map(AlgorithmText::new) {
            hash.text(&algorithm.policy.unwrap_or_default());
        }
        let algorithms = self.algorithms.iter().map(|one| one.algorithm.to_string()).collect();
        let hash = format!("{:016x}", hash.finish());
        json(&PartHeader { comparison: ComparisonHeader::new(self), algorithms, hash })
    }
}

impl ComparisonLog {
    /// Creates a log without a file from board numbers and runs that were executed elsewhere.
    pub fn from_runs(runs: impl IntoIterator<Item = (usize, ComparisonRecord)>) -> ComparisonLog {
        let mut log = ComparisonLog::default();
        for (board, record) in runs {
            log.insert(board, record);
        }
        log
    }
}

impl AlgorithmText {
    fn new(contestant: &Contestant) -> AlgorithmText {
        let Contestant { label, algorithm } = contestant;
        AlgorithmText {
            label: label.clone(),
            canonical: algorithm.to_string(),
            policy: algorithm.policy().map(ToString::to_string),
        }
    }

    fn into_contestant(self) -> Result<Contestant, PartError> {
        let AlgorithmText { label, canonical, policy } = self;
        let resolve = |name: &str| match &policy {
            Some(text) => NamedPolicy::parse(name, text).map_err(|error| error.to_string()),
            None => Err("its policy is missing".to_owned()),
        };
        let algorithm =
            ConfiguredAlgorithm::parse_with(&canonical, resolve).map_err(|error| PartError::Damaged(error.into()))?;
        Ok(Contestant { label, algorithm })
    }
}
