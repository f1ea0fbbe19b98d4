//! Generation of puzzles, each sent as soon as it is found.

use crate::RequestError;
use crate::board::parse_field;
use crate::entry::EntryRecord;
use crate::request::{Object, within};
use clearway_forge::Shape;
use clearway_forge::grade::Level;
use clearway_forge::pack::{PackProgress, PackRequest, PackSeries};
use clearway_rush::{Exit, Side, Size};
use clearway_search::{Limit, Limits};
use clearway_util::time::{self, Instant};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::time::Duration;
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

impl GenerateRequest {
    fn order(&self) -> Result<PackRequest, RequestError> {
        let (width, height) = self.size.as_deref().map(parse_field).transpose()?.map_or((6, 6), Size::sides);
        let (side, line) = match self.exit.as_deref().map(parse_field).transpose()? {
            None => (Side::Right, None),
            Some(Exit::Target(side)) => (side, None),
            Some(Exit::Any(side, line)) => (side, Some(line)),
        };
        let shape = Shape::new(width, height, side, line, self.walls.unwrap_or(0));
        let shape = shape.map_err(|error| RequestError::bad_request(error.to_string()))?;
        let count = within("count", self.count, 1..=MAX_COUNT)?.unwrap_or(DEFAULT_COUNT);
        let seed = within("seed", self.seed, 0..=MAX_SEED)?.unwrap_or_else(new_seed);
        let order = PackRequest::new(shape, self.move_range()?, count, seed);
        Ok(match self.level {
            Some(level) => order.with_levels([(level, count)].into()),
            None => order,
        })
    }

    fn move_range(&self) -> Result<RangeInclusive<u32>, RequestError> {
        match self.moves.map(|Object(moves)| moves) {
            Some(MoveRange { from, to }) if from < 1 || to > MAX_MOVES || from > to => {
                let error = format!("invalid range of moves: {from} to {to}");
                Err(RequestError::bad_request(error).with_help(format!("need 1 <= from <= to <= {MAX_MOVES}")))
            }
            Some(MoveRange { from, to }) => Ok(from..=to),
            None => Ok(self.level.map_or(6..=30, Level::typical_moves)),
        }
    }
}

/// Returns a new seed, from the current time.
fn new_seed() -> u64 {
    time::since_epoch().as_micros() as u64 & MAX_SEED
}

/// Receives the lines of a response.
pub trait LineReceiver {
    /// Receives a line, with its end.
    fn receive(&mut self, line: String);

    /// Whether nobody reads the lines any more.
    fn is_closed(&self) -> bool {
        false
    }

    /// Whether the work must end soon.
    fn is_stopping(&self) -> bool {
        false
    }
}

fn send(receiver: &mut dyn LineReceiver, line: &GenerateLine) {
    // Serialisation cannot fail for these records.
    if let Ok(text) = serde_json::to_string(line) {
        receiver.receive(text + "\n");
    }
}

/// The work of a request, done in time slices.
pub struct GenerateTask {
    series: PackSeries,
    seed: u64,
    deadline: Instant,
    last_progress: Instant,
}

impl GenerateTask {
    /// Checks the request, and sends the first line. The work takes at most a multiple of the time limit of a search.
    pub fn new(
        request: &GenerateRequest,
        search_time: Duration,
        receiver: &mut dyn LineReceiver,
    ) -> Result<GenerateTask, RequestError> {
        let order = request.order()?;
        let hundreds = order.count.div_ceil(HUNDRED) as u32;
        let (seed, now) = (order.seed, Instant::now());
        let deadline = now + search_time.saturating_mul(TIME_FACTOR * hundreds);
        let series = PackSeries::new(order);
        send(receiver, &GenerateLine::Progress(series.progress().into()));
        Ok(GenerateTask { series, seed, deadline, last_progress: now })
    }

    /// Works for one time slice. Returns whether there is more to do.
    pub fn work(&mut self, limits: &Limits, receiver: &mut dyn LineReceiver) -> bool {
        let started = Instant::now();
        while started.elapsed() < TIME_SLICE {
            if receiver.is_closed() {
                return false;
            }
            if self.series.is_complete() {
                return self.done(None, receiver);
            }
            if receiver.is_stopping() {
                return self.done(Some(Limit::Cancelled), receiver);
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return self.done(Some(Limit::Time), receiver);
            }
            let limits = Limits { time: Some(left), ..limits.clone() };
            match self.series.attempt(&limits) {
                Ok(Some(entry)) => send(receiver, &GenerateLine::Puzzle(entry.into())),
                Ok(None) => {}
                Err(limit) => return self.done(Some(limit), receiver),
            }
            if self.last_progress.elapsed() >= PROGRESS_INTERVAL {
                self.last_progress = Instant::now();
                send(receiver, &GenerateLine::Progress(self.series.progress().into()));
            }
        }
        true
    }

    fn done(&self, limit: Option<Limit>, receiver: &mut dyn LineReceiver) -> bool {
        let PackProgress { attempts, found } = self.series.progress();
        let done = GenerateDone { found, attempts, seed: self.seed, limit: limit.map(Limit::as_str) };
        send(receiver, &GenerateLine::Done(done));
        false
    }
}
