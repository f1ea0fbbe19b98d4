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
    /// Whether its solutions are shortest ones.
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
        return Found { algorithm: answer.algorithm.to_owned(), answer, optimal: true };
    };
    let outcome = algorithm.solve(board, metric, limits, &Context::default());
    let optimal = algorithm.optimal(metric);
    Found { answer: answer_of(outcome, metric, optimal), algorithm: algorithm.to_string(), optimal }
}

/// The outcome of an algorithm as an answer. Its length is a lower bound only if it is a shortest one.
fn answer_of(outcome: LabOutcome, metric: Metric, optimal: bool) -> Answer {
    let length = outcome.solution.as_ref().map(|solution| match metric {
        Metric::Moves => solution.moves(),
        Metric::Steps => solution.steps(),
    });
    let is_proven = optimal && outcome.verdict == Verdict::Solved;
    Answer {
        verdict: outcome.verdict,
        solution: outcome.solution,
        lower_bound: length.filter(|_| is_proven).unwrap_or(0),
        counters: outcome.counters,
        memory: outcome.counters.peak_memory as usize,
        algorithm: "",
        time: outcome.time,
    }
}
