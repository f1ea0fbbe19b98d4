//! Solving a board with the portfolio or with any algorithm.

use clearway_lab::{ConfiguredAlgorithm, LabOutcome};
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::{Answer, Board, Improvement, Metric, Portfolio, Solver};
use clearway_search::Limits;

/// An answer, and the algorithm that found it.
#[derive(Clone, Debug)]
pub struct SolveOutcome {
    /// Answer; the names of its engines are empty unless the portfolio was used.
    pub answer: Answer,
    /// Canonical form of the algorithm, or the engine of the portfolio that found the solution.
    pub algorithm: String,
    /// Whether the solution is proven optimal; false without a solution.
    pub optimal: bool,
}

/// How a board is solved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SolveMethod {
    /// With the portfolio: the default, for boards of any size.
    Portfolio(Portfolio),
    /// With an algorithm of the laboratory.
    Algorithm(Box<ConfiguredAlgorithm>),
}

impl Default for SolveMethod {
    fn default() -> Self {
        SolveMethod::Portfolio(Portfolio::default())
    }
}

impl From<ConfiguredAlgorithm> for SolveMethod {
    fn from(algorithm: ConfiguredAlgorithm) -> SolveMethod {
        SolveMethod::Algorithm(Box::new(algorithm))
    }
}

/// Solves a board. `observe` is called with every improvement of the portfolio.
///
/// ```
/// use clearway_answers::SolveMethod;
/// use clearway_rush::{Metric, Solver, formats};
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let (method, mut solver) = (SolveMethod::default(), Solver::new());
/// let outcome = clearway_answers::solve(&method, &mut solver, &board, Metric::Moves, &Default::default(), &mut |_| {});
/// assert_eq!((outcome.answer.lower_bound, outcome.optimal), (8, true));
/// ```
pub fn solve(
    method: &SolveMethod,
    solver: &mut Solver,
    board: &Board,
    metric: Metric,
    limits: &Limits,
    observe: &mut dyn FnMut(&Improvement),
) -> SolveOutcome {
    let (answer, algorithm) = match method {
        SolveMethod::Portfolio(portfolio) => {
            let answer = portfolio.solve(solver, board, metric, limits, observe);
            let algorithm = answer.algorithm.to_owned();
            (answer, algorithm)
        }
        SolveMethod::Algorithm(algorithm) => {
            (answer(algorithm.solve(board, metric, limits, &HeuristicContext::default())), algorithm.to_string())
        }
    };
    let length = answer.solution.as_ref().map(|solution| solution.length(metric));
    SolveOutcome { optimal: length == Some(answer.lower_bound), answer, algorithm }
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
