//! Makes the list: dense, hard 6x6 boards without walls, as in a catalogue of puzzles.
//!
//! A *climb* begins with a random board, or with a known hard one that was changed a little, and keeps changing one vehicle
//! as long as the hardest state of the component does not become easier. From each component come its hardest state and
//! a few states on a shortest way out, by what the list still lacks at each length.

use crate::layout::{Layout, random_board};
use crate::random::Random;
use clearway_rush::formats::{self, Known, Puzzle};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Solver};
use clearway_search::Limits;
use std::collections::HashSet;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};

const SEED: u64 = 20_260_101;
/// The longest optimum of a 6x6 board without walls.
pub const LONGEST: usize = 51;
/// The hardest 6x6 board without walls.
pub const HARDEST: &str = "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.";
/// Larger components are left out of climbs, which would spend all their time in them.
const MOST_STATES: u64 = 12_000;
/// At most so many boards of one component, but for the longest lengths, which few components have.
const OF_ONE_COMPONENT: usize = 6;
/// Longer than this is taken from every component that has it.
const LONG: u32 = 40;
/// Random walks from each long state, to find other states as long.
const WALKS: usize = 20;

/// How many climbs begin with random boards, and how many with known ones.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Climbs from random boards.
    pub random: usize,
    /// Climbs from known hard boards.
    pub known: usize,
}

impl Plan {
    /// The plan of the list.
    pub const FULL: Plan = Plan { random: 200, known: 450 };
}

/// How many boards of a length the list should have.
pub fn wanted(length: usize) -> usize {
    match length {
        1..=10 => 60,
        11..=25 => 140,
        26..=40 => 90,
        41..=LONGEST => 14,
        _ => 0,
    }
}

/// Makes a list; on any number of threads the same one.
pub fn make(plan: Plan, threads: usize) -> Vec<Puzzle> {
    let known = known_hard_boards();
    let climbs = on_threads(plan.random + plan.known, threads, |solver, index| {
        if index < plan.random {
            Climb::new(index).begin_at_random(solver)
        } else {
            Climb::new(index).begin_near(solver, &known[index % known.len()])
        }
    });
    let mut solver = Solver::new();
    let hardest = known.iter().filter_map(|board| Peak::of(&mut solver, board, &Limits::default()));
    let mut peaks: Vec<Peak> = hardest.chain(climbs.into_iter().flatten()).collect();
    peaks.sort_by_key(|peak| std::cmp::Reverse(peak.depth));
    let mut selection = Selection::default();
    for peak in &peaks {
        let states = peak.way_out(&mut solver);
        selection.take_from(&states);
        if peak.depth > LONG {
            selection.take_long(&mut solver, &states);
        }
    }
    selection.puzzles
}

/// As many threads as there are cores.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs a task for every index, each thread with a solver of its own; the results are in the order of the indices.
///
/// # Panics
/// If the task does.
pub fn on_threads<T: Send>(count: usize, threads: usize, task: impl Fn(&mut Solver, usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut solver = Solver::new();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            done.push((index, task(&mut solver, index)));
        }
    };
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the task does not panic")).collect()
    });
    results.sort_unstable_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The hardest state of a component.
#[derive(Clone, Debug)]
struct Peak {
    board: Board,
    depth: u32,
}

impl Peak {
    /// The hardest state of a board's component, if it is solvable and within the limits.
    fn of(solver: &mut Solver, board: &Board, limits: &Limits) -> Option<Peak> {
        let facts = solver.analyze(board, Metric::Moves, limits);
        let board = Layout::of(&facts.farthest?).board()?;
        let depth = facts.depth.filter(|&depth| facts.limit.is_none() && depth > 0)?;
        Some(Peak { board, depth })
    }

    /// The states on a shortest way out, with their distances.
    fn way_out(&self, solver: &mut Solver) -> Vec<(Board, u32)> {
        let answer = solver.solve(&self.board, Metric::Moves, &Limits::default());
        let moves = answer.solution.map_or(vec![], |solution| solution.0);
        assert_eq!(moves.len(), self.depth as usize, "{}", formats::line(&self.board));
        let (mut board, mut states) = (self.board.clone(), Vec::new());
        for (mv, distance) in moves.into_iter().zip((1..=self.depth).rev()) {
            states.push((board.clone(), distance));
            board.apply(mv).expect("a solution that passed its replay can be applied");
        }
        states
    }
}

/// The components that a climb passes through, each with a harder peak than the one before.
struct Climb {
    random: Random,
    limits: Limits,
    peaks: Vec<Peak>,
}

impl Climb {
    fn new(index: usize) -> Climb {
        let limits = Limits { nodes: Some(MOST_STATES), ..Limits::default() };
        Climb { random: Random::new(SEED, index as u64), limits, peaks: vec![] }
    }

    fn begin_at_random(mut self, solver: &mut Solver) -> Vec<Peak> {
        let (vehicles, trucks) = (8 + self.random.below(6), self.random.below(4));
        let start = loop {
            let board = random_board(vehicles - trucks, trucks, &mut self.random);
            if let Some(peak) = Peak::of(solver, &board, &self.limits) {
                break peak;
            }
        };
        let changes = 40 + self.random.below(100);
        self.climb(solver, start, changes)
    }

    fn begin_near(mut self, solver: &mut Solver, known: &Board) -> Vec<Peak> {
        let mut layout = Layout::of(known);
        let changed = (0..=self.random.below(4)).try_for_each(|_| layout.mutate(&mut self.random));
        let board = changed.and_then(|()| layout.board());
        let Some(start) = board.and_then(|board| Peak::of(solver, &board, &self.limits)) else { return vec![] };
        let changes = 20 + self.random.below(80);
        self.climb(solver, start, changes)
    }

    /// Changes the board so many times, and goes on from each change that leaves the peak as hard or harder.
    fn climb(mut self, solver: &mut Solver, start: Peak, changes: usize) -> Vec<Peak> {
        let mut best = start.clone();
        self.peaks.push(start);
        for _ in 0..changes {
            let mut layout = Layout::of(&best.board);
            let Some(board) = layout.mutate(&mut self.random).and_then(|()| layout.board()) else { continue };
            let Some(peak) = Peak::of(solver, &board, &self.limits) else { continue };
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

/// The hardest board, and the boards of the suites that are 6x6, without walls and not easy.
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
    std::iter::once(hardest).chain(hard).filter_map(|puzzle| Layout::of(&puzzle.board).board()).collect()
}

/// A board with its proven optimum in moves.
pub fn puzzle(board: Board, length: u32) -> Puzzle {
    Puzzle { moves: Some(Known::Exactly(length)), ..Puzzle::new(board) }
}

/// A state some random slides away, as a board of its own.
pub fn wander(board: &Board, slides: usize, random: &mut Random) -> Option<Board> {
    let mut board = board.clone();
    for _ in 0..slides {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return None;
        }
        board.apply(moves[random.below(moves.len())]).ok()?;
    }
    Layout::of(&board).board()
}

/// The list as it grows.
struct Selection {
    puzzles: Vec<Puzzle>,
    seen: HashSet<String>,
    lacking: [usize; LONGEST + 1],
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { puzzles: vec![], seen: HashSet::new(), lacking: std::array::from_fn(wanted) }
    }
}

impl Selection {
    /// Takes the states of one component that the list lacks, the longest first.
    fn take_from(&mut self, states: &[(Board, u32)]) {
        let mut taken = 0;
        for (board, length) in states {
            if *length > LONG {
                self.take(board, *length);
            } else if taken < OF_ONE_COMPONENT {
                taken += usize::from(self.take(board, *length));
            }
        }
    }

    /// Takes long states near those given.
    fn take_long(&mut self, solver: &mut Solver, states: &[(Board, u32)]) {
        for (board, distance) in states.iter().filter(|&&(_, distance)| distance > LONG) {
            if self.lacking[*distance as usize] == 0 {
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

    /// Takes a board, if its length is lacking and it is a new one.
    fn take(&mut self, board: &Board, length: u32) -> bool {
        let Some(board) = Layout::of(board).board() else { return false };
        if self.lacking[length as usize] == 0 || !self.seen.insert(formats::line(&board)) {
            return false;
        }
        self.lacking[length as usize] -= 1;
        self.puzzles.push(puzzle(board, length));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_the_same_on_any_number_of_threads_and_its_lengths_are_right() {
        let plan = Plan { random: 8, known: 4 };
        let list = make(plan, 1);
        assert_eq!(list, make(plan, 3));
        assert!(list.len() > 60, "{}", list.len());
        let mut solver = Solver::new();
        for puzzle in &list {
            let answer = solver.solve(&puzzle.board, Metric::Moves, &Limits::default());
            assert_eq!(Some(Known::Exactly(answer.lower_bound)), puzzle.moves, "{}", formats::line(&puzzle.board));
        }
        assert!(list.iter().any(|puzzle| puzzle.moves == Some(Known::Exactly(51))));
    }
}
