//! The boards of the training set.

use super::arena::{Arena, ArenaError};
use super::direct::DirectBoard;
use super::known_plan::KnownPlan;
use super::search::PolicySearch;
use super::trial::{Scratch, Trial, baseline};
use crate::CompiledPolicy;
use crate::terminals::{TERMINALS, TerminalSet};
use clearway_gp::rng::stream;
use clearway_rush::{Board, Metric};
use rand::RngExt;

/// A board prepared for training.
#[derive(Clone, Debug)]
pub struct TrainingBoard {
    /// Name of the board.
    pub name: String,
    /// States of the board.
    pub space: TrainingSpace,
    /// Number of states that the baseline search without a heuristic expands; at least 1. On a board that is searched directly,
    /// where the baseline needs more than the limit, the limit.
    pub baseline: u64,
    /// Maximum number of states to expand.
    pub max_nodes: u64,
}

/// How the states of a training board are searched.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TrainingSpace {
    /// In an arena, which holds all of them.
    Arena(Arena),
    /// Directly, because they are too many for an arena.
    Direct(DirectBoard),
}

/// Limits on the boards of a training set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardLimits {
    /// Maximum number of states reachable from a board, unless it is searched directly.
    pub states: usize,
    /// Maximum number of states that the baseline search without a heuristic may expand.
    pub baseline: u64,
    /// Maximum memory in bytes for enumerating the states, before the size of the arena is known.
    pub memory: usize,
    /// Limits on boards with more states, which are searched directly; `None` to leave them out.
    pub direct: Option<DirectLimits>,
}

/// Limits on a board that is searched directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectLimits {
    /// Maximum number of states that a search expands.
    pub nodes: u64,
    /// Maximum memory of the cached terminal values in bytes. It does not affect results.
    pub cache: usize,
}

impl Default for BoardLimits {
    fn default() -> Self {
        BoardLimits { states: 60_000, baseline: 300_000, memory: usize::MAX, direct: None }
    }
}

/// What the memory of a search on a board depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchSize {
    /// Number of states of the arena.
    States(usize),
    /// Maximum number of nodes that a direct search expands.
    Nodes(u64),
}

/// Error for a board that is left out of a training set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingBoardError {
    /// The board could not be prepared.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The baseline search without a heuristic expands more states than this limit.
    #[error("the search without a heuristic expands more than {0} states")]
    BaselineLimitReached(u64),
    /// The portfolio finds no plan with this number of states and conflicts.
    #[error("no solution is known, and the solver finds none with {0} states and conflicts")]
    NoPlan(u64),
}

impl TrainingBoard {
    /// Prepares a board for training.
    pub fn new(job: &BoardJob, set: TerminalSet, limits: &BoardLimits) -> Result<TrainingBoard, TrainingBoardError> {
        TrainingBoard::with_reservation(job, set, limits, |_, _| true)
    }

    /// Prepares a board for training if `reserve` accepts its size: it is called with the number of bytes and the size of
    /// searches before the memory is allocated, and the board is left out if it returns false.
    pub fn with_reservation(
        job: &BoardJob,
        set: TerminalSet,
        limits: &BoardLimits,
        reserve: impl Fn(usize, SearchSize) -> bool,
    ) -> Result<TrainingBoard, TrainingBoardError> {
        let wanted: Vec<bool> =
            TERMINALS.iter().map(|terminal| terminal.paper || set == TerminalSet::Extended).collect();
        let arena = job.arena(&wanted, limits, |bytes, states| reserve(bytes, SearchSize::States(states)));
        let arena = match (arena, limits.direct) {
            (Err(ArenaError::TooLarge(_)), Some(direct)) => {
                let board =
                    job.direct(&wanted, limits, direct, |bytes| reserve(bytes, SearchSize::Nodes(direct.nodes)))?;
                return Ok(TrainingBoard {
                    name: job.name.clone(),
                    space: TrainingSpace::Direct(board),
                    baseline: limits.baseline.max(1),
                    max_nodes: direct.nodes,
                });
            }
            (arena, _) => arena?,
        };
        let trial = baseline(&arena, limits.baseline);
        // Where boards may be searched directly, one that is too hard for the baseline counts like one that is too large for it.
        let (baseline, max_nodes) = match (trial.length, limits.direct) {
            (Some(_), _) => (trial.nodes.max(1), u64::MAX),
            (None, Some(direct)) => (limits.baseline.max(1), direct.nodes),
            (None, None) => return Err(TrainingBoardError::BaselineLimitReached(limits.baseline)),
        };
        Ok(TrainingBoard { name: job.name.clone(), space: TrainingSpace::Arena(arena), baseline, max_nodes })
    }

    /// Searches the board guided by a policy, expanding at most `nodes` states.
    pub fn trial(&self, search: &PolicySearch, program: &CompiledPolicy, scratch: &mut Scratch, nodes: u64) -> Trial {
        match &self.space {
            TrainingSpace::Arena(arena) => search.trial(arena, program, scratch, nodes),
            TrainingSpace::Direct(board) => board.trial(search, program, nodes),
        }
    }

    /// Length of a shortest solution or, on a board that is searched directly, of the best known one.
    pub fn reference_length(&self) -> u32 {
        match &self.space {
            TrainingSpace::Arena(arena) => arena.optimum().into(),
            TrainingSpace::Direct(board) => board.length(),
        }
    }

    /// All states of the board; `None` if it is searched directly.
    pub fn arena(&self) -> Option<&Arena> {
        match &self.space {
            TrainingSpace::Arena(arena) => Some(arena),
            TrainingSpace::Direct(_) => None,
        }
    }

    /// Memory in bytes.
    pub fn memory_usage(&self) -> usize {
        match &self.space {
            TrainingSpace::Arena(arena) => arena.memory_usage(),
            TrainingSpace::Direct(board) => board.memory_usage(),
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
    /// Metric of lengths.
    pub metric: Metric,
    /// Length of the best known solution in the metric, if any.
    pub known: Option<u32>,
    /// Difficulty relative to the other boards, from 0 to 1.
    pub difficulty: f64,
    /// Seed of a random unsolved state to start from: any state of the component or, on a board that is searched directly, a
    /// state on a known plan. `None` to start from the board itself.
    pub start: Option<u64>,
}

impl BoardJob {
    /// A job for a board in moves, from its given state.
    pub fn new(name: String, board: Board, difficulty: f64) -> BoardJob {
        BoardJob { name, board, metric: Metric::Moves, known: None, difficulty, start: None }
    }

    fn arena(
        &self,
        wanted: &[bool],
        limits: &BoardLimits,
        reserve: impl Fn(usize, usize) -> bool,
    ) -> Result<Arena, ArenaError> {
        match self.start {
            None => Arena::new(&self.board, self.metric, self.difficulty, wanted, limits, reserve),
            Some(seed) => {
                let mut rng = stream(seed, 0, 0);
                let choose = |states: usize| rng.random_range(0..states);
                let start = Arena::choose_state(&self.board, limits, choose)?;
                Arena::new(&start, self.metric, self.difficulty, wanted, limits, reserve)
            }
        }
    }

    fn direct(
        &self,
        wanted: &[bool],
        limits: &BoardLimits,
        direct: DirectLimits,
        reserve: impl Fn(usize) -> bool,
    ) -> Result<DirectBoard, TrainingBoardError> {
        let (board, length) = match (self.start, self.known) {
            (None, Some(length)) => (self.board.clone(), length),
            _ if limits.memory < KnownPlan::MEMORY => return Err(ArenaError::OutOfMemory.into()),
            (start, _) => {
                let plan = KnownPlan::find(&self.board, self.metric)?;
                let number = start.map_or(0, |seed| stream(seed, 0, 0).random_range(0..plan.states()));
                let (board, length) = plan.state(number);
                (board, length.value())
            }
        };
        if !reserve(direct.cache) {
            return Err(ArenaError::OutOfMemory.into());
        }
        Ok(DirectBoard::new(&board, self.metric, self.difficulty, wanted, length.max(1), direct.cache)?)
    }
}
