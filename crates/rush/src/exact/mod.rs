//! The exact solver: a proven-shortest solution, or a proof that there is none.

use crate::{Board, Solution};
use clearway_search::{Counters, Limits, Verdict};
use std::time::Duration;

/// What a solution's length counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// A slide of any length counts 1.
    #[default]
    Moves,
    /// One cell counts 1.
    Steps,
}

impl Metric {
    /// The word for this metric: `moves` or `steps`.
    pub fn word(self) -> &'static str {
        match self {
            Metric::Moves => "moves",
            Metric::Steps => "steps",
        }
    }
}

/// What the solver found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Solved, unsolvable, or a limit.
    pub verdict: Verdict,
    /// A shortest solution, when solved; [replayed](crate::replay) before it was given.
    pub solution: Option<Solution>,
    /// No solution is shorter than this, in the metric asked for; the length itself when solved.
    pub lower_bound: u32,
    /// What was expanded and generated.
    pub counters: Counters,
    /// The bytes the tables took.
    pub memory: usize,
    /// The name of the engine that gave the answer.
    pub algorithm: &'static str,
    /// Wall-clock time.
    pub time: Duration,
}

/// Facts about all states that can be reached from a board.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The limit that ended the walk early; the facts are then those of the part that was seen.
    pub limit: Option<clearway_search::Limit>,
    /// Reachable states.
    pub states: u64,
    /// Reachable solved states.
    pub goals: u64,
    /// The start's distance to the nearest solved state, if any can be reached.
    pub distance: Option<u32>,
    /// The largest distance of any state to its nearest solved state.
    pub depth: u32,
    /// A state at that distance.
    pub farthest: Option<Board>,
    /// The number of different shortest solutions from the start.
    pub optimal_solutions: u128,
    /// How many states there are at each distance from their nearest solved state.
    pub histogram: Vec<u64>,
}

/// The solver. It keeps its tables between boards: make one per thread and use it for many.
#[derive(Debug, Default)]
pub struct Solver {}

impl Solver {
    /// A solver with empty tables.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// A shortest solution of a board, or a proof that there is none, or the limit that was reached.
    pub fn solve(&mut self, _board: &Board, _metric: Metric, _limits: &Limits) -> Answer {
        todo!()
    }

    /// Walks the whole component of a board.
    pub fn analyze(&mut self, _board: &Board, _metric: Metric, _limits: &Limits) -> Analysis {
        todo!()
    }
}
