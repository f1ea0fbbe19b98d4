//! Generation of puzzles, each sent as soon as it is found.

use super::App;
use super::request::Body;
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clearway_api::{GenerateLine, GenerateRequest, GenerateTask, LineReceiver};
use clearway_search::Limits;
use futures_util::StreamExt;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;

/// Generates puzzles
///
/// Each puzzle is sent as a line of JSON as soon as it is found. All puzzles are different and minimal: removing any vehicle
/// makes them easier.
#[utoipa::path(post, path = "/generate", tag = "puzzles", request_body = GenerateRequest, responses(
    (status = 200, description = "One JSON object per line, the last one `done`", body = GenerateLine,
        content_type = "application/x-ndjson"),
    CommonErrors, BodyErrors,
))]
pub async fn generate(State(app): State<Arc<App>>, Body(request): Body<GenerateRequest>) -> Result<Response, ApiError> {
    // Unbounded, so that a slow client never blocks a thread; the lines of the most and largest puzzles take about 1 MB.
    let (lines, sent) = unbounded_channel();
    let mut client = Client { lines, stopping: Arc::clone(&app.stopping) };
    let mut task = GenerateTask::new(&request, app.workers.time_limit(), &mut client)?;
    let mut slot = app.workers.slot()?;
    let limits = app.workers.capped(&Limits::default());
    tokio::spawn(async move {
        // One time slice after the other, so that other requests get their turn. An error ends the lines.
        let slice = |mut task: GenerateTask, mut client: Client| {
            move |_: &mut _, limits: &Limits| Ok(task.work(limits, &mut client).then_some((task, client)))
        };
        while let Ok(Some(rest)) = slot.run(&limits, slice(task, client)).await {
            (task, client) = rest;
        }
    });
    let lines = UnboundedReceiverStream::new(sent).map(Ok::<_, Infallible>);
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], axum::body::Body::from_stream(lines)).into_response())
}

/// The client that the lines are sent to.
struct Client {
    lines: UnboundedSender<String>,
    stopping: Arc<AtomicBool>,
}

impl LineReceiver for Client {
    fn receive(&mut self, line: String) {
        // Sending fails only if the client has gone.
        let _ = self.lines.send(line);
    }

    fn is_closed(&self) -> bool {
        self.lines.is_closed()
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}
