//! New puzzles, each sent as soon as it is found.

use super::App;
use super::board::word;
use super::entry::EntryRecord;
use super::request::{Body, Object, within};
use crate::error::{ApiError, BodyRefused, Refused};
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
/// How long a thread works on it before others get their turn.
const PART: Duration = Duration::from_millis(250);
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
    Refused, BodyRefused,
))]
pub async fn generate(State(app): State<Arc<App>>, Body(wanted): Body<Generate>) -> Result<Response, ApiError> {
    let order = wanted.order()?;
    let mut seat = app.workers.seat()?;
    // There are never many lines, so that a client that reads slowly keeps no thread waiting.
    let (lines, sent) = unbounded_channel();
    let time = app.workers.longest().saturating_mul(PATIENCE);
    let mut maker = Maker::new(order, wanted.level, time, Arc::clone(&app.stopping), Lines(lines));
    let limits = app.workers.allowed(&Limits::default());
    tokio::spawn(async move {
        // A part of the work at a time: others get their turn in between. A fault ends the lines.
        while let Ok(Some(rest)) = seat.run(&limits, move |_, limits| Ok(maker.work(limits))).await {
            maker = rest;
        }
    });
    let lines = UnboundedReceiverStream::new(sent).map(Ok::<_, Infallible>);
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

/// Makes puzzles, a part at a time.
struct Maker {
    series: Series,
    seed: u64,
    level: Option<Level>,
    /// When the time for all of it is up.
    end: Instant,
    told: Instant,
    stopping: Arc<AtomicBool>,
    lines: Lines,
}

impl Maker {
    fn new(order: Order, level: Option<Level>, time: Duration, stopping: Arc<AtomicBool>, lines: Lines) -> Maker {
        let (seed, now) = (order.seed, Instant::now());
        let series = Series::new(order);
        lines.send(&GenerateLine::Progress(series.progress().into()));
        Maker { series, seed, level, end: now + time, told: now, stopping, lines }
    }

    /// Makes attempts until the part is over; none if all of them are made, or nobody reads the lines any more.
    fn work(mut self, limits: &Limits) -> Option<Maker> {
        let started = Instant::now();
        while started.elapsed() < PART {
            if self.lines.0.is_closed() {
                return None;
            }
            if self.series.is_complete() {
                return self.done(None);
            }
            if self.stopping.load(Ordering::Relaxed) {
                return self.done(Some(Limit::Cancelled));
            }
            let left = self.end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return self.done(Some(Limit::Time));
            }
            let limits = Limits { time: Some(left), ..limits.clone() };
            let level = self.level;
            match self.series.attempt(&limits, |entry| level.is_none_or(|level| entry.level == level)) {
                Ok(Some(entry)) => self.lines.send(&GenerateLine::Puzzle(entry.into())),
                Ok(None) => {}
                Err(limit) => return self.done(Some(limit)),
            }
            if self.told.elapsed() >= TELL_EVERY {
                self.told = Instant::now();
                self.lines.send(&GenerateLine::Progress(self.series.progress().into()));
            }
        }
        Some(self)
    }

    fn done(&self, limit: Option<Limit>) -> Option<Maker> {
        let Progress { attempts, found } = self.series.progress();
        let done = GenerateDone { found, attempts, seed: self.seed, limit: limit.map(limit_word) };
        self.lines.send(&GenerateLine::Done(done));
        None
    }
}
