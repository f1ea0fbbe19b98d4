//! Generates the list: dense, hard 6x6 boards without walls, as in a catalogue of puzzles.
//!
//! A *climb* starts from a random board, or from a known hard one after a few changes. It changes one vehicle at a time, and
//! keeps a change unless the hardest state of the component becomes easier. Each component contributes its hardest state and a
//! few states of a shortest solution, depending on the lengths that are still missing in the list.

use crate::board_draft::{BoardDraft, random_board};
use crate::random::Random;
use clearway_rush::formats::{self, KnownLength, Puzzle};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Solver};
use clearway_search::Limits;
use clearway_util::parallel;
use std::collections::HashSet;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;

const SEED: u64 = 20_260_101;
/// Longest optimal solution of a 6x6 board without walls, in moves.
pub const LONGEST: usize = 51;
/// The hardest 6x6 board without walls.
pub const HARDEST: &str = "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.";
/// Maximum number of states of a component. Climbs skip larger ones, which would take all their time.
const MAX_STATES: u64 = 12_000;
/// Maximum number of boards of one component, not counting those longer than [`LONG`], which few components have.
const MAX_PER_COMPONENT: usize = 6;
/// Boards longer than this are taken from every component.
const LONG: u32 = 40;
/// Number of random walks from each long state, to find other long states.
const WALKS: usize = 20;

/// Number of climbs from random boards and from known ones.
#[derive(Clone, Copy, Debug)]
pub struct ClimbCounts {
    /// Number of climbs from random boards.
    pub random: usize,
    /// Number of climbs from known hard boards.
    pub known: usize,
}

impl ClimbCounts {
    /// Plan of the complete list.
    pub const FULL: ClimbCounts = ClimbCounts { random: 200, known: 450 };
}

/// Returns the number of boards of a length that the list should have.
pub fn wanted(length: usize) -> usize {
    match length {
        1..=10 => 60,
        11..=25 => 140,
        26..=40 => 90,
        41..=LONGEST => 14,
        _ => 0,
    }
}

/// Generates a list, which does not depend on the number of threads.
pub fn make(plan: ClimbCounts, threads: usize) -> Vec<Puzzle> {
    let known = known_hard_boards();
    let climbs = on_threads(plan.random + plan.known, threads, |solver, index| {
        if index < plan.random {
            Climb::new(index).run_from_random_board(solver)
        } else {
            Climb::new(index).run_from_known_board(solver, &known[index % known.len()])
        }
    });
    let mut solver = Solver::new();
    let hardest = known.iter().filter_map(|board| Peak::find(&mut solver, board, &Limits::default()));
    let mut peaks: Vec<Peak> = hardest.chain(climbs.into_iter().flatten()).collect();
    peaks.sort_by_key(|peak| std::cmp::Reverse(peak.depth));
    let mut selection = Selection::default();
    for peak in &peaks {
        let states = peak.solution_states(&mut solver);
        selection.take_from(&states);
        if peak.depth > LONG {
            selection.take_long(&mut solver, &states);
        }
    }
    selection.puzzles
}

/// Returns the number of cores.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs a task for every index, with one solver per thread. The results are in the order of the indices.
///
/// # Panics
/// If the task panics.
pub fn on_threads<T: Send>(count: usize, threads: usize, task: impl Fn(&mut Solver, usize) -> T + Sync) -> Vec<T> {
    let indices: Vec<usize> = (0..count).collect();
    let results = parallel::map_init(threads, &indices, &AtomicBool::new(false), Solver::new, |solver, &index| {
        task(solver, index)
    });
    results.expect("nothing cancels the work")
}

/// Hardest state of a component.
#[derive(Clone, Debug)]
struct Peak {
    board: Board,
    depth: u32,
}

impl Peak {
    /// Finds the hardest state of a board's component. Returns None if the board is unsolvable or a limit is reached.
    fn find(solver: &mut Solver, board: &Board, limits: &Limits) -> Option<Peak> {
        let facts = solver.analyze(board, Metric::Moves, limits);
        let board = BoardDraft::from_board(&facts.farthest?).board()?;
        let depth = facts.depth.filter(|&depth| facts.limit.is_none() && depth > 0)?;
        Some(Peak { board, depth })
    }

    /// Returns the states of a shortest solution, with their distances.
    fn solution_states(&self, solver: &mut Solver) -> Vec<(Board, u32)> {
        let answer = solver.solve(&self.board, Metric::Moves, &Limits::default());
        let moves = answer.solution.map_or(vec![], |solution| solution.0);
        assert_eq!(moves.len(), self.depth as usize, "{}", formats::line(&self.board));
        let (mut board, mut states) = (self.board.clone(), Vec::new());
        for (mv, distance) in moves.into_iter().zip((1..=self.depth).rev()) {
            states.push((board.clone(), distance));
            board.apply(mv).expect("a verified solution can be applied");
        }
        states
    }
}

/// Climb through components, each with a harder peak than the previous one.
struct Climb {
    random: Random,
    limits: Limits,
    peaks: Vec<Peak>,
}

impl Climb {
    fn new(index: usize) -> Climb {
        let limits = Limits { nodes: Some(MAX_STATES), ..Limits::default() };
        Climb { random: Random::new(SEED, index as u64), limits, peaks: vec![] }
    }

    fn run_from_random_board(mut self, solver: &mut Solver) -> Vec<Peak> {
        let (vehicles, trucks) = (8 + self.random.below(6), self.random.below(4));
        let start = loop {
            let board = random_board(vehicles - trucks, trucks, &mut self.random);
            if let Some(peak) = Peak::find(solver, &board, &self.limits) {
                break peak;
            }
        };
        let changes = 40 + self.random.below(100);
        self.climb(solver, start, changes)
    }

    fn run_from_known_board(mut self, solver: &mut Solver, known: &Board) -> Vec<Peak> {
        let mut draft = BoardDraft::from_board(known);
        let changed = (0..=self.random.below(4)).try_for_each(|_| draft.mutate(&mut self.random));
        let board = changed.and_then(|()| draft.board());
        let Some(start) = board.and_then(|board| Peak::find(solver, &board, &self.limits)) else { return vec![] };
        let changes = 20 + self.random.below(80);
        self.climb(solver, start, changes)
    }

    /// Makes this number of changes, and continues from each one after which the peak is as hard or harder.
    fn climb(mut self, solver: &mut Solver, start: Peak, changes: usize) -> Vec<Peak> {
        let mut best = start.clone();
        self.peaks.push(start);
        for _ in 0..changes {
            let mut draft = BoardDraft::from_board(&best.board);
            let Some(board) = draft.mutate(&mut self.random).and_then(|()| draft.board()) else { continue };
            let Some(peak) = Peak::find(solver, &board, &self.limits) else { continue };
            if peak.depth > best.depth {
                self.peaks.push(peak.clone());
            }
            if peak.depth >= best.depth {
                best = peak;
            }
        }
        self.peaks
    }
}

/// Returns the hardest board, and the boards of the suites that are 6x6, without walls, and take at least 20 moves.
fn known_hard_boards() -> Vec<Board> {
    let suites = ["servais", "walls", "course", "cards", "it3105"];
    let boards = suites.into_iter().filter_map(Suite::find).flat_map(Suite::puzzles);
    let hard = boards.filter(|puzzle| {
        let Puzzle { board, moves, .. } = puzzle;
        (board.width(), board.height()) == (6, 6)
            && board.walls().iter().next().is_none()
            && moves.is_some_and(|moves| moves.value() >= 20)
    });
    let hardest = formats::read_one(HARDEST, None).expect("the hardest board can be read");
    std::iter::once(hardest).chain(hard).filter_map(|puzzle| BoardDraft::from_board(&puzzle.board).board()).collect()
}

/// Creates a puzzle from a board and its proven optimum in moves.
pub fn puzzle(board: Board, length: u32) -> Puzzle {
    Puzzle { moves: Some(KnownLength::Exactly(length)), ..Puzzle::new(board) }
}

/// Makes random slides, and returns the resulting state as a relabelled board.
pub fn wander(board: &Board, slides: usize, random: &mut Random) -> Option<Board> {
    let mut board = board.clone();
    for _ in 0..slides {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return None;
        }
        board.apply(moves[random.below(moves.len())]).ok()?;
    }
    BoardDraft::from_board(&board).board()
}

/// List under construction.
struct Selection {
    puzzles: Vec<Puzzle>,
    seen: HashSet<String>,
    /// For each length: the number of boards still missing.
    missing: [usize; LONGEST + 1],
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { puzzles: vec![], seen: HashSet::new(), missing: std::array::from_fn(wanted) }
    }
}

impl Selection {
    /// Takes the states of one component whose lengths are missing, the longest first.
    fn take_from(&mut self, states: &[(Board, u32)]) {
        let mut taken = 0;
        for (board, length) in states {
            if *length > LONG {
                self.take(board, *length);
            } else if taken < MAX_PER_COMPONENT {
                taken += usize::from(self.take(board, *length));
            }
        }
    }

    /// Takes long states near the given ones.
    fn take_long(&mut self, solver: &mut Solver, states: &[(Board, u32)]) {
        for (board, distance) in states.iter().filter(|&&(_, distance)| distance > LONG) {
            if self.missing[*distance as usize] == 0 {
                continue;
            }
            let mut random = Random::new(SEED, u64::MAX - u64::from(*distance));
            for _ in 0..WALKS {
                let slides = 1 + random.below(4);
                let Some(near) = wander(board, slides, &mut random) else { continue };
                if self.seen.contains(&formats::line(&near)) {
                    continue;
                }
                let facts = solver.analyze(&near, Metric::Moves, &Limits::default());
                if let Some(distance) = facts.distance.filter(|&distance| distance > LONG) {
                    self.take(&near, distance);
                }
            }
        }
    }

    /// Takes a board if it is new and its length is missing. Returns whether it was taken.
    fn take(&mut self, board: &Board, length: u32) -> bool {
        let Some(board) = BoardDraft::from_board(board).board() else { return false };
        if self.missing[length as usize] == 0 || !self.seen.insert(formats::line(&board)) {
            return false;
        }
        self.missing[length as usize] -= 1;
        self.puzzles.push(puzzle(board, length));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_do_not_depend_on_threads_and_have_correct_lengths() {
        let plan = ClimbCounts { random: 8, known: 4 };
        let list = make(plan, 1);
        assert_eq!(list, make(plan, 3));
        assert!(list.len() > 60, "{}", list.len());
        let mut solver = Solver::new();
        for puzzle in &list {
            let answer = solver.solve(&puzzle.board, Metric::Moves, &Limits::default());
            assert_eq!(
                Some(KnownLength::Exactly(answer.lower_bound)),
                puzzle.moves,
                "{}",
                formats::line(&puzzle.board)
            );
        }
        assert!(list.iter().any(|puzzle| puzzle.moves == Some(KnownLength::Exactly(51))));
    }
}
