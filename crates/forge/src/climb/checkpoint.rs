//! Saves the state of a run as text: its options, the peaks found, and the boards of its climbers, with a
//! [checksum](clearway_util::seal).

use super::ascent::{Ascent, Climber};
use super::fitness::Evaluated;
use super::lane::{Lane, Peak};
use super::{Climb, ClimbOptions};
use crate::Shape;
use clearway_rush::{Board, formats};
use clearway_util::seal::{SealError, seal, unseal};
use serde::{Deserialize, Serialize};
use std::error::Error;

/// Why a run cannot be resumed from a text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClimbCheckpointError {
    /// The text is not a checkpoint of a climb.
    #[error("not a checkpoint of a climb: {0}")]
    Invalid(#[source] Box<dyn Error + Send + Sync>),
    /// The checksum does not match the text.
    #[error("the checkpoint is damaged: its checksum does not match; remove it to start over")]
    Damaged,
    /// The run that wrote the checkpoint had other options.
    #[error("the checkpoint was made with other options: {found}")]
    OtherOptions {
        /// Options named in the checkpoint.
        found: String,
    },
}

#[derive(Serialize, Deserialize)]
struct ClimbText {
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
}

#[derive(Serialize, Deserialize)]
struct AscentText {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    inner: bool,
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
    let ClimbOptions { largest, id_nodes, seed, starts, inner, .. } = options;
    let (width, height, side, line) = (shape.width(), shape.height(), shape.side().as_str(), shape.line());
    let ascents = ascents.map_or("any".to_owned(), |ascents| ascents.to_string());
    let inner = inner.map_or(String::new(), |inner| {
        format!(", inside {}x{} with line {}", inner.width(), inner.height(), inner.line())
    });
    let starts: Vec<String> = std::iter::once(String::new()).chain(starts.iter().map(formats::line)).collect();
    format!(
        "{width}x{height} {side}:{line}, {} walls, fitness {}, {lanes} lanes, population {population}, round {round}, \
         patience {patience}, {kicks} kicks, {ascents} ascents, at most {largest} states, {id_nodes} id nodes, \
         seed {seed}{inner}{}",
        shape.walls(),
        fitness.as_str(),
        starts.join(", from "),
    )
}

impl Climb {
    /// Returns the state of the run as text: one line with a JSON object.
    #[expect(clippy::missing_panics_doc, reason = "it never panics")]
    pub fn checkpoint(&self) -> String {
        let text = ClimbText { options: describe(&self.options), lanes: self.lanes.iter().map(lane_text).collect() };
        let text = serde_json::to_string(&text).expect("numbers, strings and lists of them are always JSON");
        seal(&text, "") + "\n"
    }

    /// Resumes a run from a [checkpoint](Self::checkpoint). It reaches the same result as a run without the interruption.
    pub fn resume(options: ClimbOptions, text: &str) -> Result<Climb, ClimbCheckpointError> {
        let invalid = |fault: &str| ClimbCheckpointError::Invalid(fault.into());
        let text = unseal(text.trim_end(), "").map_err(|error| match error {
            SealError::Missing => {
                invalid("it has no checksum, perhaps because an earlier version of clearway wrote it")
            }
            _ => ClimbCheckpointError::Damaged,
        })?;
        let text: ClimbText =
            serde_json::from_str(&text).map_err(|error| ClimbCheckpointError::Invalid(error.into()))?;
        if text.options != describe(&options) {
            return Err(ClimbCheckpointError::OtherOptions { found: text.options });
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
    let peak = |peak: &Peak| PeakText { ascent: peak.ascent, fitness: peak.fitness, board: formats::line(&peak.board) };
    LaneText {
        evaluations: lane.evaluations,
        ascent: lane.ascent,
        done: lane.done,
        peaks: lane.peaks.iter().map(peak).collect(),
        current: lane.current.as_ref().map(|ascent| AscentText {
            inner: ascent.is_inner,
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
    let read_board = |shape: &Shape, text: &str| -> Option<Board> {
        let board = formats::read_one(text, Some(formats::Format::Line)).ok()?.board;
        let size = (board.width(), board.height(), board.exit(), board.exit_line());
        (size == (shape.width(), shape.height(), shape.exit(), shape.line())).then_some(board)
    };
    let read_climber = |shape: &Shape, text: ClimberText| -> Option<Climber> {
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
    };
    let read_ascent = |text: AscentText| -> Option<Ascent> {
        let shape = if text.inner { &options.inner? } else { &options.shape };
        let climbers =
            text.climbers.into_iter().map(|climber| read_climber(shape, climber)).collect::<Option<Vec<_>>>()?;
        let AscentText { inner: is_inner, round, turn, left, kicks: failed_kicks, before_kick, kicking, .. } = text;
        let ascent = Ascent { is_inner, climbers, round, turn, left, failed_kicks, before_kick, kicking, done: false };
        (turn < ascent.climbers.len() && left > 0).then_some(ascent)
    };
    let read_peak = |text: PeakText| -> Option<Peak> {
        Some(Peak {
            fitness: text.fitness,
            board: read_board(&options.shape, &text.board)?,
            lane: index,
            ascent: text.ascent,
        })
    };
    let current = match text.current {
        Some(ascent) => Some(read_ascent(ascent)?),
        None => None,
    };
    let peaks = text.peaks.into_iter().map(read_peak).collect::<Option<_>>()?;
    let LaneText { evaluations, ascent, done, .. } = text;
    Some(Lane { index, evaluations, ascent, current, peaks, done })
}
