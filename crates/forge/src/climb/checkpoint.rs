//! Saves the state of a run as text: its options, the peaks found, and the boards of its climbers, with a
//! [checksum](clearway_util::seal).

use super::ascent::{Ascent, Climber};
use super::fitness::Evaluated;
use super::lane::{Lane, Peak};
use super::start::{Start, StartKind, levels};
use super::{Climb, ClimbOptions};
use crate::Shape;
use clearway_rush::{Board, formats};
use clearway_util::seal::{SealError, seal, unseal};
use serde::{Deserialize, Serialize};
use std::error::Error;

/// Why a run cannot be resumed from a text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The text is not a checkpoint of a climb.
    #[error("not a checkpoint of a climb: {0}")]
    Invalid(#[source] Box<dyn Error + Send + Sync>),
    /// The checksum does not match the text.
    #[error("the checkpoint is damaged: its checksum does not match; remove it to start over")]
    Damaged,
    /// Another version of the method wrote the checkpoint.
    #[error(
        "the checkpoint was written by another version of clearway, whose climb cannot be continued; remove it to start over"
    )]
    OtherVersion,
    /// The run that wrote the checkpoint had other options.
    #[error("the checkpoint was made with other options: {found}")]
    OtherOptions {
        /// Options named in the checkpoint.
        found: String,
    },
}

/// Version of the method and of the text. A climb continues only with the method that it started with.
const VERSION: u32 = 2;

/// The version of a checkpoint; checkpoints of the first version have none.
#[derive(Deserialize)]
struct VersionText {
    #[serde(default)]
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct ClimbText {
    version: u32,
    /// Options as text, compared when a run is resumed.
    options: String,
    lanes: Vec<LaneText>,
}

#[derive(Serialize, Deserialize)]
struct LaneText {
    evaluations: u64,
    ascent: u32,
    done: bool,
    peaks: Vec<PeakText>,
    current: Option<AscentText>,
}

#[derive(Serialize, Deserialize)]
struct PeakText {
    ascent: u32,
    fitness: u64,
    board: String,
    start: StartKind,
    evaluations: u64,
    finished: u64,
}

#[derive(Serialize, Deserialize)]
struct AscentText {
    start: StartKind,
    /// Sizes of the first boards and of the current ones: widths and heights.
    first: (u8, u8),
    now: (u8, u8),
    parents: Vec<String>,
    evaluations: u64,
    climbers: Vec<ClimberText>,
    round: u32,
    turn: usize,
    left: u64,
    kicks: u16,
    before_kick: u64,
    kicking: bool,
}

#[derive(Serialize, Deserialize)]
struct ClimberText {
    at: Option<String>,
    best: Option<(u64, String)>,
    improved: u64,
}

/// Describes the options that the result of a run depends on.
fn describe(options: &ClimbOptions) -> String {
    let ClimbOptions { shape, fitness, lanes, population, round, patience, kicks, ascents, .. } = options;
    let ClimbOptions { largest, id_nodes, seed, starts, kinds, .. } = options;
    let (width, height, side, line) = (shape.width(), shape.height(), shape.side().as_str(), shape.line());
    let ascents = ascents.map_or("any".to_owned(), |ascents| ascents.to_string());
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    let starts: Vec<String> = std::iter::once(String::new()).chain(starts.iter().map(formats::line)).collect();
    format!(
        "{width}x{height} {side}:{line}, {} walls, fitness {}, {lanes} lanes, population {population}, round {round}, \
         patience {patience}, {kicks} kicks, {ascents} ascents, at most {largest} states, {id_nodes} id nodes, \
         {} starts, seed {seed}{}",
        shape.walls(),
        fitness.as_str(),
        kinds.join("/"),
        starts.join(", from "),
    )
}

impl Climb {
    /// Returns the state of the run as text: one line with a JSON object.
    #[expect(clippy::missing_panics_doc, reason = "it never panics")]
    pub fn checkpoint(&self) -> String {
        let (options, lanes) = (describe(&self.options), self.lanes.iter().map(lane_text).collect());
        let text = ClimbText { version: VERSION, options, lanes };
        let text = serde_json::to_string(&text).expect("numbers, strings and lists of them are always JSON");
        seal(&text, "") + "\n"
    }

    /// Resumes a run from a [checkpoint](Self::checkpoint). It reaches the same result as a run without the interruption.
    pub fn resume(options: ClimbOptions, text: &str) -> Result<Climb, CheckpointError> {
        let invalid = |fault: &str| CheckpointError::Invalid(fault.into());
        let text = unseal(text.trim_end(), "").map_err(|error| match error {
            SealError::Missing => {
                invalid("it has no checksum, perhaps because an earlier version of clearway wrote it")
            }
            _ => CheckpointError::Damaged,
        })?;
        let VersionText { version } =
            serde_json::from_str(&text).map_err(|error| CheckpointError::Invalid(error.into()))?;
        if version != VERSION {
            return Err(CheckpointError::OtherVersion);
        }
        let text: ClimbText = serde_json::from_str(&text).map_err(|error| CheckpointError::Invalid(error.into()))?;
        if text.options != describe(&options) {
            return Err(CheckpointError::OtherOptions { found: text.options });
        }
        let mut climb = Climb::new(options);
        if text.lanes.len() != climb.lanes.len() {
            return Err(invalid("the number of lanes does not match the options"));
        }
        for (lane, text) in climb.lanes.iter_mut().zip(text.lanes) {
            let index = lane.index;
            *lane =
                read_lane(&climb.options, index, text).ok_or_else(|| invalid(&format!("lane {index} is invalid")))?;
        }
        Ok(climb)
    }
}

fn lane_text(lane: &Lane) -> LaneText {
    let climber = |climber: &Climber| ClimberText {
        at: climber.current.as_ref().map(|current| formats::line(&current.board)),
        best: climber.best.as_ref().map(|(fitness, board)| (*fitness, formats::line(board))),
        improved: climber.last_progress,
    };
    let peak = |peak: &Peak| {
        let Peak { fitness, ref board, ascent, start, evaluations, finished, .. } = *peak;
        PeakText { ascent, fitness, board: formats::line(board), start, evaluations, finished }
    };
    let size = |shape: &Shape| (shape.width(), shape.height());
    LaneText {
        evaluations: lane.evaluations,
        ascent: lane.ascent,
        done: lane.done,
        peaks: lane.peaks.iter().map(peak).collect(),
        current: lane.current.as_ref().map(|ascent| AscentText {
            start: ascent.start.kind,
            first: size(&ascent.start.shape),
            now: size(&ascent.shape),
            parents: ascent.start.parents.iter().map(formats::line).collect(),
            evaluations: ascent.evaluations,
            climbers: ascent.climbers.iter().map(climber).collect(),
            round: ascent.round,
            turn: ascent.turn,
            left: ascent.left,
            kicks: ascent.failed_kicks,
            before_kick: ascent.before_kick,
            kicking: ascent.kicking,
        }),
    }
}

/// Restores a lane from its text. Returns None if the text cannot have been written by [`lane_text`].
fn read_lane(options: &ClimbOptions, index: u64, text: LaneText) -> Option<Lane> {
    let current = match text.current {
        Some(ascent) => Some(read_ascent(options, ascent)?),
        None => None,
    };
    let read_peak = |text: PeakText| -> Option<Peak> {
        let board = read_board(&options.shape, &text.board)?;
        let PeakText { ascent, fitness, start, evaluations, finished, .. } = text;
        Some(Peak { fitness, board, lane: index, ascent, start, evaluations, finished })
    };
    let peaks = text.peaks.into_iter().map(read_peak).collect::<Option<_>>()?;
    let LaneText { evaluations, ascent, done, .. } = text;
    Some(Lane { index, evaluations, ascent, current, peaks, done })
}

fn read_ascent(options: &ClimbOptions, text: AscentText) -> Option<Ascent> {
    let shape_of = |size: (u8, u8)| levels(options.shape).find(|shape| (shape.width(), shape.height()) == size);
    let (first, shape) = (shape_of(text.first)?, shape_of(text.now)?);
    let parents: Vec<Board> = text.parents.iter().map(|board| read_board(&first, board)).collect::<Option<_>>()?;
    let climbers =
        text.climbers.into_iter().map(|climber| read_climber(&shape, climber)).collect::<Option<Vec<_>>>()?;
    let AscentText { start, evaluations, round, turn, left, kicks: failed_kicks, before_kick, kicking, .. } = text;
    let is_valid = turn < climbers.len() && left > 0 && parents.len() == start.parents();
    let start = Start::new(start, first, parents);
    let ascent = Ascent {
        start,
        shape,
        evaluations,
        climbers,
        round,
        turn,
        left,
        failed_kicks,
        before_kick,
        kicking,
        done: false,
    };
    is_valid.then_some(ascent)
}

fn read_climber(shape: &Shape, text: ClimberText) -> Option<Climber> {
    // `Lane::reevaluate` fills in the rest.
    let current = match text.at {
        Some(at) => Some(Evaluated { board: read_board(shape, &at)?, fitness: 0, score: 0.0, path: Vec::new() }),
        None => None,
    };
    let best = match text.best {
        Some((fitness, board)) => Some((fitness, read_board(shape, &board)?)),
        None => None,
    };
    Some(Climber { current, best, last_progress: text.improved })
}

fn read_board(shape: &Shape, text: &str) -> Option<Board> {
    let board = formats::read_one(text, Some(formats::Format::Line)).ok()?.board;
    let size = (board.width(), board.height(), board.exit(), board.exit_line());
    (size == (shape.width(), shape.height(), shape.exit(), shape.line())).then_some(board)
}
