//! How the server is.

use super::App;
use crate::error::Refused;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// How the server is.
#[derive(Serialize, ToSchema)]
pub struct ServerStatus {
    /// The version of clearway.
    version: &'static str,
    /// For how long it has been running.
    uptime_seconds: f64,
    /// The threads that search.
    workers: usize,
    /// Those that do so now.
    busy: usize,
    /// The requests that wait for one.
    waiting: usize,
    /// The connections that are open.
    connections: usize,
    /// The bytes of requests and answers that are held in memory until they are sent; small ones are not counted.
    bytes_in_flight: usize,
}

/// How the server is: its version, and how much it has to do
#[utoipa::path(get, path = "/status", tag = "server", responses(
    (status = 200, description = "How the server is", body = ServerStatus),
    Refused,
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
