//! The measurement of an engine on a board, on one thread.

use super::policy;
use super::record::{Measurement, lengths_at_marks};
use clearway_rush::formats::{KnownLength, Puzzle};
use clearway_rush::{Answer, Board, Metric, Portfolio, Solver, StopRule};
use clearway_search::{Limit, Limits, Verdict};
use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// Number of measurements of a bare board, of which the median counts: it often takes less than a millisecond.
const BARE_ROUNDS: usize = 5;

/// A solver to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum MeasuredEngine {
    /// The portfolio: A*, abstraction, layered SAT and proofs of unsolvability in turn
    Portfolio,
    /// The portfolio, until its first plan or the proof that there is none
    FirstPlan,
    /// A* of the exact solver alone
    Astar,
    /// Best-first search with the policy `best-first-8x8`, until its first plan
    Policy,
}

impl MeasuredEngine {
    /// Name in logs.
    pub fn as_str(self) -> &'static str {
        match self {
            MeasuredEngine::Portfolio => "portfolio",
            MeasuredEngine::FirstPlan => "first-plan",
            MeasuredEngine::Astar => "astar",
            MeasuredEngine::Policy => "policy",
        }
    }

    /// Solves a board on this thread with empty tables, so that the time does not depend on the boards before.
    pub fn solve(self, board: &Board, metric: Metric, limits: &Limits) -> SolvedBoard {
        let (started, cpu) = (Instant::now(), ThreadTime::now());
        let mut plans = Vec::new();
        let answer = match self {
            MeasuredEngine::Portfolio | MeasuredEngine::FirstPlan => {
                let stop = if self == MeasuredEngine::FirstPlan { StopRule::First } else { StopRule::Optimal };
                let portfolio = Portfolio { stop, ..Portfolio::default() };
                let mut answer = portfolio.solve(&mut Solver::new(), board, metric, limits, &mut |improvement| {
                    if let Some(solution) = improvement.solution {
                        plans.push((seconds(cpu.elapsed()), solution.length(metric)));
                    }
                });
                // A first plan need not be optimal. A search that reached a limit keeps it.
                let is_proven = answer.solution.as_ref().is_none_or(|plan| plan.length(metric) <= answer.lower_bound);
                if answer.verdict == Verdict::Solved && !is_proven {
                    answer.verdict = Verdict::Limit(Limit::Incomplete);
                }
                answer
            }
            MeasuredEngine::Astar | MeasuredEngine::Policy => {
                let answer = match self {
                    MeasuredEngine::Policy => policy::solve(board, metric, limits),
                    _ => Solver::new().solve(board, metric, limits),
                };
                let plan = answer.solution.as_ref().map(|solution| solution.length(metric));
                plans.extend(plan.map(|length| (seconds(cpu.elapsed()), length)));
                answer
            }
        };
        // Better bounds repeat the plan.
        plans.dedup_by_key(|&mut (_, length)| length);
        SolvedBoard { answer, plans, cpu_seconds: seconds(cpu.elapsed()), seconds: seconds(started.elapsed()) }
    }
}

/// A solved board.
#[derive(Clone, Debug)]
pub struct SolvedBoard {
    /// The answer of the engine.
    pub answer: Answer,
    /// CPU seconds and lengths of the plans, in the order in which they were found.
    pub plans: Vec<(f64, u32)>,
    /// Total CPU time.
    pub cpu_seconds: f64,
    /// Total wall-clock time.
    pub seconds: f64,
}

/// Returns limits on the wall-clock time and on the size of the tables.
pub fn limits(seconds: f64, megabytes: usize) -> Limits {
    Limits { time: Some(Duration::from_secs_f64(seconds)), memory: Some(megabytes * 1_000_000), ..Limits::default() }
}

/// Measures an engine on a board. `bare` is the board that this one walls in, if any.
///
/// # Panics
/// If the result contradicts the known optimum of the board.
pub fn measure(
    engine: MeasuredEngine,
    metric: Metric,
    puzzle: &Puzzle,
    kind: &str,
    bare: Option<&Board>,
    limits: &Limits,
) -> Measurement {
    let name = puzzle.name.clone().unwrap_or_default();
    let SolvedBoard { answer, plans, cpu_seconds, seconds } = engine.solve(&puzzle.board, metric, limits);
    let is_proof = !matches!(answer.verdict, Verdict::Limit(_));
    let length = answer.solution.as_ref().map(|solution| solution.length(metric));
    let known = match metric {
        Metric::Moves => puzzle.moves,
        Metric::Steps => puzzle.steps,
    };
    if let Some(KnownLength::Exactly(optimum)) = known {
        let is_consistent = answer.lower_bound <= optimum && length.is_none_or(|length| length >= optimum);
        assert!(is_consistent && answer.verdict != Verdict::Unsolvable, "{name}: the optimum is {optimum}");
    }
    Measurement {
        kind: kind.to_owned(),
        verdict: match answer.verdict {
            Verdict::Limit(limit) => limit.as_str().to_owned(),
            verdict => verdict.as_str().to_owned(),
        },
        first_seconds: plans.first().map(|&(seconds, _)| seconds),
        first_length: plans.first().map(|&(_, length)| length),
        length_after: lengths_at_marks(&plans),
        length,
        plan: answer.solution.as_ref().map(ToString::to_string),
        found_by: length.map(|_| answer.algorithm.to_owned()),
        lower_bound: answer.lower_bound,
        proof_seconds: is_proof.then_some(cpu_seconds),
        bound_by: Some(answer.bound_algorithm.to_owned()),
        expanded: answer.statistics.expanded,
        conflicts: answer.statistics.conflicts,
        seconds,
        cpu_seconds,
        bare_seconds: bare.map(|board| bare_seconds(engine, metric, board, limits)),
        name,
    }
}

/// Returns the median CPU time for a bare board.
fn bare_seconds(engine: MeasuredEngine, metric: Metric, board: &Board, limits: &Limits) -> f64 {
    let mut times = [(); BARE_ROUNDS].map(|()| engine.solve(board, metric, limits).cpu_seconds);
    times.sort_by(f64::total_cmp);
    times[BARE_ROUNDS / 2]
}

/// Returns a time in seconds, rounded to microseconds.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::super::walled;
    use super::*;
    use clearway_rush::suites::Suite;

    #[test]
    fn both_engines_prove_a_card() {
        let card = &Suite::find("cards").unwrap().puzzles()[0];
        for engine in [MeasuredEngine::Portfolio, MeasuredEngine::Astar] {
            for (metric, optimum) in [(Metric::Moves, 8), (Metric::Steps, 16)] {
                let record = measure(engine, metric, card, "6x6", Some(&card.board), &limits(60.0, 100));
                assert!(record.is_proven_optimal() && record.bound_by.is_some(), "{record:?}");
                let found = (record.length, record.lower_bound, record.first_length);
                assert_eq!(found, (Some(optimum), optimum, Some(optimum)));
                assert!(record.bare_seconds.is_some() && record.first_seconds <= record.proof_seconds, "{record:?}");
            }
        }
    }

    #[test]
    fn the_first_plan_is_measured_without_the_proof() {
        let puzzles = Suite::find("course").unwrap().puzzles();
        let large = puzzles.iter().find(|puzzle| puzzle.name.as_deref() == Some("12x12_7")).unwrap();
        let record = measure(MeasuredEngine::FirstPlan, Metric::Moves, large, "12x12", None, &limits(60.0, 1_000));
        assert!(
            record.length > Some(25) && !record.is_proven_optimal() && record.proof_seconds.is_none(),
            "{record:?}"
        );
        assert_eq!(record.first_length, record.length);
    }

    #[test]
    fn a_limit_and_the_engine_behind_the_bound_are_recorded() {
        let puzzles = Suite::find("course").unwrap().puzzles();
        let large = puzzles.iter().find(|puzzle| puzzle.name.as_deref() == Some("12x12_7")).unwrap();
        // Enough for a plan, and not for the proof, on every machine.
        let few = Limits { nodes: Some(8_000), ..Limits::default() };
        let record = measure(MeasuredEngine::Portfolio, Metric::Moves, large, "12x12", None, &few);
        assert_eq!(record.verdict, "nodes");
        assert!(record.length > Some(record.lower_bound) && record.proof_seconds.is_none(), "{record:?}");
        assert!(record.lower_bound > 0 && record.bound_by.is_some(), "{record:?}");
    }

    #[test]
    fn the_portfolio_proves_a_walled_board() {
        let board = &walled::boards(1)[0];
        let SolvedBoard { answer, plans, .. } =
            MeasuredEngine::Portfolio.solve(&board.puzzle.board, Metric::Moves, &limits(60.0, 1_000));
        assert_eq!(answer.verdict, Verdict::Solved);
        assert_eq!(plans.last().map(|&(_, moves)| moves), board.bare.moves.map(KnownLength::value));
    }
}
