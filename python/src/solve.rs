//! Solves one board without the command line, which takes several times as long as most boards.

use crate::board::Board;
use crate::call::{ImprovementFields, fields};
use crate::errors::internal_error;
use crate::work::run_interruptible;
use clearway_answers::records::SolveRecord;
use clearway_answers::{SolveMethod, SolveOutcome};
use clearway_lab::fault;
use clearway_lab::quantity::{parse_size, parse_time};
use clearway_rush::formats::{KnownLength, Puzzle};
use clearway_rush::{Improvement, Metric, Portfolio, Solver, StopRule};
use clearway_search::{Limits, Verdict};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Maximum size of the tables of a solver that is kept for later calls, in bytes.
const KEPT_MEMORY: usize = 16 << 20;

/// Solvers of earlier calls, which keep their tables.
static SOLVERS: Mutex<Vec<Solver>> = Mutex::new(Vec::new());

fn solvers() -> std::sync::MutexGuard<'static, Vec<Solver>> {
    SOLVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Solves a board with the portfolio, as `clearway solve --json` does, and returns the record as JSON. `on_improvement` is called
/// with the fields of every improvement.
///
/// Returns None, without a search where possible, if the command must answer: if a value is invalid, or if the result contradicts
/// the length that the board claims. The command reports both.
#[pyfunction]
#[pyo3(signature = (board, metric, *, first, within, nodes, seconds, memory, on_improvement=None))]
#[allow(clippy::too_many_arguments)]
pub fn solve(
    py: Python<'_>,
    board: &Board,
    metric: &str,
    first: bool,
    within: Option<f64>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    memory: usize,
    on_improvement: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<String>> {
    let Some(metric) = [Metric::Moves, Metric::Steps].into_iter().find(|known| known.as_str() == metric) else {
        return Ok(None);
    };
    let stop = match within {
        None if first => StopRule::First,
        None => StopRule::Optimal,
        Some(factor) if factor.is_finite() && factor >= 1.0 && !first => StopRule::Within(factor),
        Some(_) => return Ok(None),
    };
    let Ok(time) = seconds.map(Duration::try_from_secs_f64).transpose() else { return Ok(None) };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let method = SolveMethod::Portfolio(Portfolio { stop, threads, ..Portfolio::default() });
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits { nodes, time, memory: Some(memory), cancel: Some(cancel.clone()) };
    let is_observed = on_improvement.is_some();
    let puzzle = &board.puzzle;
    let work = |sender: SyncSender<ImprovementFields>| {
        let mut observe = |improvement: &Improvement| {
            if is_observed {
                // Fails only if the receiver is gone.
                let _ = sender.send(fields(improvement));
            }
        };
        catch_unwind(AssertUnwindSafe(|| {
            fault::inject(title(puzzle));
            let mut solver = solvers().pop().unwrap_or_default();
            let outcome = clearway_answers::solve(&method, &mut solver, &puzzle.board, metric, &limits, &mut observe);
            if outcome.answer.memory <= KEPT_MEMORY {
                solvers().push(solver);
            }
            outcome
        }))
    };
    let on_message = |_: Python<'_>, fields| on_improvement.map_or(Ok(()), |callback| callback.call1(fields).map(drop));
    let outcome = run_interruptible(py, &cancel, work, on_message)?
        .map_err(|panic| internal_error(&format!("{}: internal error: {}", title(puzzle), fault::message(&*panic))))?;
    if contradicts(puzzle, metric, &outcome) {
        return Ok(None);
    }
    let record = SolveRecord::new(puzzle.name.as_deref(), &puzzle.board, metric, &outcome, None);
    serde_json::to_string(&record).map(Some).map_err(|error| internal_error(&error.to_string()))
}

/// The name of a board in messages, as the commands choose it.
fn title(puzzle: &Puzzle) -> &str {
    puzzle.name.as_deref().unwrap_or("#1")
}

/// Returns whether a result may contradict the length that the board claims.
fn contradicts(puzzle: &Puzzle, metric: Metric, outcome: &SolveOutcome) -> bool {
    let known = match metric {
        Metric::Moves => puzzle.moves,
        Metric::Steps => puzzle.steps,
    };
    let found = outcome.answer.solution.as_ref().map(|solution| solution.length(metric));
    match (outcome.answer.verdict, known) {
        (Verdict::Limit(_), _) | (_, None) => false,
        (_, Some(KnownLength::Exactly(length))) => found != Some(length),
        (_, Some(KnownLength::AtMost(length))) => found.is_none_or(|found| found > length),
    }
}

/// Parses a time such as `500ms` to seconds; None if it is invalid.
#[pyfunction]
pub fn time_in_seconds(text: &str) -> Option<f64> {
    parse_time(text).ok().map(|time| time.as_secs_f64())
}

/// Parses a size such as `300M` to bytes; None if it is invalid.
#[pyfunction]
pub fn size_in_bytes(text: &str) -> Option<usize> {
    parse_size(text).ok()
}
