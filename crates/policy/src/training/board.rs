//! The boards of the training set.

use super::arena::{Arena, ArenaError};
use super::trial::baseline;
use crate::terminals::{TERMINALS, TerminalSet};
use clearway_gp::rng::stream;
use clearway_rush::Board;
use rand::RngExt;

/// A board prepared for training.
#[derive(Clone, Debug)]
pub struct TrainingBoard {
    /// Name of the board.
    pub name: String,
    /// Component of the board with the values of the terminals.
    pub arena: Arena,
    /// Number of states that the baseline search without a heuristic expands; at least 1.
    pub baseline: u64,
}

/// Limits on the boards of a training set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardLimits {
    /// Maximum number of states reachable from a board.
    pub states: usize,
    /// Maximum number of states that the baseline search without a heuristic may expand.
    pub baseline: u64,
    /// Maximum memory in bytes for enumerating the states, before the size of the arena is known.
    pub memory: usize,
}

impl Default for BoardLimits {
    fn default() -> Self {
        BoardLimits { states: 60_000, baseline: 300_000, memory: usize::MAX }
    }
}

/// Error for a board that is left out of a training set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingBoardError {
    /// The arena of the board could not be built.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The baseline search without a heuristic expands more states than this limit.
    #[error("the search without a heuristic expands more than {0} states")]
    Baseline(u64),
}

impl TrainingBoard {
    /// Prepares a board for training.
    pub fn new(job: &BoardJob, set: TerminalSet, limits: &BoardLimits) -> Result<TrainingBoard, TrainingBoardError> {
        TrainingBoard::with_reservation(job, set, limits, |_, _| true)
    }

    /// Prepares a board for training if `reserve` accepts its size: it is called with the number of bytes and of states before
    /// the arena is allocated, and the board is left out if it returns false.
    pub fn with_reservation(
        job: &BoardJob,
        set: TerminalSet,
        limits: &BoardLimits,
        reserve: impl Fn(usize, usize) -> bool,
    ) -> Result<TrainingBoard, TrainingBoardError> {
        let wanted: Vec<bool> =
            TERMINALS.iter().map(|terminal| terminal.paper || set == TerminalSet::Extended).collect();
        let arena = match job.start {
            None => Arena::new(&job.board, job.difficulty, &wanted, limits, reserve)?,
            Some(seed) => {
                let mut rng = stream(seed, 0, 0);
                let choose = |states: usize| rng.random_range(0..states);
                let start = Arena::choose_state(&job.board, limits, choose)?;
                Arena::new(&start, job.difficulty, &wanted, limits, reserve)?
            }
        };
        let trial = baseline(&arena, limits.baseline);
        match trial.length {
            Some(_) => Ok(TrainingBoard { name: job.name.clone(), arena, baseline: trial.nodes.max(1) }),
            None => Err(TrainingBoardError::Baseline(limits.baseline)),
        }
    }
}

/// A board to prepare for training.
#[derive(Clone, Debug)]
pub struct BoardJob {
    /// Name of the board.
    pub name: String,
    /// The board itself.
    pub board: Board,
    /// Difficulty relative to the other boards, from 0 to 1.
    pub difficulty: f64,
    /// Seed of a random unsolved state of the component to start from; `None` to start from the board itself.
    pub start: Option<u64>,
}
