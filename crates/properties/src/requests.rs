//! Bodies of requests to the server.

use crate::shared::choice;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use clearway_web::{Network, ServerConfig, routes};
use std::fs::{self, File};
use std::net::Ipv4Addr;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// All calls that read a body. New calls are added at the end, so that the seeds keep their calls.
const CALLS: [&str; 16] = [
    "solve",
    "verify",
    "convert",
    "hint",
    "analyze",
    "grade",
    "graph",
    "trace",
    "compare",
    "players/ann/results",
    "solve/stream",
    "generate",
    "packs",
    MORE_BOARDS,
    "runs",
    "runs/1/resume",
];
/// Adds boards to a pack, which is created for the call.
const MORE_BOARDS: &str = "packs/ID/boards";
/// Pack that boards are added to.
const PACK: &[u8] = br#"{"name": "pack", "boards": ["4x4:BB.CAA.CD...DEE."]}"#;
/// Time limit of a search.
const TIME: Duration = Duration::from_millis(5);
/// Limit of the stored data.
const DATA_LIMIT: u64 = 64 << 20;
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
            data_limit: DATA_LIMIT,
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
        // With the folder of the runs full, requests for a run are read and checked, but no run starts.
        let runs = data.path().join("runs");
        let filled = fs::create_dir_all(&runs).and_then(|()| File::create(runs.join("full"))?.set_len(DATA_LIMIT));
        filled.expect("the file can be created");
        Server { runtime, routes, _data: data }
    }

    /// Makes a call; returns the status and the body of the response. Created packs are deleted again.
    fn call(&self, call: &str, body: &[u8]) -> (StatusCode, Vec<u8>) {
        let pack = (call == MORE_BOARDS).then(|| {
            let (status, _, location) = self.send(Method::POST, "/api/v1/packs", PACK);
            location.unwrap_or_else(|| panic!("no pack is created: {status}"))
        });
        let path = pack.as_ref().map_or_else(|| format!("/api/v1/{call}"), |pack| format!("{pack}/boards"));
        let (status, answer, location) = self.send(Method::POST, &path, body);
        if let Some(created) = pack.or(location) {
            self.send(Method::DELETE, &created, b"");
        }
        (status, answer)
    }

    /// Sends a request; returns the status, the body and the location of the response.
    fn send(&self, method: Method, path: &str, body: &[u8]) -> (StatusCode, Vec<u8>, Option<String>) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_vec()))
            .expect("the request is valid");
        self.runtime.block_on(async {
            let response = self.routes.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
            let status = response.status();
            let location = response.headers().get(header::LOCATION).and_then(|path| path.to_str().ok());
            let location = location.map(str::to_owned);
            let body = to_bytes(response.into_body(), MAX_BYTES).await.expect("answers are bounded");
            (status, body.to_vec(), location)
        })
    }
}

/// Checks the answer to a request. The first byte selects a call, the rest is the body. The server answers with JSON, and never
/// with an internal error.
pub fn requests(bytes: &[u8]) {
    thread_local!(static SERVER: Server = Server::new());
    let Some((call, body)) = choice(bytes) else { return };
    let call = CALLS[usize::from(call) % CALLS.len()];
    let (status, answer) = SERVER.with(|server| server.call(call, body));
    let text = String::from_utf8_lossy(&answer);
    assert!(status != StatusCode::INTERNAL_SERVER_ERROR, "{call}: {text}");
    let is_json = answer.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).all(is_json);
    assert!(is_json, "{call}: {status}: {text}");
}

fn is_json(line: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}
