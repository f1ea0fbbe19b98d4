//! A comparison made elsewhere, some of its boards at a time: what it is as text, and the runs as parts of it.

use super::log::{Head, Log, json};
use super::{Comparison, Contestant, Entry, Record};
use crate::Algorithm;
use clearway_forge::parts::{Part, PartError};
use clearway_gp::StableHash;
use clearway_policy::NamedPolicy;
use clearway_rush::Metric;
use clearway_rush::formats::{self, Format};
use clearway_search::Limits;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

/// A comparison as text.
#[derive(Serialize, Deserialize)]
struct Text {
    /// Names and boards.
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
    /// The policy that guides it, which may be in a file that is not there where it is read.
    policy: Option<String>,
}

/// Everything that the runs of all boards depend on.
#[derive(Serialize)]
struct Whole {
    #[serde(flatten)]
    head: Head,
    algorithms: Vec<String>,
    /// Of the boards in their order, and the policies.
    hash: String,
}

impl Comparison {
    /// As text, from which [`from_text`](Self::from_text) makes the same again wherever it is read.
    pub fn to_text(&self) -> String {
        let text = Text {
            boards: self.boards.iter().map(|entry| (entry.name.clone(), formats::line(&entry.board))).collect(),
            algorithms: self.algorithms.iter().map(AlgorithmText::of).collect(),
            metric: self.metric.word().to_owned(),
            node_limit: self.limits.nodes,
            time_limit: self.limits.time.map(|time| time.as_secs_f64()),
            memory: self.limits.memory,
            threads: self.threads,
        };
        json(&text)
    }

    /// The comparison of a [text](Self::to_text); nobody cancels it.
    pub fn from_text(text: &str) -> Result<Comparison, PartError> {
        let broken = |error: &dyn std::fmt::Display| PartError::Broken(error.to_string());
        let text: Text = serde_json::from_str(text).map_err(|error| broken(&error))?;
        let mut boards = Vec::with_capacity(text.boards.len());
        for (name, board) in text.boards {
            let puzzle = formats::read_one(&board, Some(Format::Line)).map_err(|error| broken(&error))?;
            boards.push(Entry { name, board: puzzle.board });
        }
        let time = text.time_limit.map(Duration::try_from_secs_f64).transpose().map_err(|error| broken(&error))?;
        let algorithms: Result<Vec<Contestant>, PartError> =
            text.algorithms.into_iter().map(AlgorithmText::contestant).collect();
        Ok(Comparison {
            boards,
            algorithms: algorithms?,
            metric: if text.metric == Metric::Steps.word() { Metric::Steps } else { Metric::Moves },
            limits: Limits { nodes: text.node_limit, time, memory: text.memory, cancel: None },
            threads: text.threads,
        })
    }

    /// Makes all runs of some of the boards, one after the other. None if they were cancelled.
    ///
    /// # Panics
    /// If there are no such boards.
    pub fn part(&self, boards: Range<usize>) -> Option<Result<Vec<u8>, PartError>> {
        let mut rows = Vec::new();
        let large = Mutex::new(());
        for board in boards {
            for run in 0..=self.algorithms.len() {
                let record = self.run_one(board, run, &large)?;
                rows.push((board as u64, json(&record)));
            }
        }
        Some(Part { head: self.head(), rows }.to_parquet())
    }

    /// The boards and runs of a [part](Self::part).
    pub fn read_part(&self, bytes: &[u8]) -> Result<Vec<(usize, Record)>, PartError> {
        let part = Part::from_parquet(bytes, &self.head())?;
        let read = |(number, record): (u64, String)| {
            let record: Record = serde_json::from_str(&record).map_err(|error| PartError::Broken(error.to_string()))?;
            let board = usize::try_from(number).ok().and_then(|number| self.boards.get(number));
            if board.is_none_or(|entry| formats::line(&entry.board) != record.board) {
                return Err(PartError::Senseless(format!("board {number} is another one")));
            }
            Ok((number as usize, record))
        };
        part.rows.into_iter().map(read).collect()
    }

    /// Everything that the runs depend on, as text.
    fn head(&self) -> String {
        let mut hash = StableHash::new();
        for entry in &self.boards {
            hash.text(&formats::line(&entry.board));
        }
        for algorithm in self.algorithms.iter().map(AlgorithmText::of) {
            hash.text(&algorithm.policy.unwrap_or_default());
        }
        let algorithms = self.algorithms.iter().map(|one| one.algorithm.to_string()).collect();
        let whole = Whole { head: Head::of(self), algorithms, hash: format!("{:016x}", hash.finish()) };
        json(&whole)
    }
}

impl Log {
    /// A log without a file that holds runs which were made elsewhere: each with the number of its board.
    pub fn of(runs: impl IntoIterator<Item = (usize, Record)>) -> Log {
        let mut log = Log::default();
        for (board, record) in runs {
            log.know(board, record);
        }
        log
    }
}

impl AlgorithmText {
    fn of(contestant: &Contestant) -> AlgorithmText {
        let Contestant { label, algorithm } = contestant;
        AlgorithmText {
            label: label.clone(),
            canonical: algorithm.to_string(),
            policy: algorithm.policy().map(ToString::to_string),
        }
    }

    fn contestant(self) -> Result<Contestant, PartError> {
        let AlgorithmText { label, canonical, policy } = self;
        let given = |name: &str| match &policy {
            Some(text) => NamedPolicy::parse(name, text).map_err(|error| error.to_string()),
            None => Err("its policy did not come with it".to_owned()),
        };
        let algorithm =
            Algorithm::parse_with(&canonical, given).map_err(|error| PartError::Broken(error.to_string()))?;
        Ok(Contestant { label, algorithm })
    }
}
