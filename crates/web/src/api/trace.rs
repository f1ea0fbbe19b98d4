//! A search, expansion by expansion.

use super::App;
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::Trace;
use clearway_api::{BoardRequest, TraceOptions};
use std::sync::Arc;

/// Traces a search, expansion by expansion
#[utoipa::path(post, path = "/trace", tag = "algorithms", request_body = BoardRequest<TraceOptions>, responses(
    (status = 200, description = "The expanded states in order, with the states generated from each", body = Trace),
    CommonErrors, BodyErrors,
))]
pub async fn trace(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<TraceOptions>>,
) -> Result<Response, ApiError> {
    request.options.most_expansions()?;
    let limits = request.limits.to_limits()?;
    let policies = Arc::clone(&app.policies);
    let work = move |_: &mut _, limits: &_| json(&clearway_api::trace(&request, &policies, limits)?);
    app.workers.run_long(&limits, work).await
}
