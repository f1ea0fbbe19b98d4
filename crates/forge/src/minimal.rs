//! Vehicles that a puzzle does not need. A puzzle is *minimal* if no vehicle can be removed without making it easier.

use clearway_rush::{Board, Metric, Solver};
use clearway_search::{Limit, Limits, Verdict};

/// The labels of the vehicles that can be removed, each alone, without making the board's shortest solution (in moves)
/// shorter. None for an unsolvable board. The limit on time is one for all searches together.
///
/// ```
/// use clearway_forge::minimal::removable;
/// use clearway_rush::{Solver, formats};
/// let board = formats::read_one("..B.....B...AAB...................CC", None).unwrap().board;
/// let labels = removable(&mut Solver::new(), &board, &Default::default()).unwrap();
/// assert_eq!(labels, ['C']);
/// ```
pub fn removable(solver: &mut Solver, board: &Board, limits: &Limits) -> Result<Vec<char>, Limit> {
    let watch = limits.watch();
    let answer = solver.solve(board, Metric::Moves, limits);
    if let Verdict::Limit(limit) = answer.verdict {
        return Err(limit);
    }
    let Some(solution) = answer.solution else { return Ok(Vec::new()) };
    let mut labels = Vec::new();
    for (index, vehicle) in board.vehicles().iter().enumerate().skip(1) {
        let Some(smaller) = without(board, index) else { continue };
        let easier = solver.solve(&smaller, Metric::Moves, &limits.after(watch.elapsed()));
        if let Verdict::Limit(limit) = easier.verdict {
            return Err(limit);
        }
        if easier.lower_bound >= solution.moves() {
            labels.push(vehicle.label);
        }
    }
    Ok(labels)
}

/// The board without one of its vehicles, unless that is the one that has to reach the exit.
pub fn without(board: &Board, index: usize) -> Option<Board> {
    let mut vehicles = board.vehicles().to_vec();
    if index == 0 || index >= vehicles.len() {
        return None;
    }
    vehicles.remove(index);
    Board::new(board.width(), board.height(), *board.walls(), vehicles, board.exit()).ok()
}
