//! Hints: the next move, and the reason for it.

use super::App;
use super::request::{Body, json};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::Hint;
use clearway_api::{BoardRequest, NoOptions, hint_limits};
use clearway_rush::Solver;
use clearway_search::{Limit, Limits};
use std::sync::Arc;
use std::time::Duration;

/// Time that a hint from the quick lane waits for a place in the long lane, to be improved there.
const PATIENCE: Duration = Duration::from_millis(500);

/// Returns the next move of the best known solution, and the reason for it
///
/// The default time limit is two seconds. If it is reached, `optimal` is false, and the move is that of the best solution found.
#[utoipa::path(post, path = "/hint", tag = "boards", request_body = BoardRequest<NoOptions>, responses(
    (status = 200, description = "The next move, and the reason for it", body = Hint),
    CommonErrors, BodyErrors,
))]
pub async fn hint(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<NoOptions>>,
) -> Result<Response, ApiError> {
    let requested = hint_limits(&request)?;
    let lanes = app.workers.lane_limits(&requested);
    let work = move |solver: &mut Solver, limits: &Limits| Ok(clearway_api::hint(&request, solver, limits)?);
    let work = Arc::new(work);
    let quick_work = Arc::clone(&work);
    let quick = app.workers.run_quick(&lanes, move |solver, limits| quick_work(solver, limits)).await?;
    let ended_by = (quick.status == "limit").then_some(Limit::Time);
    if !lanes.can_continue(ended_by) {
        return json(&quick);
    }
    let long = app.workers.run_long(&requested, move |solver, limits| work(solver, limits));
    if quick.mv.is_none() {
        return json(&long.await?);
    }
    // A busy long lane must not delay the move that is already known.
    let patience = lanes.long.time.unwrap_or_default() + PATIENCE;
    let long = tokio::time::timeout(patience, long).await.ok().and_then(Result::ok);
    let is_better = |hint: &Hint| hint.moves.is_some_and(|moves| Some(moves) <= quick.moves);
    json(&long.filter(is_better).unwrap_or(quick))
}
