//! Solving boards, with every improvement sent as soon as it is found.

use super::App;
use super::request::Body;
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clearway_api::{BoardRequest, SolveLine, SolveOptions, SolveTask, StreamedSearch};
use clearway_rush::Solver;
use clearway_search::Limits;
use futures_util::stream;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc;

/// Maximum number of lines queued for one client. If it does not read them, later improvements are left out.
const MAX_QUEUED: usize = 32;

/// Solves a board, and streams the improvements
///
/// Each better solution or better lower bound is sent as a line of JSON as soon as it is found. The last line is the answer of
/// `/solve`. The search ends when the client disconnects.
#[utoipa::path(post, path = "/solve/stream", tag = "boards", request_body = BoardRequest<SolveOptions>, responses(
    (status = 200, description = "One JSON object per line, the last one `answer` or `error`", body = SolveLine,
        content_type = "application/x-ndjson"),
    CommonErrors, BodyErrors,
))]
pub async fn solve_stream(
    State(app): State<Arc<App>>,
    Body(request): Body<BoardRequest<SolveOptions>>,
) -> Result<Response, ApiError> {
    let started = Instant::now();
    let lanes = app.workers.lane_limits(&request.limits.to_limits()?);
    let (policies, quick_lanes) = (Arc::clone(&app.policies), lanes.clone());
    let quick = app.workers.run_quick(&lanes, move |solver, limits| {
        let mut search = StreamedSearch::new(SolveTask::new(&request, &policies)?, started);
        let mut lines = String::new();
        let solved = search.run(solver, limits, &mut |line| lines += &line);
        if quick_lanes.can_continue(solved.ended_by()) {
            return Ok((lines, Some(search)));
        }
        lines += &search.answer(solved)?;
        Ok((lines, None))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    let (lines, mut search) = match quick.await? {
        (lines, None) => return Ok((kind, lines).into_response()),
        (lines, Some(search)) => (lines, search),
    };
    let mut slot = app.workers.slot()?;
    // The thread never waits for the client.
    let (sender, improvements) = mpsc::channel(MAX_QUEUED);
    if !lines.is_empty() {
        sender.try_send(lines).map_err(ApiError::internal)?;
    }
    let last = async move {
        let work = move |_: &mut Solver, limits: &Limits| {
            // A new solver, so that large tables are freed afterwards. Sending fails if the queue is full or closed.
            let solved = search.run(&mut Solver::new(), limits, &mut |line| drop(sender.try_send(line)));
            Ok(search.answer(solved)?)
        };
        let answer = slot.run(&lanes.long, work).await;
        answer.unwrap_or_else(|error| SolveLine::Error(error.into_problem()).to_text().unwrap_or_default())
    };
    // The stream owns the search: if the client disconnects, it is dropped, which cancels the search.
    let lines = ResponseLines { improvements, last: Some(Box::pin(last)) };
    let body = stream::unfold(lines, |mut lines| async { Some((Ok::<_, Infallible>(lines.next().await?), lines)) });
    Ok((kind, axum::body::Body::from_stream(body)).into_response())
}

/// The lines of a response: improvements, and when the search has ended, the last line.
struct ResponseLines<F> {
    improvements: mpsc::Receiver<String>,
    last: Option<Pin<Box<F>>>,
}

impl<F: Future<Output = String>> ResponseLines<F> {
    async fn next(&mut self) -> Option<String> {
        let last = self.last.as_mut()?;
        let last_line = tokio::select! {
            biased;
            Some(line) = self.improvements.recv() => return Some(line),
            line = last => line,
        };
        self.last = None;
        // Improvements that were found since.
        let mut lines = String::new();
        while let Ok(line) = self.improvements.try_recv() {
            lines += &line;
        }
        Some(lines + &last_line)
    }
}
