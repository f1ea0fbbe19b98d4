//! Lists of algorithms, heuristics and policies.

use super::App;
use super::request::json;
use crate::error::{ApiError, CommonErrors};
use axum::extract::State;
use axum::response::Response;
use clearway_api::algorithms::SearchList;
use std::sync::Arc;

/// Lists algorithms, heuristics and policies
#[utoipa::path(get, path = "/algorithms", tag = "algorithms", responses(
    (status = 200, description = "The algorithms, heuristics and policies", body = SearchList),
    CommonErrors,
))]
pub async fn algorithms(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    let policies = Arc::clone(&app.policies);
    app.blocking.run(move || json(&clearway_api::algorithms::algorithms(&policies))).await
}
