//! The progress of a run as server-sent events.

use super::aside;
use crate::api::App;
use crate::api::request::Path;
use crate::error::{ApiError, Problem, Refused};
use crate::runs::{Phase, Progress, Runs};
use crate::store::RunState;
use crate::transfer::Pieces;
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

/// The most generations that wait to be read by one client.
const MOST_QUEUED: usize = 64;

/// An event.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is never made, only described")]
pub struct RunEvent {
    /// What it tells.
    event: EventName,
    /// A `LoggedGeneration` for `generation`, a `StateEvent` for the others.
    #[schema(content_media_type = "application/json")]
    data: String,
}

/// What an event tells.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "it is never made, only described")]
pub enum EventName {
    /// What the run does.
    State,
    /// A generation was made.
    Generation,
    /// Nothing follows.
    End,
}

/// What a run does: the data of the events `state` and `end`.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct StateEvent {
    /// What it does.
    state: RunState,
    /// What it does just now, or null if it does not run.
    phase: Option<Phase>,
}

/// The progress of a run, as server-sent events
///
/// First all generations that there are already, then each as it is made: `generation`, with a line of the log. `state`
/// tells what the run does, and whenever that changes. After `end` nothing follows: the run is over, or the server is.
#[utoipa::path(get, path = "/runs/{id}/events", operation_id = "run_events", tag = "evolution",
    params(("id" = i64, Path, description = "The run's number")),
    responses(
        (status = 200, description = "Events", body = RunEvent, content_type = "text/event-stream"),
        (status = 404, description = "There is no such run", body = Problem),
        Refused,
    ))]
pub async fn events(State(app): State<Arc<App>>, Path(id): Path<i64>) -> Result<Response, ApiError> {
    let found = aside(&app, move |runs| match runs.watch(id) {
        Some(progress) => Ok(Err(progress)),
        // A run that has ended in between is told from what is kept.
        None => past(runs, id).map(Ok),
    });
    let progress = match found.await? {
        Ok(past) => return Ok(past),
        Err(progress) => progress,
    };
    let follower = Follower { progress, sent: 0, told: None, queue: VecDeque::new(), ended: false };
    let events = stream::unfold(follower, |mut follower| async {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(event), follower))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

/// The events of a run that is over, all at once.
fn past(runs: &Runs, id: i64) -> Result<Response, ApiError> {
    let row = runs.find(id)?;
    let mut events = Pieces::default();
    let mut tell = |name: &str, data: &str| write!(events, "event: {name}\ndata: {data}\n\n");
    let generations: Vec<LoggedGeneration> = runs.folder(id).logged().map_err(ApiError::internal)?;
    for line in &generations {
        tell("generation", &serde_json::to_string(line).map_err(ApiError::internal)?).map_err(ApiError::internal)?;
    }
    let end = serde_json::to_string(&StateEvent { state: row.state, phase: None }).map_err(ApiError::internal)?;
    for name in ["state", "end"] {
        tell(name, &end).map_err(ApiError::internal)?;
    }
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, Body::from(events)).into_response())
}

/// Who follows a run.
struct Follower {
    progress: watch::Receiver<Progress>,
    /// How many generations were sent.
    sent: usize,
    told: Option<StateEvent>,
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
            self.look();
            if self.queue.is_empty() && !self.ended && self.progress.changed().await.is_err() {
                self.ended = true;
            }
        }
    }

    /// Puts what is new into the queue, but never much at a time: the client may not read it.
    fn look(&mut self) {
        let progress = self.progress.borrow_and_update();
        let now = StateEvent { state: progress.state, phase: progress.phase };
        let is_over = now.state != RunState::Running;
        if self.told != Some(now) && !is_over {
            self.queue.extend(event("state", &now));
        }
        let new = progress.generations.get(self.sent..).unwrap_or_default();
        for line in new.iter().take(MOST_QUEUED) {
            self.queue.extend(event("generation", line));
        }
        let is_last = new.len() <= MOST_QUEUED;
        if is_over && is_last {
            self.queue.extend([event("state", &now), event("end", &now)].into_iter().flatten());
        }
        self.sent += new.len().min(MOST_QUEUED);
        (self.told, self.ended) = (Some(now), is_over && is_last);
    }
}

/// An event; none only if its data could not be written as JSON, which can always be done.
fn event(name: &str, data: &impl Serialize) -> Option<Event> {
    Event::default().event(name).json_data(data).ok()
}
