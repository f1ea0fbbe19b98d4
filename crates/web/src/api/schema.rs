//! The JSON Schema of packs.

use crate::error::CommonErrors;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clearway_api::packs;

/// Returns the JSON Schema of a pack
///
/// It describes a line of a pack in the format jsonl.
#[utoipa::path(get, path = "/schema/pack", operation_id = "pack_schema", tag = "packs", responses(
    (status = 200, description = "The schema", content(("application/schema+json"))),
    CommonErrors,
))]
pub async fn pack() -> Response {
    ([(header::CONTENT_TYPE, "application/schema+json")], packs::schema()).into_response()
}
