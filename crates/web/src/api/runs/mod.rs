//! Runs of evolution.

mod events;
mod files;
mod options;
mod records;

pub use events::*;
pub use files::*;

use super::App;
use super::request::{Body, Page, Paging, Path, Query, created, json};
use crate::error::{ApiError, BodyRefused, Full, Problem, Refused};
use crate::runs::Runs;
use crate::store::RunState;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use options::{NewRun, Resume};
use records::{RunRecord, RunSummary};
use std::sync::Arc;
use std::time::Duration;

/// How long a run may take to stop before the answer is that it still runs.
const STOP_TIME: Duration = Duration::from_secs(10);

/// Does what takes a moment on the disk without keeping others waiting.
async fn aside<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Arc<Runs>) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let runs = Arc::clone(&app.runs);
    app.blocking.run(move || work(&runs)).await
}

/// All runs, the newest first
#[utoipa::path(get, path = "/runs", operation_id = "list_runs", tag = "evolution", params(Paging), responses(
    (status = 200, description = "A page of runs", body = Page<RunSummary>),
    Refused,
))]
pub async fn list(State(app): State<Arc<App>>, Query(paging): Query<Paging>) -> Result<Response, ApiError> {
    let (limit, after) = (paging.limit()?, paging.after()?);
    let list = move |runs: &Arc<Runs>| {
        let rows = runs.list(after, limit + 1)?;
        json(&Page::new(rows, limit, |row| row.id.to_string(), |row| RunSummary::new(row, runs))?)
    };
    aside(&app, list).await
}

/// Begins a run
///
/// Genetic programming breeds policies, rules over heuristics that guide a search, on training boards. One run breeds at a
/// time.
#[utoipa::path(post, path = "/runs", operation_id = "begin_run", tag = "evolution", request_body = NewRun, responses(
    (status = 201, description = "The run", body = RunRecord,
        headers(("Location" = String, description = "Where the run is"))),
    (status = 429, description = "Another run breeds; Retry-After tells when to ask again", body = Problem),
    (status = 503, description = "The server comes to its end", body = Problem),
    Refused, BodyRefused, Full,
))]
pub async fn begin(State(app): State<Arc<App>>, Body(new): Body<NewRun>) -> Result<Response, ApiError> {
    let settings = new.settings()?;
    let begin = move |runs: &Arc<Runs>| {
        let record = RunRecord::new(runs.begin(&settings)?, runs)?;
        created(format!("/api/v1/runs/{}", record.id), &record)
    };
    aside(&app, begin).await
}

/// A run: what it does, its generations, its champion and how that does
#[utoipa::path(get, path = "/runs/{id}", operation_id = "show_run", tag = "evolution",
    params(("id" = i64, Path, description = "The run's number")),
    responses(
        (status = 200, description = "The run", body = RunRecord),
        (status = 404, description = "There is no such run", body = Problem),
        Refused,
    ))]
pub async fn show(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    aside(&app, move |runs| json(&RunRecord::new(runs.find(id)?, runs)?)).await
}

/// Forgets a run that does not breed, with its champion
#[utoipa::path(delete, path = "/runs/{id}", operation_id = "delete_run", tag = "evolution",
    params(("id" = i64, Path, description = "The run's number")),
    responses(
        (status = 204, description = "It is forgotten"),
        (status = 404, description = "There is no such run", body = Problem),
        (status = 409, description = "It breeds: stop it first", body = Problem),
        Refused,
    ))]
pub async fn delete(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<StatusCode, ApiError> {
    aside(&app, move |runs| runs.delete(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stops a run; what it has bred by then is kept
#[utoipa::path(post, path = "/runs/{id}/stop", operation_id = "stop_run", tag = "evolution",
    params(("id" = i64, Path, description = "The run's number")),
    responses(
        (status = 200, description = "The run, which does not breed any more", body = RunRecord),
        (status = 404, description = "There is no such run", body = Problem),
        Refused,
    ))]
pub async fn stop(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    if let Some(mut progress) = aside(&app, move |runs| Ok(runs.stop(id))).await? {
        // It ends at once or within the next moments, and if not, the answer says that it still runs.
        let ended = progress.wait_for(|progress| progress.state != RunState::Running);
        let _ = tokio::time::timeout(STOP_TIME, ended).await;
    }
    aside(&app, move |runs| json(&RunRecord::new(runs.find(id)?, runs)?)).await
}

/// Goes on with a run where it was stopped; or, if more generations or another budget are given, where it was done
#[utoipa::path(post, path = "/runs/{id}/resume", operation_id = "resume_run", tag = "evolution",
    request_body = Option<Resume>,
    params(("id" = i64, Path, description = "The run's number")),
    responses(
        (status = 200, description = "The run", body = RunRecord),
        (status = 404, description = "There is no such run", body = Problem),
        (status = 429, description = "A run breeds; Retry-After tells when to ask again", body = Problem),
        (status = 503, description = "The server comes to its end", body = Problem),
        Refused, BodyRefused, Full,
    ))]
pub async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<i64>,
    body: Option<Body<Resume>>,
) -> Result<Response, ApiError> {
    let more = body.map(|Body(more)| more).unwrap_or_default();
    let resume = move |runs: &Arc<Runs>| {
        // A number that is nobody's is told as such, also while another run breeds.
        runs.find(id)?;
        let made = runs.folder(id).logged().map_err(ApiError::internal)?;
        json(&RunRecord::new(runs.resume(id, |settings| more.apply(settings, &made))?, runs)?)
    };
    aside(&app, resume).await
}
