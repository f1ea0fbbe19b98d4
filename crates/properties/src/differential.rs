//! Comparison of several searches on one board.

use crate::shared::{text, with_solver};
use clearway_answers::SolveMethod;
use clearway_lab::ConfiguredAlgorithm;
use clearway_rush::formats::{ReadOptions, Reader};
use clearway_rush::{
    Answer, Board, Cells, Exit, MAX_SIDE, Metric, Orientation, Side, Solution, Vehicle, labels, replay,
};
use clearway_search::{Limits, Verdict};

/// Searches compared with the exact solver. They find shortest solutions, some of them in one metric only.
const SEARCHES: [&str; 7] = [
    "bfs",
    "astar(max(blockers-lower-bound, landmarks))",
    "ida(blockers)",
    "ida(pdb)",
    "ibex(landmarks)",
    "portfolio",
    "layers",
];
/// Node limit of each search, which for a SAT solver includes conflicts.
const NODES: u64 = 500;
/// Maximum number of cells of a board for which a pattern database is built, which takes longer than the searches.
const MAX_CELLS: u16 = 20;

/// Compares the searches on a board. The input is a board as text in any format; other inputs are decoded as a few bytes for each
/// vehicle and wall, so that most inputs are boards.
///
/// Every returned solution is valid; all searches that finish agree on the length, or that there is no solution; and no lower
/// bound exceeds the length of a solution.
pub fn differential(bytes: &[u8]) {
    let Some(board) = board(bytes) else { return };
    for metric in [Metric::Moves, Metric::Steps] {
        check(&board, metric);
    }
}

fn check(board: &Board, metric: Metric) {
    let limits = Limits { nodes: Some(NODES), memory: Some(64 << 20), ..Limits::default() };
    let exact = with_solver(|solver| solver.solve(board, metric, &limits));
    let mut answers = vec![("exact", exact)];
    for text in SEARCHES {
        let algorithm: ConfiguredAlgorithm = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let is_slow = text.contains("pdb") && u16::from(board.width()) * u16::from(board.height()) > MAX_CELLS;
        if is_slow || !algorithm.is_optimal(metric) {
            continue;
        }
        let method = SolveMethod::from(algorithm);
        let found = with_solver(|solver| clearway_answers::solve(&method, solver, board, metric, &limits, &mut |_| {}));
        answers.push((text, found.answer));
    }
    let shortest = answers.iter().filter_map(|(name, answer)| length(name, answer, board, metric)).min();
    for (name, answer) in &answers {
        let line = clearway_rush::formats::line(board);
        let effort = answer.statistics.expanded + answer.statistics.conflicts;
        assert!(effort <= NODES, "{name}: {effort} nodes and conflicts for {line}");
        match answer.verdict {
            Verdict::Solved => {
                assert_eq!(length(name, answer, board, metric), shortest, "{name} of {line}");
                assert_eq!(Some(answer.lower_bound), shortest, "{name} of {line}");
            }
            Verdict::Unsolvable => assert_eq!(shortest, None, "{name} proves that {line} is unsolvable"),
            Verdict::Limit(_) => {
                let bound = answer.lower_bound;
                assert!(shortest.is_none_or(|shortest| bound <= shortest), "{name} has lower bound {bound} for {line}");
            }
        }
    }
}

/// Returns the length of the solution of an answer, which must be valid.
fn length(name: &str, answer: &Answer, board: &Board, metric: Metric) -> Option<u32> {
    let solution: &Solution = answer.solution.as_ref()?;
    let replayed = replay(board, &solution.0).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(replayed.solved, "{name}: {solution} does not solve {}", clearway_rush::formats::line(board));
    Some(if metric == Metric::Moves { replayed.moves } else { replayed.steps })
}

fn board(bytes: &[u8]) -> Option<Board> {
    let read = || Reader::new(text(bytes)?.as_bytes(), ReadOptions::default()).next()?.ok();
    read().map(|puzzle| puzzle.board).or_else(|| decoded(bytes))
}

/// Decodes a board from bytes: its size and exit, then two bytes for each vehicle or wall. Those that do not fit are skipped.
fn decoded(bytes: &[u8]) -> Option<Board> {
    let (&[shape, exit], parts) = bytes.split_first_chunk()?;
    let (width, height) = (2 + shape % 8, 2 + (shape >> 4) % 8);
    let mut taken = [[false; MAX_SIDE as usize]; MAX_SIDE as usize];
    let (mut walls, mut vehicles) = (Cells::default(), Vec::new());
    for (&[place, form], &label) in parts.as_chunks::<2>().0.iter().zip(labels()) {
        let (x, y) = (place % width, (place >> 4) % height);
        let orientation = if form & 1 == 0 { Orientation::Horizontal } else { Orientation::Vertical };
        let vehicle = Vehicle { label, x, y, length: 2 + (form >> 1) % 3, orientation };
        let cells: Vec<(u8, u8)> = if form >= 224 { vec![(x, y)] } else { vehicle.cells().collect() };
        if cells.iter().any(|&(x, y)| x >= width || y >= height || taken[y as usize][x as usize]) {
            continue;
        }
        for &(x, y) in &cells {
            taken[y as usize][x as usize] = true;
        }
        if form >= 224 { walls.insert(x, y) } else { vehicles.push(vehicle) }
    }
    let side = [Side::Right, Side::Left, Side::Top, Side::Bottom][usize::from(exit % 4)];
    let exit = if exit & 4 == 0 { Exit::Target(side) } else { Exit::Any(side, (exit >> 3) % width.max(height)) };
    Board::new(width, height, walls, vehicles, exit).ok()
}
