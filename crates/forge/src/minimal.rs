//! Vehicles that a puzzle does not need. A puzzle is *minimal* if no vehicle can be removed without making it easier.

use clearway_rush::{Board, Metric, Solution, Solver};
use clearway_search::{Limit, Limits, Verdict};

/// The labels of the vehicles that can be removed, each alone, without making the board's shortest solution (in moves)
/// shorter, and without making it unsolvable. None for an unsolvable board. The limit on time is one for all searches
/// together.
///
/// ```
/// use clearway_forge::minimal::removable;
/// use clearway_rush::{Solver, formats};
/// let board = formats::read_one("..B.....B...AAB...................CC", None).unwrap().board;
/// let labels = removable(&mut Solver::new(), &board, &Default::default()).unwrap();
/// assert_eq!(labels, ['C']);
/// ```
pub fn removable(solver: &mut Solver, board: &Board, limits: &Limits) -> Result<Vec<char>, Limit> {
    let (mut labels, watch) = (Vec::new(), limits.watch());
    let Some(solution) = solution(solver, board, limits)? else { return Ok(labels) };
    for label in front(board).into_iter().chain(unmoved(board, &solution)) {
        if stays_as_hard(solver, board, label, &solution, &limits.after(watch.elapsed()))?.is_some() {
            labels.push(label);
        }
    }
    Ok(labels)
}

/// The board without vehicles that can be removed, one after the other, without making its shortest solution shorter.
/// None of those left can be removed. None for an unsolvable board.
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
        // A vehicle that is needed stays so when others are gone: without it, and with less in the way, the solution
        // is at least as short.
        for label in unmoved(&board, &solution) {
            if let Some(smaller) = stays_as_hard(solver, &board, label, &solution, limits)? {
                board = smaller;
            }
        }
        // Without the vehicle at the front another one has to leave, and all others have to be tested again.
        let Some(label) = front(&board) else { return Ok(Some(board)) };
        match stays_as_hard(solver, &board, label, &solution, limits)? {
            Some(smaller) => board = smaller,
            None => return Ok(Some(board)),
        }
    }
}

/// The board without one of its vehicles, unless none is left that has to reach the exit.
pub fn without(board: &Board, index: usize) -> Option<Board> {
    let mut vehicles = board.vehicles().to_vec();
    if index >= vehicles.len() {
        return None;
    }
    vehicles.remove(index);
    Board::new(board.width(), board.height(), *board.walls(), vehicles, board.exit()).ok()
}

/// The label of the vehicle that has to reach the exit, if another one would have to without it.
fn front(board: &Board) -> Option<char> {
    without(board, 0).map(|_| board.target().label)
}

fn solution(solver: &mut Solver, board: &Board, limits: &Limits) -> Result<Option<Solution>, Limit> {
    let answer = solver.solve(board, Metric::Moves, limits);
    match answer.verdict {
        Verdict::Limit(limit) => Err(limit),
        Verdict::Solved | Verdict::Unsolvable => Ok(answer.solution),
    }
}

/// The labels of the vehicles that stand still in a solution. No other can be removed: without it the rest of the
/// solution is a shorter one. That does not hold for the vehicle that has to reach the exit, which is not among them.
fn unmoved(board: &Board, solution: &Solution) -> Vec<char> {
    let moves = |label| solution.0.iter().any(|mv| mv.label == label);
    board.vehicles().iter().skip(1).map(|vehicle| vehicle.label).filter(|&label| !moves(label)).collect()
}

/// The board without a vehicle, if that leaves a solution and none shorter than this one.
fn stays_as_hard(
    solver: &mut Solver,
    board: &Board,
    label: char,
    solution: &Solution,
    limits: &Limits,
) -> Result<Option<Board>, Limit> {
    let smaller = board.vehicle_labelled(label).and_then(|index| without(board, index));
    let Some(smaller) = smaller else { return Ok(None) };
    let answer = solver.solve(&smaller, Metric::Moves, limits);
    match answer.verdict {
        Verdict::Limit(limit) => Err(limit),
        Verdict::Unsolvable => Ok(None),
        Verdict::Solved => Ok((answer.lower_bound >= solution.moves()).then_some(smaller)),
    }
}
