//! New puzzles, each sent as soon as it is found.

use super::App;
use super::board::word;
use super::entry::EntryRecord;
use super::request::{Body, Object, within};
use crate::error::{ApiError, BodyRefused, Busy, Refused};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clearway_forge::Shape;
use clearway_forge::grade::Level;
use clearway_forge::pack::{Order, Progress, Series};
use clearway_lab::records::limit_word;
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

/// How many puzzles may be asked for at a time, and how many are made if nobody says.
const MOST: usize = 100;
const USUAL: usize = 10;
/// The largest seed: every reader of JSON keeps it exactly.
const MOST_SEED: u64 = (1 << 53) - 1;
/// The most moves that may be asked for.
const MOST_MOVES: u32 = 1000;
/// How many times as long as a search it may take.
const PATIENCE: u32 = 3;
/// How often it is told how far it is.
const TELL_EVERY: Duration = Duration::from_millis(250);

/// The puzzles that are wanted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Generate {
    /// The size of the boards, each side from 4 to 16; 6x6 if it is not given.
    #[serde(default)]
    #[schema(example = "6x6")]
    size: Option<String>,
    /// How many moves they may need; if it is not given, what suits the level, or 6 to 30.
    #[serde(default)]
    #[schema(value_type = Option<MovesWanted>)]
    moves: Option<Object<MovesWanted>>,
    /// How hard they shall be for people; any level if it is not given.
    #[serde(default)]
    level: Option<Level>,
    /// How many are wanted; 10 if it is not given.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    count: Option<usize>,
    /// Where all randomness comes from: the same seed gives the same puzzles. A new one if it is not given.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    seed: Option<u64>,
    /// The side of the exit: right, left, top or bottom, and the target's line, counted from 0, as in top:2. The middle of
    /// the right side if it is not given.
    #[serde(default)]
    #[schema(example = "right")]
    exit: Option<String>,
    /// How many cells are walls; none if it is not given.
    #[serde(default)]
    walls: Option<u8>,
}

/// From the fewest to the most moves that will do.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MovesWanted {
    /// The fewest.
    #[schema(minimum = 1, maximum = 1000)]
    from: u32,
    /// The most.
    #[schema(minimum = 1, maximum = 1000)]
    to: u32,
}

/// A line of the answer: it has one of these fields.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GenerateLine<'a> {
    /// A puzzle that was found.
    Puzzle(EntryRecord<'a>),
    /// How far it is.
    Progress(GenerateProgress),
    /// The last line.
    Done(GenerateDone),
}

/// How far it is.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct GenerateProgress {
    /// The attempts that were made.
    attempts: u64,
    /// The puzzles that were found.
    found: usize,
}

/// What came of it.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct GenerateDone {
    /// The puzzles that were found.
    found: usize,
    /// The attempts that were made.
    attempts: u64,
    /// The seed that gives the same puzzles again.
    seed: u64,
    /// Only if fewer were found than wanted: `time`, `incomplete` if nothing new was found for long, or `interrupted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
}

impl From<Progress> for GenerateProgress {
    fn from(Progress { attempts, found }: Progress) -> GenerateProgress {
        GenerateProgress { attempts, found }
    }
}

/// Makes new puzzles
///
/// Each is sent as soon as it is found, as a line of JSON. They are all different and minimal: no vehicle can be removed
/// without making them easier.
#[utoipa::path(post, path = "/generate", tag = "puzzles", request_body = Generate, responses(
    (status = 200, description = "A line each, the last of them `done`", body = GenerateLine,
        content_type = "application/x-ndjson"),
    Refused, BodyRefused, Busy,
))]
pub async fn generate(State(app): State<Arc<App>>, Body(wanted): Body<Generate>) -> Result<Response, ApiError> {
    let (order, level) = (wanted.order()?, wanted.level);
    // There are never many lines, so that who reads slowly keeps no thread waiting.
    let (lines, sent) = unbounded_channel();
    let stopping = Arc::clone(&app.stopping);
    let ticket = app.workers.begin(PATIENCE, move |limits| make(order, level, limits, &stopping, &Lines(lines)))?;
    let lines = UnboundedReceiverStream::new(sent).map(move |line| {
        // With the answer goes the ticket: who does not wait for the end of it cancels the work.
        let _ = &ticket;
        Ok::<_, Infallible>(line)
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], axum::body::Body::from_stream(lines)).into_response())
}

impl Generate {
    fn order(&self) -> Result<Order, ApiError> {
        let (width, height) = self.size.as_deref().map(word).transpose()?.map_or((6, 6), Size::sides);
        let (side, line) = match self.exit.as_deref().map(word).transpose()? {
            None => (Side::Right, None),
            Some(Exit::Target(side)) => (side, None),
            Some(Exit::Any(side, line)) => (side, Some(line)),
        };
        let shape = Shape::new(width, height, side, line, self.walls.unwrap_or(0));
        let shape = shape.map_err(|error| ApiError::bad_request(error.to_string()))?;
        let count = within("count", self.count, 1..=MOST)?.unwrap_or(USUAL);
        let seed = within("seed", self.seed, 0..=MOST_SEED)?.unwrap_or_else(new_seed);
        Ok(Order::new(shape, self.lengths()?, count, seed))
    }

    fn lengths(&self) -> Result<RangeInclusive<u32>, ApiError> {
        match self.moves.map(|Object(moves)| moves) {
            Some(MovesWanted { from, to }) if from < 1 || to > MOST_MOVES || from > to => {
                let error = format!("no puzzle has at least {from} and at most {to} moves");
                Err(ApiError::bad_request(error).with_help(format!("both are from 1 to {MOST_MOVES}, from the fewest")))
            }
            Some(MovesWanted { from, to }) => Ok(from..=to),
            None => Ok(self.level.map_or(6..=30, usual_lengths)),
        }
    }
}

/// How many moves puzzles of a level mostly have.
fn usual_lengths(level: Level) -> RangeInclusive<u32> {
    match level {
        Level::Beginner => 4..=16,
        Level::Intermediate => 13..=26,
        Level::Advanced => 22..=36,
        Level::Expert => 32..=48,
        Level::Fiendish => 42..=60,
    }
}

/// A seed that nobody has used yet.
fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_micros() as u64 & MOST_SEED
}

/// Where the lines go.
struct Lines(UnboundedSender<String>);

impl Lines {
    fn send(&self, line: &GenerateLine) {
        // A record holds nothing that JSON cannot express, and who has gone needs no line.
        if let Ok(text) = serde_json::to_string(line) {
            let _ = self.0.send(text + "\n");
        }
    }
}

/// Makes the puzzles on this thread.
fn make(order: Order, level: Option<Level>, limits: &Limits, stopping: &AtomicBool, lines: &Lines) {
    let seed = order.seed;
    let mut series = Series::new(order);
    let started = Instant::now();
    let mut told = started;
    lines.send(&GenerateLine::Progress(series.progress().into()));
    let limit = loop {
        if series.is_complete() {
            break None;
        }
        if stopping.load(Ordering::Relaxed) {
            break Some(Limit::Cancelled);
        }
        let is_wanted = |level_of: Level| level.is_none_or(|level| level_of == level);
        match series.attempt(&limits.after(started.elapsed()), |entry| is_wanted(entry.level)) {
            Ok(Some(entry)) => lines.send(&GenerateLine::Puzzle(entry.into())),
            Ok(None) => {}
            Err(limit) => break Some(limit),
        }
        if told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            lines.send(&GenerateLine::Progress(series.progress().into()));
        }
    };
    let Progress { attempts, found } = series.progress();
    lines.send(&GenerateLine::Done(GenerateDone { found, attempts, seed, limit: limit.map(limit_word) }));
}
