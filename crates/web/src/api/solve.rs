//! Solving boards.

use super::App;
use super::board::BoardRequest;
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::records::SolveRecord;
use clearway_answers::{Method, SolveOutcome};
use clearway_rush::Solver;
use clearway_rush::exact::Analysis;
use clearway_rush::formats::Puzzle;
use clearway_search::{Limit, Limits, Verdict};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A board to solve.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SolveOptions {
    /// Algorithm to use instead of the exact solver, such as bfs or astar(blockers); see /algorithms.
    #[serde(default)]
    algorithm: Option<String>,
    /// Policy to use, with the search that it was evolved for; see /algorithms. Its solutions are not proven optimal.
    #[serde(default)]
    policy: Option<String>,
    /// Whether to explore all reachable states and return statistics about them.
    #[serde(default)]
    analyze: bool,
}

/// Finds a shortest solution, or proves that there is none
#[utoipa::path(post, path = "/solve", tag = "boards", request_body = BoardRequest<SolveOptions>, responses(
    (status = 200, description = "The fields of `clearway solve --json`", body = SolveRecord),
    CommonErrors, BodyErrors,
))]
pub async fn solve(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<SolveOptions>>,
) -> Result<Response, ApiError> {
    let (limits, metric) = (request.limits.to_limits()?, request.metric);
    let policies = Arc::clone(&app.policies);
    let work = move |solver: &mut Solver, limits: &Limits| {
        let puzzle = request.board.read()?;
        let algorithm = policies.choose(request.options.algorithm.as_deref(), request.options.policy.as_deref())?;
        let method = algorithm.map_or_else(Method::default, Method::from);
        let outcome = clearway_answers::solve(&method, solver, &puzzle.board, metric, limits, &mut |_| {});
        let rest = limits.remaining_after(outcome.answer.time);
        let analysis = request.options.analyze.then(|| solver.analyze(&puzzle.board, metric, &rest));
        let ended_by = limit_of(outcome.answer.verdict).or_else(|| analysis.as_ref()?.limit);
        Ok(((puzzle, outcome, analysis), ended_by))
    };
    let respond = move |(puzzle, outcome, analysis): (Puzzle, SolveOutcome, Option<Analysis>)| {
        json(&SolveRecord::new(puzzle.name.as_deref(), &puzzle.board, metric, &outcome, analysis.as_ref()))
    };
    app.workers.search(&limits, work, respond).await
}

/// Returns the limit that ended a search, if any.
pub fn limit_of(verdict: Verdict) -> Option<Limit> {
    match verdict {
        Verdict::Limit(limit) => Some(limit),
        Verdict::Solved | Verdict::Unsolvable => None,
    }
}
