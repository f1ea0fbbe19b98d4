//! Shortest solutions.

use super::App;
use super::board::{BoardText, Effort, MetricName};
use super::request::{Body, json};
use crate::error::{ApiError, BodyRefused, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::Found;
use clearway_lab::records::SolveRecord;
use clearway_rush::Solver;
use clearway_rush::exact::Analysis;
use clearway_rush::formats::Puzzle;
use clearway_search::{Limit, Limits, Verdict};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A board to solve, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    #[serde(flatten)]
    board: BoardText,
    #[serde(flatten)]
    effort: Effort,
    /// What to make shortest.
    #[serde(default)]
    metric: MetricName,
    /// Solve with this algorithm instead of the exact solver, such as bfs or astar(blockers); see /algorithms.
    #[serde(default)]
    algorithm: Option<String>,
    /// Solve with the search that a policy is made for; see /algorithms. Its solutions are not proven shortest.
    #[serde(default)]
    policy: Option<String>,
    /// Whether to walk all states that can be reached, for facts about them.
    #[serde(default)]
    analyze: bool,
}

/// Finds a shortest solution, or proves that there is none
#[utoipa::path(post, path = "/solve", tag = "boards", request_body = Solve, responses(
    (status = 200, description = "The fields of `clearway solve --json`", body = SolveRecord),
    Refused, BodyRefused,
))]
pub async fn solve(State(app): State<Arc<App>>, Body(request): Body<Solve>) -> Result<Response, ApiError> {
    let (limits, metric) = (request.effort.limits()?, request.metric.into());
    let policies = Arc::clone(&app.policies);
    let work = move |solver: &mut Solver, limits: &Limits| {
        let puzzle = request.board.read()?;
        let algorithm = policies.choose(request.algorithm.as_deref(), request.policy.as_deref())?;
        let found = clearway_lab::solve(algorithm.as_ref(), solver, &puzzle.board, metric, limits);
        let rest = limits.after(found.answer.time);
        let analysis = request.analyze.then(|| solver.analyze(&puzzle.board, metric, &rest));
        let ended_by = limit_of(found.answer.verdict).or_else(|| analysis.as_ref()?.limit);
        Ok(((puzzle, found, analysis), ended_by))
    };
    let answer = move |(puzzle, found, analysis): (Puzzle, Found, Option<Analysis>)| {
        json(&SolveRecord::new(puzzle.name.as_deref(), &puzzle.board, metric, &found, analysis.as_ref()))
    };
    app.workers.search(&limits, work, answer).await
}

/// The limit that ended a search.
pub fn limit_of(verdict: Verdict) -> Option<Limit> {
    match verdict {
        Verdict::Limit(limit) => Some(limit),
        Verdict::Solved | Verdict::Unsolvable => None,
    }
}
