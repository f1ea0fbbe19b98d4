//! Comparison of algorithms on one board.

use crate::RequestError;
use crate::board::BoardRequest;
use crate::policies::Policies;
use clearway_lab::compare::{Comparison, ComparisonRecord, Contestant, NamedBoard};
use clearway_search::Limits;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// Maximum number of algorithms in a comparison.
const MAX_ALGORITHMS: usize = 16;
/// Default time limit of a run.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// Time limit of a comparison, as a multiple of that of a search.
const TIME_FACTOR: u32 = 3;

/// A board, and the algorithms to run on it. The limits apply to each run; the default time limit is two seconds.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CompareOptions {
    /// The algorithms, such as bfs or astar(blockers); see /algorithms.
    #[schema(min_items = 1, max_items = 16, example = json!(["bfs", "astar(blockers)"]))]
    algorithms: Vec<String>,
}

/// The results of a comparison.
#[derive(Debug, Serialize, ToSchema)]
pub struct Compared {
    /// One record for each algorithm, in the order of the request.
    records: Vec<ComparisonRecord>,
}

/// A comparison in progress. Every run is a step, so that the steps of several comparisons can take turns.
#[derive(Debug)]
pub struct CompareTask {
    comparison: Comparison,
    /// Number of the next step; the first one finds the optimum.
    next: usize,
    optimum: Option<u32>,
    compared: Compared,
}

impl CompareOptions {
    /// Checks the options, without parsing the algorithms.
    pub fn check(&self) -> Result<(), RequestError> {
        if (1..=MAX_ALGORITHMS).contains(&self.algorithms.len()) {
            return Ok(());
        }
        Err(RequestError::bad_request(format!("algorithms must have 1 to {MAX_ALGORITHMS} entries")))
    }
}

impl CompareTask {
    /// Returns the limits of each run.
    pub fn limits(request: &BoardRequest<CompareOptions>) -> Result<Limits, RequestError> {
        request.options.check()?;
        let limits = request.limits.to_limits()?;
        Ok(Limits { time: limits.time.or(Some(DEFAULT_TIME)), ..limits })
    }

    /// Returns the time limit of a comparison, given that of a search. Runs that start later end at once, at their time limit.
    pub fn time_limit(search: Duration) -> Duration {
        search.saturating_mul(TIME_FACTOR)
    }

    /// Parses the board and the algorithms.
    pub fn new(request: &BoardRequest<CompareOptions>, policies: &Policies) -> Result<CompareTask, RequestError> {
        let puzzle = request.board.read()?;
        let contestants = request.options.algorithms.iter().map(|text| policies.contestant(text));
        let algorithms: Vec<Contestant> = contestants.collect::<Result<_, _>>()?;
        let boards = vec![NamedBoard { name: puzzle.name, board: puzzle.board }];
        let comparison =
            Comparison { boards, algorithms, metric: request.metric, limits: Limits::default(), threads: 1 };
        Ok(CompareTask { comparison, next: 0, optimum: None, compared: Compared { records: Vec::new() } })
    }

    /// Whether all algorithms have run.
    pub fn is_complete(&self) -> bool {
        self.next > self.comparison.algorithms.len()
    }

    /// Runs the next algorithm. Returns false if the limits were cancelled; the step can then be repeated.
    pub fn step(&mut self, limits: &Limits) -> bool {
        let algorithm = self.next.checked_sub(1);
        let Some(record) = self.comparison.run_alone(0, algorithm, limits) else { return false };
        match algorithm {
            None => self.optimum = record.length().filter(|_| record.status == "solved"),
            Some(_) => self.compared.records.push(ComparisonRecord { optimum: self.optimum, ..record }),
        }
        self.next += 1;
        true
    }

    /// Returns the results so far.
    pub fn into_answer(self) -> Compared {
        self.compared
    }
}
