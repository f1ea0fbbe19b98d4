//! Generates puzzles backwards from solved boards: all states of the component of a solved board are explored, and the
//! hardest one is the puzzle. So every generated puzzle is solvable.
//!
//! A random component is seldom hard. So the generator climbs: it changes the best puzzle a little, by removing a vehicle
//! or adding one or two, and keeps the result unless it is easier. Every board is reduced to a *minimal* puzzle: vehicles
//! that it does not need are removed until every vehicle of the hardest state is needed. Removing a vehicle may connect the
//! component to harder states, and it makes room for the next change.
//!
//! Boards with a side of more than eight cells have components too large to explore. There the generator starts with random
//! boards, and each board that it solves is a puzzle as it is.

use crate::minimal::stripped;
use crate::partial_board::{CAR, PartialBoard, TRUCK};
use crate::{Puzzle, Rng, Shape, rng};
use clearway_rush::{Board, Metric, Portfolio, Solver};
use clearway_search::{Limit, LimitChecker, Limits, Verdict};
use rand::RngExt;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Number of changes in a row without improvement after which an attempt ends.
const PATIENCE: u32 = 100;
/// Nodes and conflicts that each search on a large board takes at most.
pub(crate) const LARGE_NODES: u64 = 1 << 15;
/// Number of positions tried for a vehicle before the board counts as full.
const MAX_TRIES: u32 = 40;
/// One added vehicle in this number is a truck.
const TRUCKS: u32 = 4;

/// Which puzzles to generate, and with how much effort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Accepted lengths, in moves.
    pub moves: RangeInclusive<u32>,
    /// Target lengths, in moves. Each attempt draws one of them, so that many attempts cover the range, and returns the
    /// longest puzzle it has found if its length is accepted.
    pub aims: RangeInclusive<u32>,
    /// Maximum number of components that an attempt explores; of boards larger than 8x8 it solves a tenth of this number.
    pub max_components: u32,
}

impl Request {
    /// Requests puzzles of these lengths, all of them as targets, with a limit on components that works well in practice.
    pub fn new(moves: RangeInclusive<u32>) -> Request {
        Request { aims: moves.clone(), moves, max_components: 2_000 }
    }
}

/// Outcome of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackwardOutcome {
    /// Minimal puzzle of an accepted length, if one was found.
    pub puzzle: Option<Puzzle>,
    /// Length of the longest minimal puzzle found, in moves, even if it is too short. Puzzles that are too long do not count.
    pub longest: u32,
    /// Number of components explored, or of large boards solved.
    pub components: u32,
    /// Limit that ended the attempt early: cancelled or out of time.
    pub limit: Option<Limit>,
}

/// Makes attempt number `index` of the series identified by `seed`. The outcome depends only on the arguments, unless a limit
/// is reached. The time limit holds for the whole attempt, the other limits for each of its searches.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::backward::{Request, puzzle};
/// use clearway_rush::{Side, Solver};
/// let shape = Shape::new(6, 6, Side::Right, None, 0)?;
/// let request = Request::new(6..=12);
/// let attempt = puzzle(shape, &request, 7, 0, &mut Solver::new(), &Default::default());
/// assert!(attempt.puzzle.is_some_and(|puzzle| request.moves.contains(&puzzle.moves)));
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub fn puzzle(
    shape: Shape,
    request: &Request,
    seed: u64,
    index: u64,
    solver: &mut Solver,
    limits: &Limits,
) -> BackwardOutcome {
    let mut rng = rng::stream(seed, index);
    let checker = limits.checker();
    let mut search = BackwardSearch { shape, request, solver, limits, checker, attempt: BackwardOutcome::default() };
    if let Err(limit) = search.run(&mut rng) {
        search.attempt.limit = Some(limit);
    }
    search.attempt
}

struct BackwardSearch<'a> {
    shape: Shape,
    request: &'a Request,
    solver: &'a mut Solver,
    limits: &'a Limits,
    checker: LimitChecker<'a>,
    attempt: BackwardOutcome,
}

impl BackwardSearch<'_> {
    fn run(&mut self, rng: &mut Rng) -> Result<(), Limit> {
        let aim = rng.random_range(self.request.aims.clone());
        let mut best: Option<Puzzle> = None;
        let mut tried = HashSet::new();
        let mut failures = 0;
        // Large boards take longer, each by itself.
        let most = if self.shape.is_large() { self.request.max_components / 10 } else { self.request.max_components };
        while self.attempt.components < most && failures < PATIENCE && self.attempt.longest < aim {
            failures += 1;
            let partial = match &best {
                None if self.shape.is_large() => scattered(self.shape, rng),
                None => solved(self.shape, failures, rng),
                Some(best) => changed(&best.board, self.shape, rng),
            };
            let Some(board) = partial.board().filter(|board| tried.insert(board.clone())) else { continue };
            let least = best.as_ref().map_or(1, |best| best.moves);
            let minimal =
                if self.shape.is_large() { self.minimal_board(&board, least) } else { self.minimal(board, least) };
            let Some(minimal) = minimal?.filter(|minimal| minimal.moves <= *self.request.moves.end()) else { continue };
            if minimal.moves > least {
                failures = 0;
            }
            self.attempt.longest = minimal.moves;
            best = Some(minimal);
        }
        self.attempt.puzzle = best.filter(|best| self.request.moves.contains(&best.moves));
        Ok(())
    }

    /// Takes the hardest state of the board's component and removes the vehicles that it does not need, repeatedly, until
    /// nothing changes. Returns None if the component is, or becomes, too easy or too large.
    fn minimal(&mut self, mut board: Board, least: u32) -> Result<Option<Puzzle>, Limit> {
        let mut max_states = self.max_states(least);
        loop {
            let limits = self.limits_for(max_states)?;
            self.attempt.components += 1;
            let Some(hardest) = self.solver.hardest(&board, Metric::Moves, &limits) else { return Ok(None) };
            if hardest.depth < least {
                return Ok(None);
            }
            let Ok(farthest) = board.with_positions(&hardest.way[0]) else { return Ok(None) };
            // Removing vehicles below lets the others move more freely, so the component grows.
            max_states = self.max_states(u32::MAX);
            let limits = self.limits_for(max_states)?;
            match stripped(self.solver, &farthest, &limits) {
                Ok(Some(smaller)) if smaller.vehicles().len() < board.vehicles().len() => board = smaller,
                Ok(Some(_)) => {
                    let labelled = PartialBoard::from_board(&farthest, self.shape).board();
                    let (moves, states) = (hardest.depth, Some(hardest.states));
                    return Ok(labelled.map(|board| Puzzle { board, moves, states }));
                }
                Ok(None) | Err(_) => return Ok(None),
            }
        }
    }

    /// Removes the vehicles that a large board does not need. Returns None if it is too easy, too hard or unsolvable.
    fn minimal_board(&mut self, board: &Board, least: u32) -> Result<Option<Puzzle>, Limit> {
        let limits = self.limits_for(LARGE_NODES)?;
        self.attempt.components += 1;
        let answer = Portfolio::default().solve(self.solver, board, Metric::Moves, &limits, &mut |_| {});
        let moves = answer.lower_bound;
        if answer.verdict != Verdict::Solved || !(least..=*self.request.moves.end()).contains(&moves) {
            return Ok(None);
        }
        let Ok(Some(smaller)) = stripped(self.solver, board, &self.limits_for(LARGE_NODES)?) else { return Ok(None) };
        let labelled = PartialBoard::from_board(&smaller, self.shape).board();
        Ok(labelled.map(|board| Puzzle { board, moves, states: None }))
    }

    /// Returns the maximum size of a component worth exploring when the longest puzzle so far has this number of moves:
    /// small components are explored quickly, but long puzzles need larger ones.
    fn max_states(&self, moves: u32) -> u64 {
        // Measured: on 7x7 and 8x8 larger components are worth their time.
        let most = if self.shape.width().max(self.shape.height()) >= 7 { 64_000 } else { 16_000 };
        most / 100 * u64::from(moves.saturating_add(10).min(100))
    }

    /// Returns the limits of a search over at most `max_states` states, or the limit that ends the attempt.
    fn limits_for(&self, max_states: u64) -> Result<Limits, Limit> {
        if let Some(limit @ (Limit::Cancelled | Limit::Time)) = self.checker.check(0, 0) {
            return Err(limit);
        }
        let nodes = Some(self.limits.nodes.map_or(max_states, |nodes| nodes.min(max_states)));
        let time = self.limits.time.map(|time| time.saturating_sub(self.checker.elapsed()));
        Ok(Limits { nodes, time, ..self.limits.clone() })
    }
}

/// Creates a random solved board. After many failures, usually because components were too large, it has fewer vehicles.
fn solved(shape: Shape, failures: u32, rng: &mut Rng) -> PartialBoard {
    let mut partial = PartialBoard::new(shape, rng);
    partial.place_target(0);
    let cells = u32::from(shape.width()) * u32::from(shape.height());
    let halvings = failures / 8;
    let half = |vehicles: u32| vehicles.checked_shr(halvings).unwrap_or_default();
    let vehicles = rng.random_range(half(cells / 4).max(1)..=half(cells / 3).max(2));
    fill(&mut partial, vehicles, rng);
    partial
}

/// Creates a random board with the target somewhere before the exit, and with half to three quarters of its cells covered.
fn scattered(shape: Shape, rng: &mut Rng) -> PartialBoard {
    let mut partial = PartialBoard::new(shape, rng);
    partial.place_target(rng.random_range(1..=shape.line_cells() - CAR));
    let cells = u32::from(shape.width()) * u32::from(shape.height());
    let vehicles = rng.random_range(cells * 2 / 9..=cells / 3);
    fill(&mut partial, vehicles, rng);
    partial
}

/// Adds one or two vehicles to a board, after removing one with probability 1/2.
fn changed(board: &Board, shape: Shape, rng: &mut Rng) -> PartialBoard {
    let mut partial = PartialBoard::from_board(board, shape);
    let vehicles = partial.vehicles().len();
    if vehicles > 1 && rng.random() {
        partial.remove(rng.random_range(1..vehicles));
    }
    let more = rng.random_range(1..=2);
    fill(&mut partial, more, rng);
    partial
}

/// Adds this number of vehicles, or fewer if there is no room.
fn fill(partial: &mut PartialBoard, vehicles: u32, rng: &mut Rng) {
    for _ in 0..vehicles {
        let length = if rng.random_range(0..TRUCKS) == 0 { TRUCK } else { CAR };
        if !(0..MAX_TRIES).any(|_| partial.place_anywhere(length, rng)) {
            return;
        }
    }
}
