//! A line for each request, for whoever runs the server.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// Logs a request and its answer: faults of the server as warnings, everything else for debugging only. The query is left
/// out, because it may hold the token.
pub async fn log(request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let started = Instant::now();
    let response = next.run(request).await;
    let (status, milliseconds) = (response.status(), started.elapsed().as_secs_f64() * 1e3);
    // A full server is no fault, and says so often.
    if status.is_server_error() && status.as_u16() != 503 {
        tracing::warn!("{method} {path} {} in {milliseconds:.1} ms", status.as_u16());
    } else {
        tracing::debug!("{method} {path} {} in {milliseconds:.1} ms", status.as_u16());
    }
    response
}
