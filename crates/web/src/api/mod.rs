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
use crate::error::ApiError;
use crate::guard::{self, Hosts, LONGEST_BODY};
use crate::policies::Policies;
use crate::runs::Runs;
use crate::server::Config;
use crate::store::{RunState, Store};
use crate::workers::Workers;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use clearway_lab::Algorithm;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::timeout::RequestBodyTimeoutLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How long a client may be silent in the middle of a body.
const BODY_TIME: Duration = Duration::from_secs(10);

/// From how many bytes on an answer is worth the time of compressing it.
const COMPRESSED_FROM: u64 = 2048;

/// What all requests share.
#[derive(Debug)]
pub struct App {
    /// The threads that search.
    pub workers: Workers,
    /// What is remembered.
    pub store: Store,
    /// The runs of evolution.
    pub runs: Arc<Runs>,
    /// The policies that may be named.
    pub policies: Policies,
    /// When the server was started.
    pub started: Instant,
    /// Set when the server comes to its end.
    pub stopping: Arc<AtomicBool>,
}

impl App {
    /// Begins.
    pub fn new(config: &Config, store: Store) -> App {
        App {
            workers: Workers::new(config.threads, config.time_limit, config.memory),
            policies: Policies::new(&config.data.join("runs")),
            runs: Runs::new(store.clone(), config.threads, config.memory),
            store,
            started: Instant::now(),
            stopping: Arc::default(),
        }
    }

    /// The algorithm that is asked for, by its text or as the search of a policy; none for the exact solver.
    pub fn algorithm(&self, text: Option<&str>, policy: Option<&str>) -> Result<Option<Algorithm>, ApiError> {
        match (text, policy) {
            (Some(_), Some(_)) => Err(ApiError::bad_request("give an algorithm or a policy, not both")),
            (Some(text), None) => self.policies.algorithm(text).map(Some),
            (None, Some(policy)) => self.policies.search(policy).map(Some),
            (None, None) => Ok(None),
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

/// All addresses.
pub fn routes(app: Arc<App>, hosts: Hosts) -> Router {
    let (api, document) =
        OpenApiRouter::with_openapi(Document::openapi()).nest("/api/v1", endpoints()).split_for_parts();
    let document = Bytes::from(serde_json::to_vec(&document).unwrap_or_default());
    let json = [(header::CONTENT_TYPE, "application/json")];
    api.route("/api/v1/openapi.json", get(move || async move { (json, document) }))
        .fallback(assets::file)
        .method_not_allowed_fallback(|| async {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not take that method")
        })
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(RequestBodyTimeoutLayer::new(BODY_TIME))
        .layer(CompressionLayer::new().compress_when(is_worth_compressing()))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(hosts, guard::watch))
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
        .routes(routes!(players::results, players::add))
        .routes(routes!(runs::list, runs::begin))
        .routes(routes!(runs::show, runs::delete))
        .routes(routes!(runs::stop))
        .routes(routes!(runs::resume))
        .routes(routes!(runs::events))
        .routes(routes!(runs::champion))
        .routes(routes!(runs::report))
}

/// What is large is sent compressed, but for lines and events that shall be seen one by one.
fn is_worth_compressing() -> impl Predicate {
    SizeAbove::new(COMPRESSED_FROM)
        .and(NotForContentType::new("application/x-ndjson"))
        .and(NotForContentType::new("text/event-stream"))
        .and(NotForContentType::new("application/pdf"))
}

#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    ApiError::internal(text.unwrap_or("a panic")).into_response()
}
