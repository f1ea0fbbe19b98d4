//! Solving a board by any algorithm, or by the exact solver, with one kind of answer.

use crate::{Algorithm, LabOutcome};
use clearway_rush::heuristics::Context;
use clearway_rush::{Answer, Board, Metric, Solver};
use clearway_search::{Limits, Verdict};

/// An answer, and who gave it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The answer.
    pub answer: Answer,
    /// The engine of the exact solver, or the algorithm that was asked for.
    pub algorithm: String,
    /// Whether the solution is proven to be a shortest one; false without a solution.
    pub optimal: bool,
}

/// What the algorithm asked for finds, or else the exact solver.
///
/// ```
/// use clearway_rush::{Metric, Solver, formats};
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let found = clearway_lab::solve(None, &mut Solver::new(), &board, Metric::Moves, &Default::default());
/// assert_eq!((found.answer.lower_bound, found.optimal), (8, true));
/// ```
pub fn solve(
    algorithm: Option<&Algorithm>,
    solver: &mut Solver,
    board: &Board,
    metric: Metric,
    limits: &Limits,
) -> Found {
    let Some(algorithm) = algorithm else {
        let answer = solver.solve(board, metric, limits);
        let optimal = answer.verdict == Verdict::Solved;
        return Found { algorithm: answer.algorithm.to_owned(), answer, optimal };
    };
    let outcome = algorithm.solve(board, metric, limits, &Context::default());
    let solved = outcome.verdict == Verdict::Solved;
    let length = outcome.solution.as_ref().map(|solution| solution.length(metric));
    let optimal = solved && length == Some(outcome.lower_bound);
    Found { answer: answer(outcome), algorithm: algorithm.to_string(), optimal }
}

fn answer(outcome: LabOutcome) -> Answer {
    Answer {
        verdict: outcome.verdict,
        solution: outcome.solution,
        lower_bound: outcome.lower_bound,
        counters: outcome.counters,
        memory: outcome.counters.peak_memory as usize,
        algorithm: "",
        time: outcome.time,
    }
}
