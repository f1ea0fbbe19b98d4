//! Shortest solutions.
//!
//! Boards of at most nine cells are solved with the table of all distances ([`crate::exact`]). All others are searched by IDA*
//! with linear conflicts; boards of the 15-puzzle that are not solved quickly that way are searched with additive pattern
//! databases.

mod bounds;
mod ida;

use crate::exact::DistanceTable;
use crate::{Board, Move, Puzzle, Size};
use bounds::{ConflictBound, FifteenPatterns};
use clearway_search::{Limit, LimitChecker, Limits, SearchStatistics, Verdict};
use clearway_util::time::Instant;
use ida::{Geometry, HomeBoard, Ida, IdaOutcome};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Number of nodes to expand with linear conflicts before the databases are used, which takes a few milliseconds. It does not
/// depend on whether the databases exist already, so that the counts of a board are always the same.
const EASY_NODES: u64 = 20_000;

/// The databases of the 15-puzzle, built on first use.
static FIFTEEN_PATTERNS: Mutex<Option<Arc<FifteenPatterns>>> = Mutex::new(None);

/// Result of solving a puzzle.
#[derive(Clone, Debug)]
pub struct OptimalAnswer {
    /// How the search ended.
    pub verdict: Verdict,
    /// Shortest solution, if one was found.
    pub solution: Option<Vec<Move>>,
    /// Proven lower bound on the number of moves of any solution.
    pub lower_bound: u32,
    /// Search statistics, without the work to build tables that are shared by all boards.
    pub statistics: SearchStatistics,
    /// Name of the algorithm that gave the result.
    pub algorithm: &'static str,
    /// Wall-clock time, including that to build tables.
    pub time: Duration,
}

/// Solves puzzles and keeps its tables between calls. All solvers share the databases of the 15-puzzle.
///
/// ```
/// use clearway_search::Limits;
/// use clearway_tiles::{Board, Puzzle, optimal::Solver};
/// let puzzle = Puzzle::new(Board::parse("867254301")?)?;
/// let answer = Solver::new().solve(&puzzle, &Limits::default());
/// assert_eq!(answer.solution.unwrap().len(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solver {
    exact: Option<DistanceTable>,
}

/// Moves or limit, with the lower bound and the algorithm.
struct SolverResult {
    moves: Result<Vec<Move>, Limit>,
    lower_bound: u32,
    algorithm: &'static str,
}

impl Solver {
    /// Creates a solver without tables.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// Finds a shortest solution, proves that there is none, or stops at a limit.
    ///
    /// # Panics
    ///
    /// If a solution fails the replay, which would be a bug in the solver.
    pub fn solve(&mut self, puzzle: &Puzzle, limits: &Limits) -> OptimalAnswer {
        let started = Instant::now();
        let mut statistics = SearchStatistics { generated: 1, ..SearchStatistics::default() };
        if !puzzle.board().can_reach(puzzle.goal()) {
            let (verdict, time) = (Verdict::Unsolvable, started.elapsed());
            return OptimalAnswer { verdict, solution: None, lower_bound: 0, statistics, algorithm: "parity", time };
        }
        let found = if puzzle.goal().size().cells() <= DistanceTable::MAX_CELLS {
            self.look_up(puzzle, limits, &mut statistics)
        } else {
            search(puzzle, limits, &mut statistics)
        };
        let SolverResult { moves, lower_bound, algorithm } = found;
        let (verdict, solution) = match moves {
            Ok(solution) => {
                let end = crate::moves::replay(puzzle.board(), &solution);
                assert_eq!(end.as_ref(), Ok(puzzle.goal()), "the solution of {} does not replay", puzzle.board());
                (Verdict::Solved, Some(solution))
            }
            Err(limit) => (Verdict::Limit(limit), None),
        };
        OptimalAnswer { verdict, solution, lower_bound, statistics, algorithm, time: started.elapsed() }
    }

    /// Follows decreasing distances in the table to the goal.
    fn look_up(&mut self, puzzle: &Puzzle, limits: &Limits, statistics: &mut SearchStatistics) -> SolverResult {
        let checker = limits.checker();
        if self.exact.as_ref().is_none_or(|exact| exact.goal() != puzzle.goal()) {
            self.exact = DistanceTable::new(puzzle.goal());
        }
        let exact = self.exact.as_ref().expect("the board is small");
        statistics.peak_memory = exact.memory_usage() as u64;
        let distance = |board: &Board| exact.distance(board).expect("the parity is right");
        let (mut board, mut moves) = (*puzzle.board(), Vec::new());
        let lower_bound = u32::from(distance(&board));
        let end = |moves| SolverResult { moves, lower_bound, algorithm: "exact-table" };
        while board != *puzzle.goal() {
            if let Some(limit) = checker.check(statistics.expanded, exact.memory_usage()) {
                return end(Err(limit));
            }
            statistics.expanded += 1;
            let left = distance(&board);
            for mv in Move::ALL {
                let mut next = board;
                if next.make(mv) {
                    statistics.generated += 1;
                    if distance(&next) < left {
                        board = next;
                        moves.push(mv);
                        break;
                    }
                }
            }
        }
        end(Ok(moves))
    }
}

/// Searches by IDA*, first with the bound that is cheap to set up.
fn search(puzzle: &Puzzle, limits: &Limits, statistics: &mut SearchStatistics) -> SolverResult {
    let (size, blank) = (puzzle.goal().size(), puzzle.goal().blank());
    let checker = limits.checker();
    let (geometry, start) = (Geometry::new(size), HomeBoard::new(puzzle));
    let conflicts = ConflictBound { size, blank };
    let corner = CornerSymmetry::new(size, blank)
        .filter(|_| limits.memory.is_none_or(|memory| memory >= FifteenPatterns::BUILD_MEMORY));
    let Some(corner) = corner else {
        return solver_result(
            &start,
            size,
            Ida::new(&conflicts, 0, &geometry, &checker, statistics).run(&start, 0),
            IDA_CONFLICTS,
        );
    };
    let easy = Limits { nodes: Some(limits.nodes.map_or(EASY_NODES, |nodes| nodes.min(EASY_NODES))), ..limits.clone() };
    let easy_checker = easy.checker();
    let first = Ida::new(&conflicts, 0, &geometry, &easy_checker, statistics).run(&start, 0);
    let undecided = matches!(first.path, Err(Limit::Nodes)) && limits.nodes.is_none_or(|nodes| nodes > EASY_NODES);
    if !undecided {
        return solver_result(&start, size, first, IDA_CONFLICTS);
    }
    let lower_bound = first.lower_bound;
    let found = match fifteen_patterns(&checker, statistics.expanded) {
        Err(limit) => IdaOutcome { path: Err(limit), lower_bound },
        Ok(databases) => {
            statistics.peak_memory = databases.memory_usage() as u64;
            let bytes = databases.memory_usage();
            let mut found = Ida::new(&*databases, bytes, &geometry, &checker, statistics)
                .run(&corner.reflect_board(&start), lower_bound);
            found.path = found.path.map(|path| path.into_iter().map(|cell| corner.reflect(cell)).collect());
            found
        }
    };
    solver_result(&start, size, found, "ida(patterns)")
}

const IDA_CONFLICTS: &str = "ida(linear-conflict)";

/// Converts the path of the blank to moves.
fn solver_result(start: &HomeBoard, size: Size, found: IdaOutcome, algorithm: &'static str) -> SolverResult {
    let moves = found.path.map(|path| {
        let mut blank = start.blank;
        let step = |cell: u8| {
            let from = std::mem::replace(&mut blank, usize::from(cell));
            match (from, blank) {
                (from, to) if to == from + size.columns() => Move::Down,
                (from, to) if from == to + size.columns() => Move::Up,
                (from, to) if to > from => Move::Right,
                _ => Move::Left,
            }
        };
        path.into_iter().map(step).collect()
    });
    SolverResult { moves, lower_bound: found.lower_bound, algorithm }
}

/// Returns the databases, after building them if necessary, or the limit that was reached before they were complete.
fn fifteen_patterns(checker: &LimitChecker<'_>, expanded: u64) -> Result<Arc<FifteenPatterns>, Limit> {
    let mut shared = FIFTEEN_PATTERNS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(databases) = &*shared {
        return Ok(Arc::clone(databases));
    }
    let databases = FifteenPatterns::build(&|| checker.check(expanded, 0).is_none())
        .ok_or_else(|| checker.check(expanded, 0).unwrap_or(Limit::Cancelled))?;
    Ok(Arc::clone(shared.insert(Arc::new(databases))))
}

/// Reflection that moves the blank of a 15-puzzle goal from its corner to the last cell, where the databases expect it.
#[derive(Clone, Copy)]
struct CornerSymmetry {
    /// Mask for the bits of a cell: two for the row and two for the column, each pair inverted or not.
    mask: u8,
}

impl CornerSymmetry {
    fn new(size: Size, blank: usize) -> Option<CornerSymmetry> {
        let is_square = size.rows() == 4 && size.columns() == 4;
        (is_square && [0, 3, 12, 15].contains(&blank)).then_some(CornerSymmetry { mask: blank as u8 ^ 15 })
    }

    /// Reflects a cell.
    fn reflect(self, cell: u8) -> u8 {
        cell ^ self.mask
    }

    fn reflect_board(self, start: &HomeBoard) -> HomeBoard {
        let mut reflected = *start;
        for (cell, &home) in start.cells[..start.count].iter().enumerate() {
            reflected.cells[usize::from(self.reflect(cell as u8))] = self.reflect(home);
        }
        reflected.blank = usize::from(self.reflect(start.blank as u8));
        reflected
    }
}
