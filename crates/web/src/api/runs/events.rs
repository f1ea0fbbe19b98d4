//! The progress of a run as server-sent events.

use super::with_runs;
use crate::api::App;
use crate::api::request::Path;
use crate::error::{ApiError, CommonErrors, NoSuchRun};
use crate::runs::{Phase, RunProgress, Runs};
use crate::store::RunState;
use crate::transfer::Chunks;
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use clearway_lab::evolve::LoggedGeneration;
use futures_util::stream;
use serde::Serialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::Write as _;
use std::sync::Arc;
use tokio::sync::watch;
use utoipa::ToSchema;

/// Maximum number of generations queued for one client.
const MAX_QUEUED: usize = 64;

/// A server-sent event.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes the events in the OpenAPI document")]
pub struct RunEvent {
    /// Type of the event.
    event: EventName,
    /// A `LoggedGeneration` for `generation`, a `StateEvent` for the others.
    #[schema(content_media_type = "application/json")]
    data: String,
}

/// Type of an event.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only describes the events in the OpenAPI document")]
pub enum EventName {
    /// The state of the run, initially and after each change.
    State,
    /// A completed generation.
    Generation,
    /// The last event.
    End,
}

/// State of a run: the data of the events `state` and `end`.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct StateEvent {
    /// State of the run.
    state: RunState,
    /// Current phase, or null if the run is not in progress.
    phase: Option<Phase>,
}

/// Streams the progress of a run as server-sent events
///
/// `generation` carries a line of the log: first all completed generations, then each new one. `state` carries the state of
/// the run, initially and after each change. `end` is the last event: the run has ended, or the server is shutting down.
#[utoipa::path(get, path = "/runs/{id}/events", operation_id = "run_events", tag = "evolution",
    params(("id" = i64, Path, description = "Id of the run")),
    responses(
        (status = 200, description = "Events", body = RunEvent, content_type = "text/event-stream"),
        NoSuchRun, CommonErrors,
    ))]
pub async fn events(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    let source = with_runs(&app, move |runs| match runs.watch(id) {
        Some(progress) => Ok(Err(progress)),
        // The run is not active, or has just ended: its events come from the store.
        None => stored_events(runs, id).map(Ok),
    });
    let progress = match source.await? {
        Ok(stored) => return Ok(stored),
        Err(progress) => progress,
    };
    let follower = Follower { progress, sent: 0, last_state: None, queue: VecDeque::new(), ended: false };
    let events = stream::unfold(follower, |mut follower| async {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(event), follower))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

/// Returns all events of a run that is not active.
fn stored_events(runs: &Runs, id: i64) -> Result<Response, ApiError> {
    let row = runs.find(id)?;
    let mut events = Chunks::default();
    let mut push = |name: &str, data: &str| write!(events, "event: {name}\ndata: {data}\n\n");
    let generations: Vec<LoggedGeneration> = runs.folder(id).logged().map_err(ApiError::internal)?;
    for line in &generations {
        push("generation", &serde_json::to_string(line).map_err(ApiError::internal)?).map_err(ApiError::internal)?;
    }
    let end = serde_json::to_string(&StateEvent { state: row.state, phase: None }).map_err(ApiError::internal)?;
    for name in ["state", "end"] {
        push(name, &end).map_err(ApiError::internal)?;
    }
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, Body::from(events)).into_response())
}

/// A client that follows a run.
struct Follower {
    progress: watch::Receiver<RunProgress>,
    /// Number of generations sent.
    sent: usize,
    last_state: Option<StateEvent>,
    queue: VecDeque<Event>,
    ended: bool,
}

impl Follower {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Some(event);
            }
            if self.ended {
                return None;
            }
            self.enqueue();
            if self.queue.is_empty() && !self.ended && self.progress.changed().await.is_err() {
                self.ended = true;
            }
        }
    }

    /// Queues the new events, but only a few at a time, because the client may not read them.
    fn enqueue(&mut self) {
        let progress = self.progress.borrow_and_update();
        let now = StateEvent { state: progress.state, phase: progress.phase };
        let is_over = now.state != RunState::Running;
        if self.last_state != Some(now) && !is_over {
            self.queue.extend(event("state", &now));
        }
        let new = progress.generations.get(self.sent..).unwrap_or_default();
        for line in new.iter().take(MAX_QUEUED) {
            self.queue.extend(event("generation", line));
        }
        let is_last = new.len() <= MAX_QUEUED;
        if is_over && is_last {
            self.queue.extend([event("state", &now), event("end", &now)].into_iter().flatten());
        }
        self.sent += new.len().min(MAX_QUEUED);
        (self.last_state, self.ended) = (Some(now), is_over && is_last);
    }
}

/// Returns an event; none only if its data cannot be serialised, which never happens.
fn event(name: &str, data: &impl Serialize) -> Option<Event> {
    Event::default().event(name).json_data(data).ok()
}
