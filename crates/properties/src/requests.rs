//! Bodies of requests to the server.

use crate::shared::choice;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use clearway_web::{Network, ServerConfig, routes};
use std::net::Ipv4Addr;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// Calls that answer immediately or after a short search. The others start long-running work.
const CALLS: [&str; 10] =
    ["solve", "verify", "convert", "hint", "analyze", "grade", "graph", "trace", "compare", "players/ann/results"];
/// Time limit of a search.
const TIME: Duration = Duration::from_millis(5);
/// Maximum size of an answer.
const MAX_BYTES: usize = 16 << 20;

struct Server {
    runtime: Runtime,
    routes: Router,
    _data: tempfile::TempDir,
}

impl Server {
    fn new() -> Server {
        let builder = tempfile::Builder::new();
        let data =
            builder.tempdir_in("/dev/shm").or_else(|_| builder.tempdir()).expect("a temporary folder can be created");
        let config = ServerConfig {
            host: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            data: data.path().to_owned(),
            data_limit: 64 << 20,
            allowed_hosts: Vec::new(),
            token: None,
            threads: 1,
            time_limit: TIME,
            memory: 64 << 20,
            nice: 0,
            network: Network::default(),
        };
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be created");
        let routes = runtime.block_on(async { routes(&config) }).expect("the data folder is new");
        Server { runtime, routes, _data: data }
    }

    fn post(&self, call: &str, body: &[u8]) -> (StatusCode, Vec<u8>) {
        let request = Request::post(format!("/api/v1/{call}"))
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_vec()))
            .expect("the request is valid");
        self.runtime.block_on(async {
            let response = self.routes.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
            let status = response.status();
            let body = to_bytes(response.into_body(), MAX_BYTES).await.expect("answers are bounded");
            (status, body.to_vec())
        })
    }
}

/// Checks the answer to a request. The first byte selects a call, the rest is the body. The server answers with JSON, and never
/// with an internal error.
pub fn requests(bytes: &[u8]) {
    thread_local!(static SERVER: Server = Server::new());
    let Some((call, body)) = choice(bytes) else { return };
    let call = CALLS[usize::from(call) % CALLS.len()];
    let (status, answer) = SERVER.with(|server| server.post(call, body));
    let text = String::from_utf8_lossy(&answer);
    assert!(status != StatusCode::INTERNAL_SERVER_ERROR, "{call}: {text}");
    let is_json = answer.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).all(is_json);
    assert!(is_json, "{call}: {status}: {text}");
}

fn is_json(line: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}
