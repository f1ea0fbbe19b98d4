//! Solving boards, with every improvement sent as soon as it is found.

use super::App;
use super::board::BoardRequest;
use super::request::Body;
use super::solve::{SolveOptions, SolveTask, Solved};
use crate::error::{ApiError, BodyErrors, CommonErrors, Problem};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clearway_answers::records::{Moves, SolveRecord};
use clearway_rush::{Improvement, Solution, Solver};
use clearway_search::{Limits, Verdict};
use futures_util::stream;
use serde::Serialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc;
use utoipa::ToSchema;

/// Maximum number of lines queued for one client. If it does not read them, later improvements are left out.
const MAX_QUEUED: usize = 32;

/// A line of the response, with one of these fields.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SolveLine<'a> {
    /// A better solution or a better lower bound.
    Improvement(SolveImprovement<'a>),
    /// The last line: the answer of `/solve`.
    Answer(Box<SolveRecord<'a>>),
    /// The last line if the search failed.
    Error(Problem),
}

/// What is known about a board after an improvement.
#[derive(Serialize, ToSchema)]
pub struct SolveImprovement<'a> {
    /// Number of slides in the best solution so far, or null.
    moves: Option<u32>,
    /// Number of cells slid in the best solution so far, or null.
    steps: Option<u32>,
    /// Best lower bound so far on the length of every solution, in the metric.
    lower_bound: u32,
    /// Moves of the best solution so far, or null.
    solution: Option<Moves<'a>>,
    /// Engine that found the improvement.
    engine: &'static str,
    /// Time since the request arrived, in seconds.
    seconds: f64,
}

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
        let mut search = StreamedSearch { task: SolveTask::new(&request, &policies)?, known: Known::new(started) };
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
            search.answer(solved)
        };
        let answer = slot.run(&lanes.long, work).await;
        answer.unwrap_or_else(|error| line(&SolveLine::Error(error.into_problem())).unwrap_or_default())
    };
    // The stream owns the search: if the client disconnects, it is dropped, which cancels the search.
    let lines = Lines { improvements, last: Some(Box::pin(last)) };
    let body = stream::unfold(lines, |mut lines| async { Some((Ok::<_, Infallible>(lines.next().await?), lines)) });
    Ok((kind, axum::body::Body::from_stream(body)).into_response())
}

/// The lines of a response: improvements, and when the search has ended, the last line.
struct Lines<F> {
    improvements: mpsc::Receiver<String>,
    last: Option<Pin<Box<F>>>,
}

impl<F: Future<Output = String>> Lines<F> {
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

/// The search for a board in both lanes.
struct StreamedSearch {
    task: SolveTask,
    known: Known,
}

impl StreamedSearch {
    /// Solves the board, and sends a line for each improvement on what was known before.
    fn run(&mut self, solver: &mut Solver, limits: &Limits, send: &mut dyn FnMut(String)) -> Solved {
        let StreamedSearch { task, known } = self;
        let metric = task.metric();
        task.solve(solver, limits, &mut |improvement| {
            // Serialisation cannot fail for these records.
            if known.add(improvement, |solution| solution.length(metric))
                && let Ok(line) = line(&SolveLine::Improvement(known.record(improvement.engine)))
            {
                send(line);
            }
        })
    }

    /// Returns the last line. At a limit, the answer contains the best of both lanes.
    fn answer(&self, mut solved: Solved) -> Result<String, ApiError> {
        let (outcome, metric) = (&mut solved.outcome, self.task.metric());
        let answer = &mut outcome.answer;
        if matches!(answer.verdict, Verdict::Limit(_)) {
            if let Some((solution, engine)) = &self.known.solution
                && answer.solution.as_ref().is_none_or(|other| solution.length(metric) < other.length(metric))
            {
                (answer.solution, answer.algorithm) = (Some(solution.clone()), engine);
                (*engine).clone_into(&mut outcome.algorithm);
            }
            let (bound, engine) = self.known.lower_bound;
            if bound > answer.lower_bound {
                (answer.lower_bound, answer.bound_algorithm) = (bound, engine);
            }
            let length = answer.solution.as_ref().map(|solution| solution.length(metric));
            if length == Some(answer.lower_bound) {
                (answer.verdict, outcome.optimal) = (Verdict::Solved, true);
            }
        }
        line(&SolveLine::Answer(Box::new(self.task.record(&solved))))
    }
}

/// What is known about the board: the best solution and the best bound, with the engines that found them.
struct Known {
    started: Instant,
    solution: Option<(Solution, &'static str)>,
    lower_bound: (u32, &'static str),
}

impl Known {
    fn new(started: Instant) -> Known {
        Known { started, solution: None, lower_bound: (0, "static") }
    }

    /// Adds an improvement; returns whether it is news. The search in the long lane finds again what is already known.
    fn add(&mut self, improvement: &Improvement, length: impl Fn(&Solution) -> u32) -> bool {
        let known_length = self.solution.as_ref().map(|(solution, _)| length(solution));
        let shorter = improvement.solution.filter(|&new| known_length.is_none_or(|known| length(new) < known));
        let is_higher = improvement.lower_bound > self.lower_bound.0;
        if let Some(solution) = shorter {
            self.solution = Some((solution.clone(), improvement.engine));
        }
        if is_higher {
            self.lower_bound = (improvement.lower_bound, improvement.engine);
        }
        shorter.is_some() || is_higher
    }

    fn record(&self, engine: &'static str) -> SolveImprovement<'_> {
        let solution = self.solution.as_ref().map(|(solution, _)| solution);
        SolveImprovement {
            moves: solution.map(Solution::moves),
            steps: solution.map(Solution::steps),
            lower_bound: self.lower_bound.0,
            solution: solution.map(|solution| Moves(&solution.0)),
            engine,
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }
}

fn line(line: &SolveLine) -> Result<String, ApiError> {
    Ok(serde_json::to_string(line).map_err(ApiError::internal)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policies::Policies;
    use serde_json::{Value, json};
    use std::path::Path;

    #[test]
    fn the_answer_has_the_best_of_both_lanes() {
        let request = serde_json::from_value(json!({ "board": "BB...CD..E.CDAAE.CD..E..F...GGF.HHH." })).unwrap();
        let task = SolveTask::new(&request, &Policies::new(Path::new("none"))).unwrap();
        let mut search = StreamedSearch { task, known: Known::new(Instant::now()) };
        let mut lines = 0;
        let mut run = |nodes| {
            let solved = search.run(&mut Solver::new(), &Limits { nodes, ..Limits::default() }, &mut |_| lines += 1);
            let answer: Value = serde_json::from_str(&search.answer(solved).unwrap()).unwrap();
            let answer = &answer["answer"];
            (answer["status"].clone(), answer["moves"].clone(), answer["lower_bound"].clone(), lines)
        };
        let (_, moves, ..) = run(Some(1));
        assert_eq!(moves, Value::Null);
        let (status, moves, bound, sent) = run(None);
        assert_eq!((status, moves, bound), (json!("solved"), json!(8), json!(8)));
        assert_eq!(run(Some(1)), (json!("solved"), json!(8), json!(8), sent), "a worse search adds nothing");
    }
}
