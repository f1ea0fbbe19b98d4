//! Algorithms side by side on one board.

use super::App;
use super::board::{BoardText, Effort, MetricName};
use super::request::{Body, json};
use crate::error::{ApiError, BodyRefused, Refused};
use crate::policies::Policies;
use axum::extract::State;
use axum::response::Response;
use clearway_lab::compare::{Comparison, Contestant, Entry, Record};
use clearway_rush::Solver;
use clearway_search::Limits;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// How many algorithms may be compared at once.
const MOST_ALGORITHMS: usize = 16;
/// The time of a run if nothing else is said.
const USUAL_TIME: Duration = Duration::from_secs(2);
/// How many times as long as a search the whole comparison may take. Runs that come too late end at their time limit.
const PATIENCE: u32 = 3;
/// Retry-After of a comparison that was cancelled, in seconds.
const RETRY: u64 = 1;

/// A board, and algorithms to run on it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    #[serde(flatten)]
    board: BoardText,
    /// The limits of each run. Without one, a run has two seconds.
    #[serde(flatten)]
    effort: Effort,
    /// What lengths count.
    #[serde(default)]
    metric: MetricName,
    /// The algorithms, such as bfs or astar(blockers); see /algorithms.
    #[schema(min_items = 1, max_items = 16, example = json!(["bfs", "astar(blockers)"]))]
    algorithms: Vec<String>,
}

/// What each algorithm found and counted.
#[derive(Serialize, ToSchema)]
pub struct Compared {
    /// A run each, in the order of the algorithms.
    records: Vec<Record>,
}

/// Runs algorithms side by side on a board
#[utoipa::path(post, path = "/compare", tag = "algorithms", request_body = Compare, responses(
    (status = 200, description = "The fields of `clearway compare --json` for each algorithm", body = Compared),
    Refused, BodyRefused,
))]
pub async fn compare(State(app): State<Arc<App>>, Body(request): Body<Compare>) -> Result<Response, ApiError> {
    if !(1..=MOST_ALGORITHMS).contains(&request.algorithms.len()) {
        return Err(ApiError::bad_request(format!("1 to {MOST_ALGORITHMS} algorithms can be compared at once")));
    }
    let asked = request.effort.limits()?;
    let asked = Limits { time: asked.time.or(Some(USUAL_TIME)), ..asked };
    let limits = app.workers.allowed(&asked);
    let deadline = Instant::now() + app.workers.longest().saturating_mul(PATIENCE);
    // Each run is a part of its own, so that a comparison never holds a thread for longer than a search does.
    let mut seat = app.workers.seat()?;
    let policies = Arc::clone(&app.policies);
    let comparison = seat.run(&limits, move |_, _| comparison(&request, &policies)).await?;
    let comparison = Arc::new(comparison);
    let mut optimum = None;
    let mut records = Vec::new();
    for algorithm in std::iter::once(None).chain((0..comparison.algorithms.len()).map(Some)) {
        let left = deadline.saturating_duration_since(Instant::now());
        let limits = Limits { time: limits.time.map(|time| time.min(left)), ..limits.clone() };
        let comparison = Arc::clone(&comparison);
        let run = move |_: &mut Solver, limits: &Limits| {
            // Only a request that nobody waits for any more is cancelled.
            comparison.run_alone(0, algorithm, limits).ok_or_else(|| ApiError::too_busy(RETRY))
        };
        let record = seat.run(&limits, run).await?;
        match algorithm {
            None => optimum = record.length().filter(|_| record.status == "solved"),
            Some(_) => records.push(Record { optimum, ..record }),
        }
    }
    seat.run(&limits, move |_, _| json(&Compared { records })).await
}

/// Reads the board and the algorithms.
fn comparison(request: &Compare, policies: &Policies) -> Result<Comparison, ApiError> {
    let puzzle = request.board.read()?;
    let contestants = request.algorithms.iter().map(|text| policies.contestant(text));
    let algorithms: Vec<Contestant> = contestants.collect::<Result<_, _>>()?;
    let boards = vec![Entry { name: puzzle.name, board: puzzle.board }];
    Ok(Comparison { boards, algorithms, metric: request.metric.into(), limits: Limits::default(), threads: 1 })
}
