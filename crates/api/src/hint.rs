//! Hints: the next move, and the reason for it.

use crate::RequestError;
use crate::board::{BoardRequest, NoOptions};
use clearway_answers::Hint;
use clearway_rush::Solver;
use clearway_search::Limits;
use std::time::Duration;

/// Default time limit of the search: a player waits for the hint.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// Returns the limits of a hint.
pub fn hint_limits(request: &BoardRequest<NoOptions>) -> Result<Limits, RequestError> {
    let limits = request.limits.to_limits()?;
    Ok(Limits { time: limits.time.or(Some(DEFAULT_TIME)), ..limits })
}

/// Returns the next move of the best solution found within the limits, and the reason for it.
pub fn hint(request: &BoardRequest<NoOptions>, solver: &mut Solver, limits: &Limits) -> Result<Hint, RequestError> {
    Ok(clearway_answers::hint(&request.board.read()?.board, request.metric, solver, limits))
}
