//! Comparison of algorithms on one board.

use super::App;
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_api::{BoardRequest, CompareOptions, CompareTask, Compared};
use clearway_search::Limits;
use std::sync::Arc;
use std::time::Instant;

/// Retry-After of a cancelled comparison, in seconds.
const RETRY_AFTER: u64 = 1;

/// Compares algorithms on a board
#[utoipa::path(post, path = "/compare", tag = "algorithms", request_body = BoardRequest<CompareOptions>, responses(
    (status = 200, description = "The fields of `clearway compare --json` for each algorithm", body = Compared),
    CommonErrors, BodyErrors,
))]
pub async fn compare(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<CompareOptions>>,
) -> Result<Response, ApiError> {
    let limits = app.workers.capped(&CompareTask::limits(&request)?);
    let deadline = Instant::now() + CompareTask::time_limit(app.workers.time_limit());
    // Each run is a separate part, so that a comparison never occupies a thread for longer than a search.
    let mut slot = app.workers.slot()?;
    let policies = Arc::clone(&app.policies);
    let mut task = slot.run(&limits, move |_, _| Ok(CompareTask::new(&request, &policies)?)).await?;
    while !task.is_complete() {
        let left = deadline.saturating_duration_since(Instant::now());
        let limits = Limits { time: limits.time.map(|time| time.min(left)), ..limits.clone() };
        let step = move |_: &mut _, limits: &Limits| {
            // Only requests whose clients have gone are cancelled.
            if task.step(limits) { Ok(task) } else { Err(ApiError::too_busy(RETRY_AFTER)) }
        };
        task = slot.run(&limits, step).await?;
    }
    slot.run(&limits, move |_, _| json(&task.into_answer())).await
}
