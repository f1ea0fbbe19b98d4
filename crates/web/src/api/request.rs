//! Request bodies and queries, and JSON responses.

use crate::error::ApiError;
use crate::transfer::{Chunks, MAX_BODY, SMALL_BODY};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use clearway_api::Object;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;

/// A request body: a JSON object.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + Send + 'static, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Body<T>, ApiError> {
        if !is_json(request.headers()) {
            return Err(not_json());
        }
        let Object(body) = parse(request).await?;
        Ok(Body(body))
    }
}

/// An optional body may be missing or null.
impl<T: DeserializeOwned + Send + 'static, S: Send + Sync> OptionalFromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Option<Body<T>>, ApiError> {
        if !request.headers().contains_key(header::CONTENT_TYPE) {
            return Ok(None);
        }
        if !is_json(request.headers()) {
            return Err(not_json());
        }
        let body: Option<Object<T>> = parse(request).await?;
        Ok(body.map(|Object(body)| Body(body)))
    }
}

/// Whether the body is declared as JSON: `application/json`, or a subtype such as `application/problem+json`.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    kind.strip_prefix("application/").is_some_and(|kind| kind == "json" || kind.ends_with("+json"))
}

fn not_json() -> ApiError {
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body is not declared as JSON")
        .with_help("send Content-Type: application/json")
}

/// Parses the body, which is already in memory; a large one on a blocking thread.
async fn parse<T: DeserializeOwned + Send + 'static>(request: Request) -> Result<T, ApiError> {
    let body = axum::body::to_bytes(request.into_body(), MAX_BODY).await.map_err(ApiError::internal)?;
    let fault = |error| ApiError::bad_request(format!("invalid body: {error}"));
    if body.len() <= SMALL_BODY {
        return serde_json::from_slice(&body).map_err(fault);
    }
    let parsed = tokio::task::spawn_blocking(move || serde_json::from_slice(&body).map_err(fault));
    parsed.await.map_err(ApiError::internal)?
}

/// Parameters in the path.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(ApiError))]
pub struct Path<T>(pub T);

/// Parameters in the query string.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(ApiError))]
pub struct Query<T>(pub T);

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        let fault = rejection.source().map_or_else(|| rejection.body_text(), ToString::to_string);
        ApiError::bad_request(format!("invalid query: {fault}"))
    }
}

impl From<PathRejection> for ApiError {
    fn from(rejection: PathRejection) -> ApiError {
        ApiError::bad_request(rejection.body_text())
    }
}

/// Returns the response for a new resource at `location`.
pub fn created(location: String, record: &impl Serialize) -> Result<Response, ApiError> {
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], json(record)?).into_response())
}

/// Returns a file to download.
pub fn attachment(name: &str, kind: &'static str, bytes: impl Into<axum::body::Body>) -> Response {
    // Other characters could end the quoted file name. Browsers prefer the second name, which has all letters.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let plain: String = name.chars().map(|c| if is_plain(c) || c == ' ' { c } else { '_' }).collect();
    let mut full = String::new();
    for c in name.chars().map(|c| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' }) {
        if is_plain(c) {
            full.push(c);
        } else {
            full.extend(c.to_string().bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{full}")),
    ];
    (headers, bytes.into()).into_response()
}

/// Returns a JSON response, serialised at once, so that the record need not outlive the call. Large records must not be
/// serialised on an async thread.
pub fn json(record: &impl Serialize) -> Result<Response, ApiError> {
    let mut text = Chunks::default();
    serde_json::to_writer(&mut text, record).map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], axum::body::Body::from(text)).into_response())
}
