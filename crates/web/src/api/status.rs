//! Status of the server.

use super::App;
use crate::error::CommonErrors;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Status of the server.
#[derive(Serialize, ToSchema)]
pub struct ServerStatus {
    /// Version of clearway.
    version: &'static str,
    /// Time since the start of the server, in seconds.
    uptime_seconds: f64,
    /// Number of search threads.
    workers: usize,
    /// Number of search threads that are busy.
    busy: usize,
    /// Number of requests that wait for a search thread.
    waiting: usize,
    /// Number of open connections.
    connections: usize,
    /// Bytes of requests and responses in memory; small ones are not counted.
    bytes_in_flight: usize,
}

/// Returns the server's version and load
#[utoipa::path(get, path = "/status", tag = "server", responses(
    (status = 200, description = "Status of the server", body = ServerStatus),
    CommonErrors,
))]
pub async fn status(State(app): State<Arc<App>>) -> Json<ServerStatus> {
    let load = app.workers.load();
    let (connections, bytes_in_flight) = app.clients.totals();
    Json(ServerStatus {
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: app.started.elapsed().as_secs_f64(),
        workers: load.threads,
        busy: load.busy,
        waiting: load.waiting,
        connections,
        bytes_in_flight,
    })
}
