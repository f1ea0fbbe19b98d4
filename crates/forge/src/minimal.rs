//! Finds vehicles that a puzzle does not need. A puzzle is *minimal* if removing any vehicle makes it easier or unsolvable.

use clearway_rush::{Board, Metric, Portfolio, Solution, Solver, StopRule};
use clearway_search::{Limit, Limits, Verdict};

/// Returns the labels of the vehicles that can be removed, each one alone, without making the board's shortest solution (in
/// moves) shorter and without making the board unsolvable. Returns no labels for an unsolvable board. The time limit holds
/// for all searches together.
///
/// ```
/// use clearway_forge::minimal::removable;
/// use clearway_rush::{Solver, formats};
/// let board = formats::read_one("..B.....B...AAB...................CC", None).unwrap().board;
/// let labels = removable(&mut Solver::new(), &board, &Default::default()).unwrap();
/// assert_eq!(labels, ['C']);
/// ```
pub fn removable(solver: &mut Solver, board: &Board, limits: &Limits) -> Result<Vec<char>, Limit> {
    let (mut labels, checker) = (Vec::new(), limits.checker());
    let Some(solution) = solution(solver, board, limits)? else { return Ok(labels) };
    for label in front(board).into_iter().chain(unmoved(board, &solution)) {
        if stays_as_hard(solver, board, label, &solution, &limits.remaining_after(checker.elapsed()))?.is_some() {
            labels.push(label);
        }
    }
    Ok(labels)
}

/// Removes vehicles, one after the other, as long as the shortest solution (in moves) does not become shorter, and returns
/// the remaining board, from which no vehicle can be removed. Returns None for an unsolvable board.
///
/// ```
/// use clearway_forge::minimal::stripped;
/// use clearway_rush::{Solver, formats};
/// let board = formats::read_one("..B.....B...AAB...................CC", None).unwrap().board;
/// let stripped = stripped(&mut Solver::new(), &board, &Default::default()).unwrap().unwrap();
/// assert_eq!(stripped.vehicles().len(), 2);
/// ```
pub fn stripped(solver: &mut Solver, board: &Board, limits: &Limits) -> Result<Option<Board>, Limit> {
    let mut board = board.clone();
    loop {
        let Some(solution) = solution(solver, &board, limits)? else { return Ok(None) };
        // A vehicle that is needed remains needed when others are removed: without it the solution gets shorter, and
        // removing others as well can only shorten it further. So one pass is enough.
        for label in unmoved(&board, &solution) {
            if let Some(smaller) = stays_as_hard(solver, &board, label, &solution, limits)? {
                board = smaller;
            }
        }
        // Without the vehicle at the front a different vehicle has to leave, so all others must be tested again.
        let Some(label) = front(&board) else { return Ok(Some(board)) };
        match stays_as_hard(solver, &board, label, &solution, limits)? {
            Some(smaller) => board = smaller,
            None => return Ok(Some(board)),
        }
    }
}

/// Returns the board without the vehicle at `index`, or None if no vehicle is left that could leave by the exit.
pub fn without(board: &Board, index: usize) -> Option<Board> {
    let mut vehicles = board.vehicles().to_vec();
    if index >= vehicles.len() {
        return None;
    }
    vehicles.remove(index);
    Board::new(board.width(), board.height(), *board.walls(), vehicles, board.exit()).ok()
}

/// Returns the label of the vehicle that has to leave, if without it another one would have to. That is so only where any
/// vehicle of the exit's line may leave.
fn front(board: &Board) -> Option<char> {
    without(board, 0).map(|_| board.target().label)
}

fn solution(solver: &mut Solver, board: &Board, limits: &Limits) -> Result<Option<Solution>, Limit> {
    let answer = Portfolio::default().solve(solver, board, Metric::Moves, limits, &mut |_| {});
    match answer.verdict {
        Verdict::Limit(limit) => Err(limit),
        Verdict::Solved | Verdict::Unsolvable => Ok(answer.solution),
    }
}

/// Returns the labels of the vehicles that do not move in a solution. Only these can be removable: without a vehicle that
/// moves, the remaining moves are a shorter solution. This argument does not hold for the vehicle that has to leave, which is
/// not included.
fn unmoved(board: &Board, solution: &Solution) -> Vec<char> {
    let moves = |label| solution.0.iter().any(|mv| mv.label == label);
    board.vehicles().iter().skip(1).map(|vehicle| vehicle.label).filter(|&label| !moves(label)).collect()
}

/// Returns the board without a vehicle if it is solvable and has no solution shorter than the given one, which is a solution of
/// that board too, unless the vehicle has to leave.
fn stays_as_hard(
    solver: &mut Solver,
    board: &Board,
    label: char,
    solution: &Solution,
    limits: &Limits,
) -> Result<Option<Board>, Limit> {
    let smaller = board.vehicle_labelled(label).and_then(|index| without(board, index));
    let Some(smaller) = smaller else { return Ok(None) };
    // Only whether there is a shorter solution matters, not how long the shortest is.
    let least = solution.moves();
    let is_solvable = label != board.target().label;
    let most = if is_solvable { least.saturating_sub(1) } else { u32::MAX };
    let portfolio = Portfolio { stop: StopRule::Range { least, most }, ..Portfolio::default() };
    let answer = portfolio.solve(solver, &smaller, Metric::Moves, limits, &mut |_| {});
    match answer.verdict {
        Verdict::Unsolvable => Ok(None),
        _ if answer.solution.is_some_and(|shorter| shorter.moves() < least) => Ok(None),
        _ if is_solvable && answer.lower_bound >= least => Ok(Some(smaller)),
        Verdict::Solved => Ok(Some(smaller)),
        Verdict::Limit(limit) => Err(limit),
    }
}
