//! Algorithms side by side on one board.

use super::App;
use super::board::{BoardText, Effort, MetricName};
use super::request::{Body, json};
use crate::error::{ApiError, BodyRefused, Busy, Refused};
use axum::extract::State;
use axum::response::Response;
use clearway_lab::compare::{Comparison, Contestant, Entry, Log, Record};
use clearway_search::Limits;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// How many algorithms may be compared at once.
const MOST_ALGORITHMS: usize = 16;
/// The time of a run if nothing else is said.
const USUAL_TIME: Duration = Duration::from_secs(2);

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
    Refused, BodyRefused, Busy,
))]
pub async fn compare(State(app): State<Arc<App>>, Body(request): Body<Compare>) -> Result<Response, ApiError> {
    let puzzle = request.board.read()?;
    if !(1..=MOST_ALGORITHMS).contains(&request.algorithms.len()) {
        return Err(ApiError::bad_request(format!("1 to {MOST_ALGORITHMS} algorithms can be compared at once")));
    }
    let contestants = request.algorithms.iter().map(|text| app.policies.contestant(text));
    let algorithms: Vec<Contestant> = contestants.collect::<Result<_, _>>()?;
    let asked = request.effort.limits()?;
    let asked = Limits { time: asked.time.or(Some(USUAL_TIME)), ..asked };
    let (boards, metric) = (vec![Entry { name: puzzle.name, board: puzzle.board }], request.metric.into());
    let work = move |_: &mut _, limits: &Limits| {
        let comparison = Comparison { boards, algorithms, metric, limits: limits.clone(), threads: 1 };
        let mut records = Vec::new();
        let done = comparison.run(
            &mut Log::default(),
            |_| (),
            |record| {
                records.push(record);
                Ok(())
            },
        );
        done.map(|()| records)
    };
    let records = app.workers.long(&asked, work).await?.map_err(ApiError::internal)?;
    json(&Compared { records })
}
