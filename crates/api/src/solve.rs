//! Solving boards.

use crate::RequestError;
use crate::SearchRequest;
use crate::board::BoardRequest;
use crate::policies::Policies;
use clearway_answers::records::SolveRecord;
use clearway_answers::{SolveMethod, SolveOutcome};
use clearway_rush::exact::Analysis;
use clearway_rush::formats::Puzzle;
use clearway_rush::{Improvement, Metric, Portfolio, Solver, StopRule};
use clearway_search::{Limit, Limits, Verdict};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A board to solve.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SolveOptions {
    /// Algorithm to use instead of the default solver, such as bfs or astar(blockers); see /algorithms.
    #[serde(default)]
    algorithm: Option<String>,
    /// Policy to use, with the search that it was evolved for; see /algorithms. Its solutions need not be shortest.
    #[serde(default)]
    policy: Option<String>,
    /// Whether to stop at the first solution, which may be longer than necessary. Not with within, algorithm or policy.
    #[serde(default)]
    first: bool,
    /// Stop once the solution is proven to be at most this many times as long as a shortest one, such as 1.1. Not with
    /// algorithm or policy.
    #[serde(default)]
    #[schema(minimum = 1)]
    within: Option<f64>,
    /// Whether to explore all reachable states and return statistics about them.
    #[serde(default)]
    analyze: bool,
}

impl SolveOptions {
    fn method(&self, policies: &Policies) -> Result<SolveMethod, RequestError> {
        let stop = self.stop_rule()?;
        let algorithm = policies.choose(self.algorithm.as_deref(), self.policy.as_deref())?;
        match algorithm {
            Some(_) if stop != StopRule::Optimal => {
                Err(RequestError::bad_request("first and within cannot be combined with algorithm or policy"))
            }
            Some(algorithm) => Ok(SolveMethod::from(algorithm)),
            // One thread for each search: the others are for other requests.
            None => Ok(SolveMethod::Portfolio(Portfolio { stop, ..Portfolio::default() })),
        }
    }

    fn stop_rule(&self) -> Result<StopRule, RequestError> {
        match (self.first, self.within) {
            (true, Some(_)) => Err(RequestError::bad_request("first and within are mutually exclusive")),
            (true, None) => Ok(StopRule::First),
            (false, Some(factor)) if factor >= 1.0 => Ok(StopRule::Within(factor)),
            (false, Some(factor)) => Err(RequestError::bad_request(format!("within must be at least 1, not {factor}"))),
            (false, None) => Ok(StopRule::Optimal),
        }
    }
}

/// A board to solve, and how.
#[derive(Debug)]
pub struct SolveTask {
    puzzle: Puzzle,
    metric: Metric,
    method: SolveMethod,
    analyze: bool,
}

/// What is found about a board.
#[derive(Debug)]
pub struct Solved {
    /// Solution and bounds.
    pub outcome: SolveOutcome,
    analysis: Option<Analysis>,
}

impl SolveTask {
    /// Parses the board and the options of a request.
    pub fn new(request: &BoardRequest<SolveOptions>, policies: &Policies) -> Result<SolveTask, RequestError> {
        Ok(SolveTask {
            puzzle: request.board.read()?,
            metric: request.metric,
            method: request.options.method(policies)?,
            analyze: request.options.analyze,
        })
    }

    /// Solves the board; `observe` is called with every improvement.
    pub fn solve(&self, solver: &mut Solver, limits: &Limits, observe: &mut dyn FnMut(&Improvement)) -> Solved {
        let board = &self.puzzle.board;
        let outcome = clearway_answers::solve(&self.method, solver, board, self.metric, limits, observe);
        let rest = limits.remaining_after(outcome.answer.time);
        let analysis = self.analyze.then(|| solver.analyze(board, self.metric, &rest));
        Solved { outcome, analysis }
    }

    /// Returns the record of the answer.
    pub fn record<'a>(&'a self, solved: &'a Solved) -> SolveRecord<'a> {
        let Puzzle { name, board, .. } = &self.puzzle;
        SolveRecord::new(name.as_deref(), board, self.metric, &solved.outcome, solved.analysis.as_ref())
    }

    /// Metric to minimise.
    pub fn metric(&self) -> Metric {
        self.metric
    }
}

impl Solved {
    /// Returns the limit that ended the search or the analysis, if any.
    pub fn ended_by(&self) -> Option<Limit> {
        limit_of(self.outcome.answer.verdict).or_else(|| self.analysis.as_ref()?.limit)
    }
}

/// A request to solve a board, with the policies that it may name.
#[derive(Debug)]
pub struct SolveRequest {
    /// Board, and how to solve it.
    pub request: BoardRequest<SolveOptions>,
    /// Policies that it may name.
    pub policies: Arc<Policies>,
}

impl SearchRequest for SolveRequest {
    type Found = (SolveTask, Solved);

    fn limits(&self) -> Result<Limits, RequestError> {
        self.request.limits.to_limits()
    }

    fn search(&self, solver: &mut Solver, limits: &Limits) -> Result<(Self::Found, Option<Limit>), RequestError> {
        let task = SolveTask::new(&self.request, &self.policies)?;
        let solved = task.solve(solver, limits, &mut |_| {});
        let ended_by = solved.ended_by();
        Ok(((task, solved), ended_by))
    }

    fn answer<'a>(&'a self, (task, solved): &'a Self::Found) -> impl Serialize + 'a {
        task.record(solved)
    }
}

/// Returns the limit that ended a search, if any.
pub fn limit_of(verdict: Verdict) -> Option<Limit> {
    match verdict {
        Verdict::Limit(limit) => Some(limit),
        Verdict::Solved | Verdict::Unsolvable => None,
    }
}
