//! Comparison of algorithms on one board.

use super::App;
use super::board::BoardRequest;
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use crate::policies::Policies;
use axum::extract::State;
use axum::response::Response;
use clearway_lab::compare::{Comparison, Contestant, NamedBoard, Record};
use clearway_rush::Solver;
use clearway_search::Limits;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// Maximum number of algorithms in a comparison.
const MAX_ALGORITHMS: usize = 16;
/// Default time limit of a run.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// Time limit of a comparison, as a multiple of that of a search. Runs that start later end at once, at their time limit.
const TIME_FACTOR: u32 = 3;
/// Retry-After of a cancelled comparison, in seconds.
const RETRY_AFTER: u64 = 1;

/// A board, and the algorithms to run on it. The limits apply to each run; the default time limit is two seconds.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CompareOptions {
    /// The algorithms, such as bfs or astar(blockers); see /algorithms.
    #[schema(min_items = 1, max_items = 16, example = json!(["bfs", "astar(blockers)"]))]
    algorithms: Vec<String>,
}

/// The results of a comparison.
#[derive(Serialize, ToSchema)]
pub struct Compared {
    /// One record for each algorithm, in the order of the request.
    records: Vec<Record>,
}

/// Compares algorithms on a board
#[utoipa::path(post, path = "/compare", tag = "algorithms", request_body = BoardRequest<CompareOptions>, responses(
    (status = 200, description = "The fields of `clearway compare --json` for each algorithm", body = Compared),
    CommonErrors, BodyErrors,
))]
pub async fn compare(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<CompareOptions>>,
) -> Result<Response, ApiError> {
    if !(1..=MAX_ALGORITHMS).contains(&request.options.algorithms.len()) {
        return Err(ApiError::bad_request(format!("algorithms must have 1 to {MAX_ALGORITHMS} entries")));
    }
    let requested = request.limits.to_limits()?;
    let requested = Limits { time: requested.time.or(Some(DEFAULT_TIME)), ..requested };
    let limits = app.workers.capped(&requested);
    let deadline = Instant::now() + app.workers.time_limit().saturating_mul(TIME_FACTOR);
    // Each run is a separate part, so that a comparison never occupies a thread for longer than a search.
    let mut slot = app.workers.slot()?;
    let policies = Arc::clone(&app.policies);
    let comparison = slot.run(&limits, move |_, _| comparison(&request, &policies)).await?;
    let comparison = Arc::new(comparison);
    let mut optimum = None;
    let mut records = Vec::new();
    for algorithm in std::iter::once(None).chain((0..comparison.algorithms.len()).map(Some)) {
        let left = deadline.saturating_duration_since(Instant::now());
        let limits = Limits { time: limits.time.map(|time| time.min(left)), ..limits.clone() };
        let comparison = Arc::clone(&comparison);
        let run = move |_: &mut Solver, limits: &Limits| {
            // Only requests whose clients have gone are cancelled.
            comparison.run_alone(0, algorithm, limits).ok_or_else(|| ApiError::too_busy(RETRY_AFTER))
        };
        let record = slot.run(&limits, run).await?;
        match algorithm {
            None => optimum = record.length().filter(|_| record.status == "solved"),
            Some(_) => records.push(Record { optimum, ..record }),
        }
    }
    slot.run(&limits, move |_, _| json(&Compared { records })).await
}

/// Parses the board and the algorithms.
fn comparison(request: &BoardRequest<CompareOptions>, policies: &Policies) -> Result<Comparison, ApiError> {
    let puzzle = request.board.read()?;
    let contestants = request.options.algorithms.iter().map(|text| policies.contestant(text));
    let algorithms: Vec<Contestant> = contestants.collect::<Result<_, _>>()?;
    let boards = vec![NamedBoard { name: puzzle.name, board: puzzle.board }];
    Ok(Comparison { boards, algorithms, metric: request.metric, limits: Limits::default(), threads: 1 })
}
