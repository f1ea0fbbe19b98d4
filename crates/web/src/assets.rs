//! The files of the page, embedded in the binary. Debug builds read them from disk for every request.

use crate::api::App;
use crate::chapters::chapter;
use crate::error::ApiError;
use crate::transfer::accepts_gzip;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

#[derive(RustEmbed)]
#[folder = "page/"]
struct PageFiles;

/// Paths of the page's tabs, which all serve the same document.
const TABS: [&str; 8] = ["", "play", "edit", "forge", "explore", "compare", "evolve", "results"];

/// Serves a file of the page.
pub async fn file(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let find = move || {
        let path = uri.path().trim_matches('/');
        let is_page = TABS.contains(&path) || path.strip_prefix("docs/").and_then(chapter).is_some();
        let path = if is_page { "index.html" } else { path };
        if let Some(file) = PageFiles::get(path) {
            return response(file, &headers);
        }
        if let Some(text) = path.strip_prefix("docs/").and_then(|name| chapter(name.strip_suffix(".md")?)) {
            let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
            return Ok((kind, text).into_response());
        }
        let not_found = || ApiError::not_found(format!("path not found: {}", uri.path()));
        // Browsers that open an unknown address get the page, which reports it; programs get JSON.
        let page = is_opened(&headers, path).then(|| PageFiles::get("index.html")).flatten().ok_or_else(not_found)?;
        let html = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
        Ok((StatusCode::NOT_FOUND, html, Body::from(page.data)).into_response())
    };
    app.blocking.run(find).await
}

/// Whether a browser opens this path as a page.
fn is_opened(headers: &HeaderMap, path: &str) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html")) && !path.starts_with("api")
}

/// Returns the file, or 304 if the browser's copy is current.
fn response(file: EmbeddedFile, headers: &HeaderMap) -> Result<Response, ApiError> {
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
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let kind = match file.metadata.mimetype() {
        text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
        other => other.to_owned(),
    };
    let headed = (caching, [(header::CONTENT_TYPE, kind), (header::VARY, "accept-encoding".to_owned())]);
    if !accepts_gzip(headers) {
        return Ok((headed, Body::from(file.data)).into_response());
    }
    let encoding = [(header::CONTENT_ENCODING, "gzip")];
    Ok((headed, encoding, Body::from(compressed(hash, &file.data)?)).into_response())
}

/// Returns a file compressed at the best level: each file is compressed only once. All of them are texts.
fn compressed(hash: [u8; 32], data: &[u8]) -> Result<Bytes, ApiError> {
    static FILES: LazyLock<Mutex<HashMap<[u8; 32], Bytes>>> = LazyLock::new(Mutex::default);
    let files = || FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = files().get(&hash) {
        return Ok(known.clone());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let bytes = encoder.write_all(data).and_then(|()| encoder.finish()).map_err(ApiError::internal)?;
    Ok(files().entry(hash).or_insert(bytes.into()).clone())
}
