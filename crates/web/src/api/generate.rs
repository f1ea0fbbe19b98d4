//! Generation of puzzles, each sent as soon as it is found.

use super::App;
use super::request::Body;
use crate::clients::{Connection, Reservation};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::{Extension, State};
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
pub async fn generate(
    State(app): State<Arc<App>>,
    connection: Option<Extension<Arc<Connection>>>,
    Body(request): Body<GenerateRequest>,
) -> Result<Response, ApiError> {
    // A slow client never blocks a thread: the bytes of the lines are limited, not their number.
    let (lines, sent) = unbounded_channel();
    let connection = connection.map(|Extension(connection)| connection);
    let mut client = Client { lines: Some(lines), connection, stopping: Arc::clone(&app.stopping) };
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
    // The reservation of a line ends here; from now on, its frame is counted.
    let lines = UnboundedReceiverStream::new(sent).map(|(line, _)| Ok::<_, Infallible>(line));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], axum::body::Body::from_stream(lines)).into_response())
}

/// The client that the lines are sent to.
struct Client {
    /// None once too many bytes are queued, which ends the response.
    lines: Option<UnboundedSender<(String, Option<Reservation>)>>,
    /// Connection that the queued bytes are counted for.
    connection: Option<Arc<Connection>>,
    stopping: Arc<AtomicBool>,
}

impl LineReceiver for Client {
    fn receive(&mut self, line: String) {
        let counted = match &self.connection {
            Some(connection) => connection.reserve(line.len()).map(Some),
            None => Some(None),
        };
        match (counted, &self.lines) {
            // Sending fails only if the client has gone.
            (Some(counted), Some(lines)) => drop(lines.send((line, counted))),
            _ => self.lines = None,
        }
    }

    fn is_closed(&self) -> bool {
        self.lines.as_ref().is_none_or(UnboundedSender::is_closed)
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::Clients;
    use std::net::Ipv4Addr;

    #[test]
    fn lines_that_are_not_read_are_limited() {
        let clients = Clients::new(1, 100);
        let (lines, mut sent) = unbounded_channel();
        let connection = clients.connect(Ipv4Addr::LOCALHOST.into());
        let mut client = Client { lines: Some(lines), connection, stopping: Arc::default() };
        for _ in 0..2 {
            client.receive("x".repeat(20));
        }
        assert_eq!((client.is_closed(), clients.totals().1), (false, 40));
        drop(sent.try_recv().unwrap());
        assert_eq!(clients.totals().1, 20, "a line is counted until it is sent");
        client.receive("x".repeat(20));
        client.receive("x".repeat(20));
        assert!(client.is_closed(), "a client may use half of all bytes");
        assert_eq!(clients.totals().1, 40);
    }
}
