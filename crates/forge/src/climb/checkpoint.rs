//! A run's state as text: what it has done, what it has found, and where its climbers stand; with a
//! [checksum](clearway_util::seal).

use super::ascent::{Ascent, Climber};
use super::fitness::Evaluated;
use super::lane::{Lane, Peak};
use super::{Climb, ClimbOptions};
use clearway_rush::{Board, formats};
use clearway_util::seal::{SealError, seal, unseal};
use serde::{Deserialize, Serialize};

/// Why a run cannot go on from a text.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It is no checkpoint.
    #[error("this is no checkpoint of a climb: {0}")]
    Text(String),
    /// It is not what was written.
    #[error("the checkpoint is damaged, its checksum does not match; remove it to start over")]
    Damaged,
    /// It was made with other options.
    #[error("the checkpoint was made with other options: {was}")]
    Options {
        /// Which ones.
        was: String,
    },
}

#[derive(Serialize, Deserialize)]
struct ClimbText {
    /// The options, to be compared.
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

/// The options that a run's result depends on.
fn describe(options: &ClimbOptions) -> String {
    let ClimbOptions { shape, fitness, lanes, population, round, patience, kicks, ascents, .. } = options;
    let ClimbOptions { largest, id_nodes, seed, starts, .. } = options;
    let (width, height, side, line) = (shape.width(), shape.height(), shape.side().word(), shape.line());
    let ascents = ascents.map_or("any".to_owned(), |ascents| ascents.to_string());
    let starts: Vec<String> = std::iter::once(String::new()).chain(starts.iter().map(formats::line)).collect();
    format!(
        "{width}x{height} {side}:{line}, {} walls, fitness {}, {lanes} lanes, population {population}, round {round}, \
         patience {patience}, {kicks} kicks, {ascents} ascents, at most {largest} states, {id_nodes} id nodes, \
         seed {seed}{}",
        shape.walls(),
        fitness.word(),
        starts.join(", from "),
    )
}

impl Climb {
    /// The run's state as text: a JSON object of one line.
    #[expect(clippy::missing_panics_doc, reason = "it never does")]
    pub fn checkpoint(&self) -> String {
        let text = ClimbText { options: describe(&self.options), lanes: self.lanes.iter().map(lane_text).collect() };
        let text = serde_json::to_string(&text).expect("numbers, strings and lists of them are always JSON");
        seal(&text, "") + "\n"
    }

    /// A run that goes on from a [checkpoint](Self::checkpoint) to what it would have come to without the interruption.
    pub fn resume(options: ClimbOptions, text: &str) -> Result<Climb, CheckpointError> {
        let wrong = |what: &str| CheckpointError::Text(what.to_owned());
        let text = unseal(text.trim_end(), "").map_err(|error| match error {
            SealError::Missing => wrong("there is no checksum; perhaps an earlier version of clearway wrote it"),
            SealError::Mismatch => CheckpointError::Damaged,
        })?;
        let text: ClimbText = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        if text.options != describe(&options) {
            return Err(CheckpointError::Options { was: text.options });
        }
        let mut climb = Climb::new(options);
        if text.lanes.len() != climb.lanes.len() {
            return Err(wrong("a lane is missing"));
        }
        for (lane, text) in climb.lanes.iter_mut().zip(text.lanes) {
            *lane = read_lane(&climb.options, lane.index, text).ok_or_else(|| wrong("a lane makes no sense"))?;
        }
        Ok(climb)
    }
}

fn lane_text(lane: &Lane) -> LaneText {
    let climber = |climber: &Climber| ClimberText {
        at: climber.at.as_ref().map(|at| formats::line(&at.board)),
        best: climber.best.as_ref().map(|(fitness, board)| (*fitness, formats::line(board))),
        improved: climber.improved,
    };
    let peak = |peak: &Peak| PeakText { ascent: peak.ascent, fitness: peak.fitness, board: formats::line(&peak.board) };
    LaneText {
        evaluations: lane.evaluations,
        ascent: lane.ascent,
        done: lane.done,
        peaks: lane.peaks.iter().map(peak).collect(),
        current: lane.current.as_ref().map(|ascent| AscentText {
            climbers: ascent.climbers.iter().map(climber).collect(),
            round: ascent.round,
            turn: ascent.turn,
            left: ascent.left,
            kicks: ascent.kicks,
            before_kick: ascent.before_kick,
            kicking: ascent.kicking,
        }),
    }
}

/// A lane from its text; none if the text was not written by [`lane_text`].
fn read_lane(options: &ClimbOptions, index: u64, text: LaneText) -> Option<Lane> {
    let shape = &options.shape;
    let read_board = |text: &str| -> Option<Board> {
        let board = formats::read_one(text, Some(formats::Format::Line)).ok()?.board;
        let size = (board.width(), board.height(), board.exit(), board.exit_line());
        (size == (shape.width(), shape.height(), shape.exit(), shape.line())).then_some(board)
    };
    let read_climber = |text: ClimberText| -> Option<Climber> {
        let at = match text.at {
            Some(at) => Some(Evaluated { board: read_board(&at)?, fitness: 0, score: 0.0, way: Vec::new() }),
            None => None,
        };
        let best = match text.best {
            Some((fitness, board)) => Some((fitness, read_board(&board)?)),
            None => None,
        };
        Some(Climber { at, best, improved: text.improved })
    };
    let read_ascent = |text: AscentText| -> Option<Ascent> {
        let climbers: Vec<Climber> = text.climbers.into_iter().map(read_climber).collect::<Option<_>>()?;
        let AscentText { round, turn, left, kicks, before_kick, kicking, .. } = text;
        let ascent = Ascent { climbers, round, turn, left, kicks, before_kick, kicking, done: false };
        (turn < ascent.climbers.len() && left > 0).then_some(ascent)
    };
    let read_peak = |text: PeakText| -> Option<Peak> {
        Some(Peak { fitness: text.fitness, board: read_board(&text.board)?, lane: index, ascent: text.ascent })
    };
    let current = match text.current {
        Some(ascent) => Some(read_ascent(ascent)?),
        None => None,
    };
    let peaks = text.peaks.into_iter().map(read_peak).collect::<Option<_>>()?;
    let LaneText { evaluations, ascent, done, .. } = text;
    Some(Lane { index, evaluations, ascent, current, peaks, done })
}
