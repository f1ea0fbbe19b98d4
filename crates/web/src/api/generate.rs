//! Generation of puzzles, each sent as soon as it is found.

use super::App;
use super::board::parse_field;
use super::entry::EntryRecord;
use super::request::{Body, Object, within};
use crate::error::{ApiError, BodyErrors, CommonErrors};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clearway_forge::Shape;
use clearway_forge::grade::Level;
use clearway_forge::pack::{PackProgress, PackRequest, Series};
use clearway_rush::{Exit, Side, Size};
use clearway_search::{Limit, Limits};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;
use utoipa::ToSchema;

/// Maximum and default number of puzzles in a request.
const MAX_COUNT: usize = 500;
const DEFAULT_COUNT: usize = 10;
/// Largest seed: the largest integer that every JSON reader represents exactly.
const MAX_SEED: u64 = (1 << 53) - 1;
/// Maximum number of moves in a request.
const MAX_MOVES: u32 = 1000;
/// Time limit for each hundred puzzles of a request, as a multiple of that of a search.
const TIME_FACTOR: u32 = 3;
const HUNDRED: usize = 100;
/// Time that a request occupies a thread before others get their turn.
const TIME_SLICE: Duration = Duration::from_millis(250);
/// Interval between progress lines.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// The puzzles to generate.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GenerateRequest {
    /// The size of the boards, each side from 4 to 16. The default is 6x6.
    #[serde(default)]
    #[schema(example = "6x6")]
    size: Option<String>,
    /// The number of moves of their shortest solutions. The default suits the level, or is 6 to 30 without a level.
    #[serde(default)]
    #[schema(value_type = Option<MoveRange>)]
    moves: Option<Object<MoveRange>>,
    /// The difficulty for people. The default is any level.
    #[serde(default)]
    level: Option<Level>,
    /// The number of puzzles. The default is 10.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 500)]
    count: Option<usize>,
    /// The random seed: the same seed gives the same puzzles. The default is a new seed.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    seed: Option<u64>,
    /// The side of the exit: right, left, top or bottom, and optionally the target's line, counted from 0, as in top:2. The
    /// default is the middle of the right side.
    #[serde(default)]
    #[schema(example = "right")]
    exit: Option<String>,
    /// The number of walls. The default is 0.
    #[serde(default)]
    walls: Option<u8>,
}

/// Range of the number of moves.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRange {
    /// Fewest moves.
    #[schema(minimum = 1, maximum = 1000)]
    from: u32,
    /// Most moves.
    #[schema(minimum = 1, maximum = 1000)]
    to: u32,
}

/// A line of the response, with one of these fields.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GenerateLine<'a> {
    /// A puzzle.
    Puzzle(EntryRecord<'a>),
    /// Progress so far.
    Progress(GenerateProgress),
    /// The last line.
    Done(GenerateDone),
}

/// Progress of the generation.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct GenerateProgress {
    /// Number of attempts.
    attempts: u64,
    /// Number of puzzles found.
    found: usize,
}

/// The outcome of the generation.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct GenerateDone {
    /// Number of puzzles found.
    found: usize,
    /// Number of attempts.
    attempts: u64,
    /// Seed that reproduces these puzzles.
    seed: u64,
    /// Present only if fewer puzzles were found than requested: `time`, `incomplete` if nothing new was found for a long
    /// time, or `interrupted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
}

impl From<PackProgress> for GenerateProgress {
    fn from(PackProgress { attempts, found }: PackProgress) -> GenerateProgress {
        GenerateProgress { attempts, found }
    }
}

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
    let order = request.order()?;
    let mut slot = app.workers.slot()?;
    // Unbounded, so that a slow client never blocks a thread; the lines of the most and largest puzzles take about 1 MB.
    let (lines, sent) = unbounded_channel();
    let hundreds = order.count.div_ceil(HUNDRED) as u32;
    let time = app.workers.time_limit().saturating_mul(TIME_FACTOR * hundreds);
    let mut task = GenerateTask::new(order, time, Arc::clone(&app.stopping), LineSender(lines));
    let limits = app.workers.capped(&Limits::default());
    tokio::spawn(async move {
        // One time slice after the other, so that other requests get their turn. An error ends the lines.
        while let Ok(Some(rest)) = slot.run(&limits, move |_, limits| Ok(task.work(limits))).await {
            task = rest;
        }
    });
    let lines = UnboundedReceiverStream::new(sent).map(Ok::<_, Infallible>);
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], axum::body::Body::from_stream(lines)).into_response())
}

impl GenerateRequest {
    fn order(&self) -> Result<PackRequest, ApiError> {
        let (width, height) = self.size.as_deref().map(parse_field).transpose()?.map_or((6, 6), Size::sides);
        let (side, line) = match self.exit.as_deref().map(parse_field).transpose()? {
            None => (Side::Right, None),
            Some(Exit::Target(side)) => (side, None),
            Some(Exit::Any(side, line)) => (side, Some(line)),
        };
        let shape = Shape::new(width, height, side, line, self.walls.unwrap_or(0));
        let shape = shape.map_err(|error| ApiError::bad_request(error.to_string()))?;
        let count = within("count", self.count, 1..=MAX_COUNT)?.unwrap_or(DEFAULT_COUNT);
        let seed = within("seed", self.seed, 0..=MAX_SEED)?.unwrap_or_else(new_seed);
        let order = PackRequest::new(shape, self.move_range()?, count, seed);
        Ok(match self.level {
            Some(level) => order.with_levels([(level, count)].into()),
            None => order,
        })
    }

    fn move_range(&self) -> Result<RangeInclusive<u32>, ApiError> {
        match self.moves.map(|Object(moves)| moves) {
            Some(MoveRange { from, to }) if from < 1 || to > MAX_MOVES || from > to => {
                let error = format!("invalid range of moves: {from} to {to}");
                Err(ApiError::bad_request(error).with_help(format!("need 1 <= from <= to <= {MAX_MOVES}")))
            }
            Some(MoveRange { from, to }) => Ok(from..=to),
            None => Ok(self.level.map_or(6..=30, Level::typical_moves)),
        }
    }
}

/// Returns a new seed, from the current time.
fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_micros() as u64 & MAX_SEED
}

/// Sends lines to the client.
struct LineSender(UnboundedSender<String>);

impl LineSender {
    fn send(&self, line: &GenerateLine) {
        // Serialisation cannot fail for these records, and sending fails only if the client has gone.
        if let Ok(text) = serde_json::to_string(line) {
            let _ = self.0.send(text + "\n");
        }
    }
}

/// The work of a request, done in time slices.
struct GenerateTask {
    series: Series,
    seed: u64,
    deadline: Instant,
    last_progress: Instant,
    stopping: Arc<AtomicBool>,
    lines: LineSender,
}

impl GenerateTask {
    fn new(order: PackRequest, time: Duration, stopping: Arc<AtomicBool>, lines: LineSender) -> GenerateTask {
        let (seed, now) = (order.seed, Instant::now());
        let series = Series::new(order);
        lines.send(&GenerateLine::Progress(series.progress().into()));
        GenerateTask { series, seed, deadline: now + time, last_progress: now, stopping, lines }
    }

    /// Works for one time slice; none if the task is complete or the client has gone.
    fn work(mut self, limits: &Limits) -> Option<GenerateTask> {
        let started = Instant::now();
        while started.elapsed() < TIME_SLICE {
            if self.lines.0.is_closed() {
                return None;
            }
            if self.series.is_complete() {
                return self.done(None);
            }
            if self.stopping.load(Ordering::Relaxed) {
                return self.done(Some(Limit::Cancelled));
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return self.done(Some(Limit::Time));
            }
            let limits = Limits { time: Some(left), ..limits.clone() };
            match self.series.attempt(&limits) {
                Ok(Some(entry)) => self.lines.send(&GenerateLine::Puzzle(entry.into())),
                Ok(None) => {}
                Err(limit) => return self.done(Some(limit)),
            }
            if self.last_progress.elapsed() >= PROGRESS_INTERVAL {
                self.last_progress = Instant::now();
                self.lines.send(&GenerateLine::Progress(self.series.progress().into()));
            }
        }
        Some(self)
    }

    fn done(&self, limit: Option<Limit>) -> Option<GenerateTask> {
        let PackProgress { attempts, found } = self.series.progress();
        let done = GenerateDone { found, attempts, seed: self.seed, limit: limit.map(clearway_search::Limit::as_str) };
        self.lines.send(&GenerateLine::Done(done));
        None
    }
}
