//! Runs of evolution.

mod events;
mod files;
mod options;
mod records;

pub use events::*;
pub use files::*;

use super::App;
use super::request::{Body, Path, Query, created, json};
use crate::error::{ApiError, BodyErrors, CommonErrors, NoSuchRun, Problem, StorageErrors};
use crate::runs::Runs;
use crate::store::RunState;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use clearway_api::{Page, Paging};
use options::{NewRun, ResumeRun};
use records::{RunRecord, RunSummary};
use std::sync::Arc;
use std::time::Duration;

/// Time that a stop request waits for the run to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Runs blocking work on the runs, off the async threads.
async fn with_runs<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Arc<Runs>) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let runs = Arc::clone(&app.runs);
    app.blocking.run(move || work(&runs)).await
}

/// Lists all runs, newest first
#[utoipa::path(get, path = "/runs", operation_id = "list_runs", tag = "evolution", params(Paging), responses(
    (status = 200, description = "A page of runs", body = Page<RunSummary>),
    CommonErrors,
))]
pub async fn list(State(app): State<Arc<App>>, Query(paging): Query<Paging>) -> Result<Response, ApiError> {
    let (limit, after) = (paging.limit()?, paging.after()?);
    let list = move |runs: &Arc<Runs>| {
        let rows = runs.list(after, limit + 1)?;
        json(&Page::new(rows, limit, |row| row.id.to_string(), |row| RunSummary::new(row, runs))?)
    };
    with_runs(&app, list).await
}

/// Starts a run
///
/// Genetic programming evolves policies, rules over heuristics that guide a search, on training boards. Only one run is
/// active at a time.
#[utoipa::path(post, path = "/runs", operation_id = "begin_run", tag = "evolution", request_body = NewRun, responses(
    (status = 201, description = "The run", body = RunRecord,
        headers(("Location" = String, description = "Path of the run"))),
    (status = 429, description = "Another run is active; see Retry-After", body = Problem),
    (status = 503, description = "The server is shutting down", body = Problem),
    CommonErrors, BodyErrors, StorageErrors,
))]
pub async fn start(State(app): State<Arc<App>>, Body(new): Body<NewRun>) -> Result<Response, ApiError> {
    let settings = new.settings()?;
    let start = move |runs: &Arc<Runs>| {
        let record = RunRecord::new(runs.start(&settings)?, runs)?;
        created(format!("/api/v1/runs/{}", record.id), &record)
    };
    with_runs(&app, start).await
}

/// Returns a run: its state, generations, champion and test results
#[utoipa::path(get, path = "/runs/{id}", operation_id = "show_run", tag = "evolution",
    params(("id" = i64, Path, description = "Id of the run")),
    responses((status = 200, description = "The run", body = RunRecord), NoSuchRun, CommonErrors))]
pub async fn show(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    with_runs(&app, move |runs| json(&RunRecord::new(runs.find(id)?, runs)?)).await
}

/// Deletes a run that is not active, with its champion
#[utoipa::path(delete, path = "/runs/{id}", operation_id = "delete_run", tag = "evolution",
    params(("id" = i64, Path, description = "Id of the run")),
    responses(
        (status = 204, description = "The run is deleted"),
        (status = 409, description = "The run is active: stop it first", body = Problem),
        NoSuchRun, CommonErrors,
    ))]
pub async fn delete(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<StatusCode, ApiError> {
    with_runs(&app, move |runs| runs.delete(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stops a run; its generations and its best policy are kept
#[utoipa::path(post, path = "/runs/{id}/stop", operation_id = "stop_run", tag = "evolution",
    params(("id" = i64, Path, description = "Id of the run")),
    responses((status = 200, description = "The run, which is stopped", body = RunRecord), NoSuchRun, CommonErrors))]
pub async fn stop(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    if let Some(mut progress) = with_runs(&app, move |runs| Ok(runs.stop(id))).await? {
        // The run usually ends within moments; if not, the response shows that it is still running.
        let ended = progress.wait_for(|progress| progress.state != RunState::Running);
        let _ = tokio::time::timeout(STOP_TIMEOUT, ended).await;
    }
    with_runs(&app, move |runs| json(&RunRecord::new(runs.find(id)?, runs)?)).await
}

/// Resumes a stopped run, or extends a completed one by more generations or a larger budget
#[utoipa::path(post, path = "/runs/{id}/resume", operation_id = "resume_run", tag = "evolution",
    request_body = Option<ResumeRun>,
    params(("id" = i64, Path, description = "Id of the run")),
    responses(
        (status = 200, description = "The run", body = RunRecord),
        (status = 429, description = "A run is active; see Retry-After", body = Problem),
        (status = 503, description = "The server is shutting down", body = Problem),
        NoSuchRun, CommonErrors, BodyErrors, StorageErrors,
    ))]
pub async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<i64>,
    body: Option<Body<ResumeRun>>,
) -> Result<Response, ApiError> {
    let extension = body.map(|Body(extension)| extension).unwrap_or_default();
    let resume = move |runs: &Arc<Runs>| {
        // An unknown id is a 404 even while another run is active.
        runs.find(id)?;
        let logged = runs.folder(id).logged().map_err(ApiError::internal)?;
        json(&RunRecord::new(runs.resume(id, |settings| extension.apply(settings, &logged))?, runs)?)
    };
    with_runs(&app, resume).await
}
