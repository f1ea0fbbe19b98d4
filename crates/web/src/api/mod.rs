//! Everything that can be asked for, one file each.

mod algorithms;
mod analyze;
mod board;
mod compare;
mod convert;
mod daily;
mod entry;
mod generate;
mod grade;
mod graph;
mod hint;
mod packs;
mod players;
mod request;
mod runs;
mod solve;
mod status;
mod suites;
mod trace;
mod verify;

pub use algorithms::PolicyItem;

use crate::assets;
use crate::blocking::Blocking;
use crate::clients::Clients;
use crate::error::ApiError;
use crate::guard::{self, Guard};
use crate::memory::Shares;
use crate::policies::Policies;
use crate::request_log;
use crate::runs::Runs;
use crate::server::Config;
use crate::store::{RunState, Store};
use crate::transfer::{self, Transfer};
use crate::workers::Workers;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How many tasks that take a moment are done at a time.
const BLOCKING_TASKS: usize = 8;

/// What all requests share.
#[derive(Debug)]
pub struct App {
    /// The threads that search.
    pub workers: Workers,
    /// The threads for everything else that takes a moment.
    pub blocking: Blocking,
    /// What each client uses.
    pub clients: Clients,
    /// What is remembered.
    pub store: Store,
    /// The runs of evolution.
    pub runs: Arc<Runs>,
    /// The policies that may be named.
    pub policies: Arc<Policies>,
    /// When the server was started.
    pub started: Instant,
    /// Set when the server comes to its end.
    pub stopping: Arc<AtomicBool>,
}

impl App {
    /// Begins.
    pub fn new(config: &Config, shares: &Shares, store: Store) -> App {
        App {
            workers: Workers::new(config.threads, config.time_limit, shares),
            blocking: Blocking::new(BLOCKING_TASKS),
            clients: Clients::new(config.network.client_connections, shares.transfer),
            policies: Arc::new(Policies::new(&config.data.join("runs"))),
            runs: Runs::new(store.clone(), config.threads, shares.evolution),
            store,
            started: Instant::now(),
            stopping: Arc::default(),
        }
    }

    /// Ends what would go on for ever, and waits until nothing of it is lost.
    pub async fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        if let Some(mut run) = self.runs.close() {
            // An error says that its thread is gone.
            let _ = run.wait_for(|progress| progress.state != RunState::Running).await;
        }
    }
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "clearway",
        description = "Rush Hour, the sliding-block puzzle: solve, explain, grade, make and compare boards, and breed \
                   heuristics. Boards are read in any text format and answered in line format."
    ),
    components(schemas(runs::StateEvent))
)]
struct Document;

/// All addresses. A body has to arrive within a time.
pub fn routes(app: Arc<App>, guard: Guard, body_time: Duration) -> Router {
    let (api, document) =
        OpenApiRouter::with_openapi(Document::openapi()).nest("/api/v1", endpoints()).split_for_parts();
    let document = Bytes::from(serde_json::to_vec(&document).unwrap_or_default());
    let json = [(header::CONTENT_TYPE, "application/json")];
    let transfer = Transfer { body_time, blocking: app.blocking.clone() };
    api.route("/api/v1/openapi.json", get(move || async move { (json, document) }))
        .fallback(assets::file)
        .method_not_allowed_fallback(|| async {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not take that method")
        })
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(transfer, transfer::transfer))
        .layer(middleware::from_fn_with_state(guard, guard::watch))
        .layer(middleware::from_fn(request_log::log))
        .with_state(app)
}

fn endpoints() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(status::status))
        .routes(routes!(solve::solve))
        .routes(routes!(hint::hint))
        .routes(routes!(verify::verify))
        .routes(routes!(analyze::analyze))
        .routes(routes!(grade::grade))
        .routes(routes!(convert::convert))
        .routes(routes!(graph::graph))
        .routes(routes!(trace::trace))
        .routes(routes!(compare::compare))
        .routes(routes!(algorithms::algorithms))
        .routes(routes!(suites::list))
        .routes(routes!(suites::show))
        .routes(routes!(daily::daily))
        .routes(routes!(generate::generate))
        .routes(routes!(packs::list, packs::make))
        .routes(routes!(packs::show, packs::delete))
        .routes(routes!(packs::file))
        .routes(routes!(players::results, players::add, players::delete))
        .routes(routes!(runs::list, runs::begin))
        .routes(routes!(runs::show, runs::delete))
        .routes(routes!(runs::stop))
        .routes(routes!(runs::resume))
        .routes(routes!(runs::events))
        .routes(routes!(runs::champion))
        .routes(routes!(runs::report))
}

#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    ApiError::internal(text.unwrap_or("a panic")).into_response()
}
