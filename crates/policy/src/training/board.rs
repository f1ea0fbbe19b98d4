//! The boards that policies learn from.

use super::arena::{Arena, ArenaError};
use super::trial::baseline;
use crate::terminals::{TERMINALS, TerminalSet};
use clearway_gp::rng::stream;
use clearway_rush::Board;
use rand::RngExt;

/// A board to learn from.
#[derive(Clone, Debug)]
pub struct TrainingBoard {
    /// Its name.
    pub name: String,
    /// Its component and the terminals.
    pub arena: Arena,
    /// The states that the search without a heuristic expands.
    pub baseline: u64,
}

/// What may be learned from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardLimits {
    /// The most states that may be reached from a board.
    pub states: usize,
    /// The most states that the search without a heuristic may expand.
    pub baseline: u64,
    /// The most bytes that the walk over the states may take, before the size of what is kept of them is known.
    pub memory: usize,
}

impl Default for BoardLimits {
    fn default() -> Self {
        BoardLimits { states: 60_000, baseline: 300_000, memory: usize::MAX }
    }
}

/// Why a board was left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeftOut {
    /// Its component cannot be used.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The search without a heuristic takes too long to compare with.
    #[error("the search without a heuristic expands more than {0} states")]
    Baseline(u64),
}

impl TrainingBoard {
    /// Makes a board ready.
    pub fn new(job: &BoardJob, set: TerminalSet, limits: &BoardLimits) -> Result<TrainingBoard, LeftOut> {
        TrainingBoard::within(job, set, limits, |_, _| true)
    }

    /// Makes a board ready, if there is room: `reserve` is told the bytes and the number of its states before it is made.
    pub fn within(
        job: &BoardJob,
        set: TerminalSet,
        limits: &BoardLimits,
        reserve: impl Fn(usize, usize) -> bool,
    ) -> Result<TrainingBoard, LeftOut> {
        let wanted: Vec<bool> =
            TERMINALS.iter().map(|terminal| terminal.paper || set == TerminalSet::Extended).collect();
        let arena = match job.start {
            None => Arena::new(&job.board, job.difficulty, &wanted, limits, reserve)?,
            Some(seed) => {
                let mut rng = stream(seed, 0, 0);
                let choose = |states: usize| rng.random_range(0..states);
                let start = Arena::state_of(&job.board, limits, choose)?;
                Arena::new(&start, job.difficulty, &wanted, limits, reserve)?
            }
        };
        let trial = baseline(&arena, limits.baseline);
        match trial.length {
            Some(_) => Ok(TrainingBoard { name: job.name.clone(), arena, baseline: trial.nodes.max(1) }),
            None => Err(LeftOut::Baseline(limits.baseline)),
        }
    }
}

/// A board to be made ready.
#[derive(Clone, Debug)]
pub struct BoardJob {
    /// Its name.
    pub name: String,
    /// The board.
    pub board: Board,
    /// How difficult it is among the others, from 0 to 1.
    pub difficulty: f64,
    /// The seed of a random start, a state of its component that is not solved; none for the board as it is.
    pub start: Option<u64>,
}
