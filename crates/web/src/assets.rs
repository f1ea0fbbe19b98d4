//! The files of the page, embedded in the binary. Debug builds read them from disk for every request.

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
struct PageFiles;

/// Paths of the page's tabs, which all serve the same document.
const TABS: [&str; 8] = ["", "play", "edit", "forge", "explore", "compare", "evolve", "results"];

/// Serves a file of the page.
pub async fn file(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let find = move || {
        let path = uri.path().trim_start_matches('/');
        let path = if TABS.contains(&path) { "index.html" } else { path };
        let file = PageFiles::get(path).ok_or_else(|| ApiError::not_found(format!("path not found: {}", uri.path())));
        Ok(response(file?, &headers))
    };
    app.blocking.run(find).await
}

/// Returns the file, or 304 if the browser's copy is current.
fn response(file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let mut tag = String::from("\"");
    for byte in &hash[..12] {
        // Writing to a string cannot fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    // Browsers revalidate on every use, so that a new version takes effect at once.
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
