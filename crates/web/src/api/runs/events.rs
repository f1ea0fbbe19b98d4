//! The progress of a run as server-sent events.

use super::aside;
use crate::api::App;
use crate::api::request::Path;
use crate::error::{ApiError, Problem, Refused};
use crate::runs::{Phase, Progress};
use crate::store::RunState;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, stream};
use serde::Serialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;
use utoipa::ToSchema;

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
pub async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path<i64>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let progress = aside(&app, move |runs| {
        // Looked for first: a run that ends in between is then told from what is kept.
        if let Some(progress) = runs.watch(id) {
            return Ok(progress);
        }
        let row = runs.find(id)?;
        let generations = runs.folder(id).logged().map_err(ApiError::internal)?;
        let end = Progress { state: row.state, phase: None, generations };
        Ok(watch::channel(end).1)
    });
    let follower = Follower { progress: progress.await?, sent: 0, told: None, queue: VecDeque::new(), ended: false };
    let events = stream::unfold(follower, |mut follower| async { Some((Ok(follower.next().await?), follower)) });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
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

    /// Puts what is new into the queue.
    fn look(&mut self) {
        let progress = self.progress.borrow_and_update();
        let now = StateEvent { state: progress.state, phase: progress.phase };
        let is_over = now.state != RunState::Running;
        if self.told != Some(now) && !is_over {
            self.queue.extend(event("state", &now));
        }
        for line in progress.generations.get(self.sent..).unwrap_or_default() {
            self.queue.extend(event("generation", line));
        }
        if is_over {
            self.queue.extend([event("state", &now), event("end", &now)].into_iter().flatten());
        }
        (self.sent, self.told, self.ended) = (self.sent.max(progress.generations.len()), Some(now), is_over);
    }
}

/// An event; none only if its data could not be written as JSON, which can always be done.
fn event(name: &str, data: &impl Serialize) -> Option<Event> {
    Event::default().event(name).json_data(data).ok()
}
