//! Solving a board with any algorithm or the exact solver.

use clearway_lab::{Algorithm, LabOutcome};
use clearway_rush::heuristics::Context;
use clearway_rush::{Answer, Board, Metric, Solver};
use clearway_search::{Limits, Verdict};

/// An answer, and the algorithm that found it.
#[derive(Clone, Debug)]
pub struct SolveOutcome {
    /// Answer; its field `algorithm` is empty unless the exact solver was used.
    pub answer: Answer,
    /// Canonical form of the algorithm, or the engine of the exact solver.
    pub algorithm: String,
    /// Whether the solution is proven optimal; false without a solution.
    pub optimal: bool,
}

/// Solves a board with an algorithm, or with the exact solver if none is given.
///
/// ```
/// use clearway_rush::{Metric, Solver, formats};
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let outcome = clearway_answers::solve(None, &mut Solver::new(), &board, Metric::Moves, &Default::default());
/// assert_eq!((outcome.answer.lower_bound, outcome.optimal), (8, true));
/// ```
pub fn solve(
    algorithm: Option<&Algorithm>,
    solver: &mut Solver,
    board: &Board,
    metric: Metric,
    limits: &Limits,
) -> SolveOutcome {
    let Some(algorithm) = algorithm else {
        let answer = solver.solve(board, metric, limits);
        let optimal = answer.verdict == Verdict::Solved;
        return SolveOutcome { algorithm: answer.algorithm.to_owned(), answer, optimal };
    };
    let outcome = algorithm.solve(board, metric, limits, &Context::default());
    let solved = outcome.verdict == Verdict::Solved;
    let length = outcome.solution.as_ref().map(|solution| solution.length(metric));
    let optimal = solved && length == Some(outcome.lower_bound);
    SolveOutcome { answer: answer(outcome), algorithm: algorithm.to_string(), optimal }
}

fn answer(outcome: LabOutcome) -> Answer {
    Answer {
        verdict: outcome.verdict,
        solution: outcome.solution,
        lower_bound: outcome.lower_bound,
        statistics: outcome.statistics,
        memory: outcome.statistics.peak_memory as usize,
        algorithm: "",
        bound_algorithm: "",
        time: outcome.time,
    }
}
