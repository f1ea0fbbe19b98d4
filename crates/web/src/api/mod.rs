//! The JSON API: one file for each endpoint.

mod algorithms;
mod analyze;
mod compare;
mod convert;
mod daily;
mod generate;
mod grade;
mod graph;
mod hint;
mod levels;
mod packs;
mod players;
mod ratings;
mod request;
mod runs;
mod schema;
mod solve;
mod solve_stream;
mod status;
mod suites;
mod trace;
mod verify;

use self::request::json;
use crate::assets;
use crate::blocking::Blocking;
use crate::clients::Clients;
use crate::error::ApiError;
use crate::guard::{self, Guard};
use crate::memory::MemoryShares;
use crate::policies::RunChampions;
use crate::request_log;
use crate::runs::Runs;
use crate::server::ServerConfig;
use crate::store::{RunState, Store};
use crate::transfer::{self, Transfer};
use crate::workers::Workers;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use clearway_api::{Policies, SearchRequest};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum number of concurrent blocking tasks.
const BLOCKING_TASKS: usize = 8;

/// State shared by all requests.
#[derive(Debug)]
pub struct App {
    /// Search threads.
    pub workers: Workers,
    /// Threads for other blocking work.
    pub blocking: Blocking,
    /// Usage of each client.
    pub clients: Clients,
    /// Packs, results and runs on disk.
    pub store: Store,
    /// Runs of evolution.
    pub runs: Arc<Runs>,
    /// Policies that requests can name.
    pub policies: Arc<Policies>,
    /// Start time of the server.
    pub started: Instant,
    /// Set when the server shuts down.
    pub stopping: Arc<AtomicBool>,
}

impl App {
    /// Creates the state, and starts the search threads.
    pub fn new(config: &ServerConfig, shares: &MemoryShares, store: Store) -> App {
        App {
            workers: Workers::new(config.threads, config.time_limit, shares, config.nice),
            blocking: Blocking::new(BLOCKING_TASKS),
            clients: Clients::new(config.network.client_connections, shares.transfer),
            policies: Arc::new(Policies::new(RunChampions(config.data.join("runs")))),
            runs: Runs::new(store.clone(), config.threads, shares.evolution, config.nice),
            store,
            started: Instant::now(),
            stopping: Arc::default(),
        }
    }

    /// Answers a request by a search on the search threads.
    async fn answer<R>(&self, request: R) -> Result<Response, ApiError>
    where
        R: SearchRequest<Found: Send> + Send + Sync + 'static,
    {
        let limits = request.limits()?;
        let searched = Arc::new(request);
        let answered = Arc::clone(&searched);
        let work = move |solver: &mut _, limits: &_| Ok(searched.search(solver, limits)?);
        let respond = move |found| json(&answered.answer(&found));
        self.workers.search(&limits, work, respond).await
    }

    /// Stops the active run and streams without an end, and waits until the run is stored.
    pub async fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        if let Some(mut run) = self.runs.close() {
            // An error means that the thread of the run has ended.
            let _ = run.wait_for(|progress| progress.state != RunState::Running).await;
        }
    }
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "clearway",
        description = "Rush Hour, the sliding-block puzzle: solve, explain, grade and generate boards, compare algorithms, \
                   and evolve heuristics. Boards are read in any text format and returned in line format."
    ),
    components(schemas(runs::StateEvent))
)]
struct Document;

/// Builds the router. A request body must arrive within `body_time`.
pub fn routes(app: Arc<App>, guard: Guard, body_time: Duration) -> Router {
    let (api, document) =
        OpenApiRouter::with_openapi(Document::openapi()).nest("/api/v1", endpoints()).split_for_parts();
    let document = Bytes::from(serde_json::to_vec(&document).unwrap_or_default());
    let json = [(header::CONTENT_TYPE, "application/json")];
    let transfer = Transfer { body_time, blocking: app.blocking.clone() };
    api.route("/api/v1/openapi.json", get(move || async move { (json, document) }))
        .fallback(assets::file)
        .method_not_allowed_fallback(|| async { ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed") })
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(transfer, transfer::transfer))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .layer(middleware::from_fn(request_log::log))
        .with_state(app)
}

fn endpoints() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(status::status))
        .routes(routes!(solve::solve))
        .routes(routes!(solve_stream::solve_stream))
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
        .routes(routes!(levels::level))
        .routes(routes!(levels::lessons))
        .routes(routes!(generate::generate))
        .routes(routes!(packs::list, packs::create))
        .routes(routes!(packs::show, packs::delete))
        .routes(routes!(packs::extend))
        .routes(routes!(packs::file))
        .routes(routes!(schema::pack))
        .routes(routes!(players::results, players::add, players::delete))
        .routes(routes!(ratings::ratings))
        .routes(routes!(runs::list, runs::start))
        .routes(routes!(runs::show, runs::delete))
        .routes(routes!(runs::stop))
        .routes(routes!(runs::resume))
        .routes(routes!(runs::events))
        .routes(routes!(runs::champion))
        .routes(routes!(runs::report))
}

#[expect(clippy::needless_pass_by_value, reason = "the layer passes it by value")]
fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    ApiError::internal(text.unwrap_or("a panic")).into_response()
}
