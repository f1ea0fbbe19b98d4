//! Fitness of boards.

use super::ClimbOptions;
use clearway_rush::{Board, Metric, RushDomain, Solver, with_words};
use clearway_search::deepening::{DeepeningOptions, IterativeDeepening};
use clearway_search::{Limits, Verdict, Zero, run};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Measure of fitness. Every board is measured at the hardest state that can be reached from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FitnessMeasure {
    /// Length of a shortest solution in moves (a slide of any length counts 1).
    #[default]
    Moves,
    /// Length of a shortest solution in steps (each cell counts 1).
    Steps,
    /// Eccentricity of the board: its distance, in moves, to the farthest state of its component, solved or not.
    Depth,
    /// Number of nodes expanded by iterative deepening without a heuristic, with an increment of 5; 0 if a limit is reached.
    IdNodes,
}

impl FitnessMeasure {
    /// All measures.
    pub const ALL: [FitnessMeasure; 4] =
        [FitnessMeasure::Moves, FitnessMeasure::Steps, FitnessMeasure::Depth, FitnessMeasure::IdNodes];

    /// Returns the name of the measure.
    pub fn as_str(self) -> &'static str {
        match self {
            FitnessMeasure::Moves => "moves",
            FitnessMeasure::Steps => "steps",
            FitnessMeasure::Depth => "depth",
            FitnessMeasure::IdNodes => "id-nodes",
        }
    }

    /// Returns the measure with this name.
    pub fn from_word(name: &str) -> Option<FitnessMeasure> {
        FitnessMeasure::ALL.into_iter().find(|fitness| fitness.as_str() == name)
    }

    fn metric(self) -> Metric {
        if self == FitnessMeasure::Steps { Metric::Steps } else { Metric::Moves }
    }

    /// Converts a fitness value to a scale that is comparable between measures: a difference of 1 is worth about one move.
    fn in_moves(self, fitness: u64) -> f64 {
        match self {
            FitnessMeasure::Moves | FitnessMeasure::Depth => fitness as f64,
            FitnessMeasure::Steps => fitness as f64 / 1.5,
            FitnessMeasure::IdNodes => 20.0 * (1.0 + fitness as f64).ln(),
        }
    }
}

/// An evaluated board.
#[derive(Clone, Debug)]
pub(super) struct Evaluated {
    /// Board in the state in which it was evaluated, which need not be the hardest.
    pub board: Board,
    pub fitness: u64,
    /// Value compared by the acceptance rule: the fitness with a penalty for large components, whose changes take longer to
    /// evaluate.
    pub score: f64,
    /// Positions of the vehicles in each state of a path from the hardest state to a solved one.
    pub path: Vec<Vec<u8>>,
}

/// Number of moves by which a board must be longer to make up for a component that is larger by the factor e.
const MOVES_PER_LOG_STATES: f64 = 1.0;
/// Increment of the bound of iterative deepening.
const INCREMENT: u32 = 5;

/// Evaluates a board. Returns None if it is unsolvable or has more than `largest` states.
pub(super) fn evaluate(
    options: &ClimbOptions,
    board: Board,
    largest: u64,
    cancel: Option<&Arc<AtomicBool>>,
    solver: &mut Solver,
) -> Option<Evaluated> {
    let limits = Limits { nodes: Some(largest), cancel: cancel.cloned(), ..Limits::default() };
    let hardest = solver.hardest(&board, options.fitness.metric(), &limits)?;
    let fitness = match options.fitness {
        FitnessMeasure::Moves | FitnessMeasure::Steps => hardest.depth.into(),
        FitnessMeasure::Depth => {
            let board = board.with_positions(&hardest.way[0]).ok()?;
            solver.eccentricity(&board, Metric::Moves, &Limits { nodes: None, ..limits })?.into()
        }
        FitnessMeasure::IdNodes => {
            let board = board.with_positions(&hardest.way[0]).ok()?;
            deepening_nodes(&board, &Limits { nodes: Some(options.id_nodes), ..limits })
        }
    };
    let score = options.fitness.in_moves(fitness) - MOVES_PER_LOG_STATES * (hardest.states as f64).ln();
    Some(Evaluated { board, fitness, score, path: hardest.way })
}

/// Returns the number of nodes that iterative deepening without a heuristic expands to solve a board; 0 if a limit ends it.
pub(super) fn deepening_nodes(board: &Board, limits: &Limits) -> u64 {
    fn nodes<const N: usize>(board: &Board, limits: &Limits) -> u64 {
        let Some(domain) = RushDomain::<N>::new(board, Metric::Moves) else { return 0 };
        // As for the difficulty for machines.
        #[cfg(target_family = "wasm")]
        let domain = clearway_search::recorder::Recorder::silent(&domain);
        let options = DeepeningOptions { increment: INCREMENT, ..DeepeningOptions::default() };
        let outcome = run(&mut IterativeDeepening::new(&domain, None::<Zero>, options), limits);
        if outcome.verdict == Verdict::Solved { outcome.statistics.expanded } else { 0 }
    }
    with_words!(board, N in [1, 2, 8] => nodes::<N>(board, limits))
}
