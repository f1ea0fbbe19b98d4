//! The page, embedded. A build for development reads it from the disk at every request.

use crate::api::App;
use crate::error::ApiError;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::fmt::Write as _;
use std::sync::Arc;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// The parts of the page that have an address of their own; all of them are the same document.
const TABS: [&str; 7] = ["", "play", "edit", "forge", "explore", "compare", "evolve"];

/// A file of the page.
pub async fn file(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let find = move || {
        let path = uri.path().trim_start_matches('/');
        let path = if TABS.contains(&path) { "index.html" } else { path };
        let file = Page::get(path).ok_or_else(|| ApiError::not_found(format!("there is nothing at {}", uri.path())));
        Ok(answer(file?, &headers))
    };
    app.blocking.run(find).await
}

/// The file, or the news that the browser has it already.
fn answer(file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let mut tag = String::from("\"");
    for byte in &hash[..12] {
        // Writing to a string cannot fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    // Always asked for, so that a new version is seen at once; sent only if it is new.
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    if known.is_some_and(|known| known.contains(&tag)) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let kind = match file.metadata.mimetype() {
        text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
        other => other.to_owned(),
    };
    (caching, [(header::CONTENT_TYPE, kind)], Body::from(file.data)).into_response()
}
