//! The request log.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// Middleware: logs one line for each request, server errors as warnings and everything else at debug level. The query is
/// left out, because it may contain the token.
pub async fn log(request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let started = Instant::now();
    let response = next.run(request).await;
    let (status, milliseconds) = (response.status(), started.elapsed().as_secs_f64() * 1e3);
    // 503 is normal under load, and frequent.
    if status.is_server_error() && status.as_u16() != 503 {
        tracing::warn!("{method} {path} {} in {milliseconds:.1} ms", status.as_u16());
    } else {
        tracing::debug!("{method} {path} {} in {milliseconds:.1} ms", status.as_u16());
    }
    response
}
