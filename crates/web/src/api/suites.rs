//! The embedded suites.

use super::App;
use super::request::{Path, Query, json};
use crate::error::{ApiError, CommonErrors, Problem};
use axum::extract::State;
use axum::response::Response;
use clearway_answers::records::SuiteRecord;
use clearway_api::suites::{self, SuiteBoards};
use clearway_api::{Page, Paging};
use std::sync::Arc;

/// Lists the embedded suites
#[utoipa::path(get, path = "/suites", operation_id = "list_suites", tag = "puzzles", params(Paging), responses(
    (status = 200, description = "A page of suites", body = Page<SuiteRecord>),
    CommonErrors,
))]
pub async fn list(State(app): State<Arc<App>>, Query(paging): Query<Paging>) -> Result<Response, ApiError> {
    app.blocking.run(move || json(&suites::list(&paging)?)).await
}

/// Returns a suite with its boards
#[utoipa::path(get, path = "/suites/{name}", operation_id = "show_suite", tag = "puzzles",
    params(("name" = String, Path, description = "Name of the suite", example = "cards")),
    responses(
        (status = 200, description = "The suite", body = SuiteBoards),
        (status = 404, description = "The suite does not exist", body = Problem),
        CommonErrors,
    ))]
pub async fn show(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, ApiError> {
    app.blocking.run(move || json(&suites::show(&name)?)).await
}
