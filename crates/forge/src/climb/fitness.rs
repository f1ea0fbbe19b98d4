//! How hard a board is.

use super::ClimbOptions;
use clearway_rush::{Board, Metric, RushDomain, Solver};
use clearway_search::deepening::{Deepening, DeepeningOptions};
use clearway_search::{Limits, Verdict, Zero, run};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What makes a board better. Every board is taken at the hardest state that can be reached from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fitness {
    /// The shortest solution, a slide of any length counted 1.
    #[default]
    Moves,
    /// The shortest solution, each cell counted 1.
    Steps,
    /// The depth of the component: how many moves away from the board its farthest state is, solved or not.
    Depth,
    /// The nodes that iterative deepening without a heuristic expands, by bounds that grow by 5; 0 beyond a limit.
    IdNodes,
}

impl Fitness {
    /// All of them.
    pub const ALL: [Fitness; 4] = [Fitness::Moves, Fitness::Steps, Fitness::Depth, Fitness::IdNodes];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Fitness::Moves => "moves",
            Fitness::Steps => "steps",
            Fitness::Depth => "depth",
            Fitness::IdNodes => "id-nodes",
        }
    }

    /// The fitness of that name.
    pub fn from_word(word: &str) -> Option<Fitness> {
        Fitness::ALL.into_iter().find(|fitness| fitness.word() == word)
    }

    fn metric(self) -> Metric {
        if self == Fitness::Steps { Metric::Steps } else { Metric::Moves }
    }

    /// A fitness on a scale on which a difference of 1 means about as much for each of them: a move.
    fn in_moves(self, fitness: u64) -> f64 {
        match self {
            Fitness::Moves | Fitness::Depth => fitness as f64,
            Fitness::Steps => fitness as f64 / 1.5,
            Fitness::IdNodes => 20.0 * (1.0 + fitness as f64).ln(),
        }
    }
}

/// A board that was evaluated.
#[derive(Clone, Debug)]
pub(super) struct Evaluated {
    /// As it was evaluated.
    pub board: Board,
    pub fitness: u64,
    /// What is compared: the fitness, less for a larger component, whose changes take longer to evaluate.
    pub score: f64,
    /// The positions of the vehicles on the way from the hardest state to a solved one.
    pub way: Vec<Vec<u8>>,
}

/// By how many moves a board must be better to be as good as one with a component smaller by the factor e.
const MOVES_PER_LOG_STATES: f64 = 1.0;
/// By how much the bound of iterative deepening grows.
const INCREMENT: u32 = 5;

/// Evaluates a board, unless it is unsolvable or has more states than allowed.
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
        Fitness::Moves | Fitness::Steps => hardest.depth.into(),
        Fitness::Depth => {
            let board = board.with_positions(&hardest.way[0]).ok()?;
            solver.eccentricity(&board, Metric::Moves, &Limits { nodes: None, ..limits })?.into()
        }
        Fitness::IdNodes => {
            let board = board.with_positions(&hardest.way[0]).ok()?;
            deepening_nodes(&board, &Limits { nodes: Some(options.id_nodes), ..limits })
        }
    };
    let score = options.fitness.in_moves(fitness) - MOVES_PER_LOG_STATES * (hardest.states as f64).ln();
    Some(Evaluated { board, fitness, score, way: hardest.way })
}

/// The nodes that iterative deepening without a heuristic expands to solve a board; 0 if a limit ends it.
pub(super) fn deepening_nodes(board: &Board, limits: &Limits) -> u64 {
    fn nodes<const N: usize>(board: &Board, limits: &Limits) -> u64 {
        let Some(domain) = RushDomain::<N>::new(board, Metric::Moves) else { return 0 };
        let options = DeepeningOptions { increment: INCREMENT, ..DeepeningOptions::default() };
        let outcome = run(&mut Deepening::new(&domain, None::<Zero>, options), limits);
        if outcome.verdict == Verdict::Solved { outcome.counters.expanded } else { 0 }
    }
    match board.vehicles().len() {
        0..=16 => nodes::<1>(board, limits),
        17..=32 => nodes::<2>(board, limits),
        _ => nodes::<8>(board, limits),
    }
}
