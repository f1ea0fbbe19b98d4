//! Shortest solutions.
//!
//! Frames of at most nine cells are looked up in the table of all distances ([`crate::exact`]). All others are searched by
//! IDA*: first with linear conflict, and the 15-puzzle, when that has not been enough, with additive pattern databases.

mod bounds;
mod ida;

use crate::exact::Exact;
use crate::{Board, Move, Puzzle, Size};
use bounds::{Conflicts, Fifteen};
use clearway_search::{Counters, Limit, Limits, Verdict, Watch};
use ida::{Found, Frame, Ida, Start};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many nodes linear conflict may expand before the databases are built, or asked: a few milliseconds. It is the same
/// whether they are there or not, so that the same board always counts the same.
const EASY: u64 = 20_000;

/// The databases of the 15-puzzle, once somebody needed them.
static FIFTEEN: Mutex<Option<Arc<Fifteen>>> = Mutex::new(None);

/// The answer to a puzzle.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How it ended.
    pub verdict: Verdict,
    /// A shortest solution, if one was found.
    pub solution: Option<Vec<Move>>,
    /// No solution is shorter.
    pub lower_bound: u32,
    /// What was counted. Tables that serve every board are not searched: what was done to build them is left out.
    pub counters: Counters,
    /// How it was found.
    pub algorithm: &'static str,
    /// Wall-clock time, with that for tables that were not there yet.
    pub time: Duration,
}

/// Solves one puzzle after the other, and keeps its tables in between. All solvers share the databases of the 15-puzzle.
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
    exact: Option<Exact>,
}

/// What was found, and how.
struct Way {
    moves: Result<Vec<Move>, Limit>,
    lower_bound: u32,
    algorithm: &'static str,
}

impl Solver {
    /// A solver without tables.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// Finds a shortest solution, or that there is none, or comes to a limit.
    ///
    /// # Panics
    ///
    /// If a solution does not replay, which would be a fault of the solver.
    pub fn solve(&mut self, puzzle: &Puzzle, limits: &Limits) -> Answer {
        let started = Instant::now();
        let mut counters = Counters { generated: 1, ..Counters::default() };
        if !puzzle.board().reaches(puzzle.goal()) {
            let (verdict, time) = (Verdict::Unsolvable, started.elapsed());
            return Answer { verdict, solution: None, lower_bound: 0, counters, algorithm: "parity", time };
        }
        let found = if puzzle.goal().size().cells() <= Exact::MOST_CELLS {
            self.look_up(puzzle, limits, &mut counters)
        } else {
            search(puzzle, limits, &mut counters)
        };
        let Way { moves, lower_bound, algorithm } = found;
        let (verdict, solution) = match moves {
            Ok(solution) => {
                let end = crate::moves::replay(puzzle.board(), &solution);
                assert_eq!(end.as_ref(), Ok(puzzle.goal()), "the solution of {} does not replay", puzzle.board());
                (Verdict::Solved, Some(solution))
            }
            Err(limit) => (Verdict::Limit(limit), None),
        };
        Answer { verdict, solution, lower_bound, counters, algorithm, time: started.elapsed() }
    }

    /// The way down the distances.
    fn look_up(&mut self, puzzle: &Puzzle, limits: &Limits, counters: &mut Counters) -> Way {
        let watch = limits.watch();
        if self.exact.as_ref().is_none_or(|exact| exact.goal() != puzzle.goal()) {
            self.exact = Exact::new(puzzle.goal());
        }
        let exact = self.exact.as_ref().expect("the frame is small");
        counters.peak_memory = exact.bytes() as u64;
        let distance = |board: &Board| exact.distance(board).expect("the parity is right");
        let (mut board, mut moves) = (*puzzle.board(), Vec::new());
        let lower_bound = u32::from(distance(&board));
        let end = |moves| Way { moves, lower_bound, algorithm: "exact-table" };
        while board != *puzzle.goal() {
            if let Some(limit) = watch.check(counters.expanded, exact.bytes()) {
                return end(Err(limit));
            }
            counters.expanded += 1;
            let left = distance(&board);
            for mv in Move::ALL {
                let mut next = board;
                if next.make(mv) {
                    counters.generated += 1;
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

/// IDA*, with the estimate that is worth its price.
fn search(puzzle: &Puzzle, limits: &Limits, counters: &mut Counters) -> Way {
    let (size, blank) = (puzzle.goal().size(), puzzle.goal().blank());
    let watch = limits.watch();
    let (frame, start) = (Frame::new(size), Start::of(puzzle));
    let conflicts = Conflicts { size, blank };
    let corner = Corner::of(size, blank).filter(|_| limits.memory.is_none_or(|memory| memory >= Fifteen::BYTES));
    let Some(corner) = corner else {
        return way(&start, size, Ida::new(&conflicts, 0, &frame, &watch, counters).run(&start, 0), CONFLICTS);
    };
    let easy = Limits { nodes: Some(limits.nodes.map_or(EASY, |nodes| nodes.min(EASY))), ..limits.clone() };
    let easy_watch = easy.watch();
    let first = Ida::new(&conflicts, 0, &frame, &easy_watch, counters).run(&start, 0);
    let undecided = matches!(first.path, Err(Limit::Nodes)) && limits.nodes.is_none_or(|nodes| nodes > EASY);
    if !undecided {
        return way(&start, size, first, CONFLICTS);
    }
    let lower_bound = first.lower_bound;
    let found = match fifteen(&watch, counters.expanded) {
        Err(limit) => Found { path: Err(limit), lower_bound },
        Ok(databases) => {
            counters.peak_memory = databases.bytes() as u64;
            let bytes = databases.bytes();
            let mut found =
                Ida::new(&*databases, bytes, &frame, &watch, counters).run(&corner.turn(&start), lower_bound);
            found.path = found.path.map(|path| path.into_iter().map(|cell| corner.cell(cell)).collect());
            found
        }
    };
    way(&start, size, found, "ida(patterns)")
}

const CONFLICTS: &str = "ida(linear-conflict)";

/// What was found as moves.
fn way(start: &Start, size: Size, found: Found, algorithm: &'static str) -> Way {
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
    Way { moves, lower_bound: found.lower_bound, algorithm }
}

/// The databases, built now if need be; or the limit that was reached before they were.
fn fifteen(watch: &Watch<'_>, expanded: u64) -> Result<Arc<Fifteen>, Limit> {
    let mut shared = FIFTEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(databases) = &*shared {
        return Ok(Arc::clone(databases));
    }
    let databases = Fifteen::build(&|| watch.check(expanded, 0).is_none())
        .ok_or_else(|| watch.check(expanded, 0).unwrap_or(Limit::Cancelled))?;
    Ok(Arc::clone(shared.insert(Arc::new(databases))))
}

/// The corner that the blank of a goal of the 15-puzzle is in. Turned over, the frame has it where the databases do.
#[derive(Clone, Copy)]
struct Corner {
    /// What turns a cell's number: two bits for the row and two for the column, each turned or not.
    mask: u8,
}

impl Corner {
    fn of(size: Size, blank: usize) -> Option<Corner> {
        let is_square = size.rows() == 4 && size.columns() == 4;
        (is_square && [0, 3, 12, 15].contains(&blank)).then_some(Corner { mask: blank as u8 ^ 15 })
    }

    /// Where a cell is in the frame turned over.
    fn cell(self, cell: u8) -> u8 {
        cell ^ self.mask
    }

    fn turn(self, start: &Start) -> Start {
        let mut turned = *start;
        for (cell, &home) in start.cells[..start.count].iter().enumerate() {
            turned.cells[usize::from(self.cell(cell as u8))] = self.cell(home);
        }
        turned.blank = usize::from(self.cell(start.blank as u8));
        turned
    }
}
