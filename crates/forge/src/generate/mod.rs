//! Generates minimal puzzles of given lengths.
//!
//! - `backward`: small boards; the hardest state that can be reached from a solved board
//! - `forward`: large boards; random boards, each solved from its initial state
//!
//! A random board is seldom hard. So the generator climbs: it changes the best puzzle a little, by removing a vehicle or adding
//! one or two, and keeps the result unless it is easier. Every board is reduced to a *minimal* puzzle: vehicles that it does not
//! need are removed until every vehicle is needed. On small boards, removing a vehicle may connect the component to harder states;
//! everywhere it makes room for the next change.

mod backward;
mod forward;

pub(crate) use forward::LARGE_NODES;

use crate::partial_board::{CAR, PartialBoard, TRUCK};
use crate::{GeneratedPuzzle, Rng, Shape, rng};
use clearway_rush::{Board, Solver};
use clearway_search::{Limit, LimitChecker, Limits};
use rand::RngExt;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Number of changes in a row without improvement after which an attempt ends.
const PATIENCE: u32 = 100;
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
    /// Maximum number of components that an attempt explores; of large boards it solves a tenth of this number.
    pub max_components: u32,
}

impl Request {
    /// Requests puzzles of these lengths, all of them as targets, with a limit on components that works well in practice.
    pub fn new(moves: RangeInclusive<u32>) -> Request {
        Request { aims: moves.clone(), moves, max_components: 2_000 }
    }
}

/// Outcome of an attempt to generate a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// Minimal puzzle of an accepted length, if one was found.
    pub puzzle: Option<GeneratedPuzzle>,
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
/// use clearway_forge::generate::{Request, puzzle};
/// use clearway_rush::{Side, Solver};
/// let shape = Shape::new(6, 6, Side::Right, None, 0)?;
/// let request = Request::new(6..=12);
/// let attempt = puzzle(shape, &request, 7, 0, &mut Solver::new(), &Default::default());
/// assert!(attempt.puzzle.is_some_and(|puzzle| request.moves.contains(&puzzle.moves)));
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub fn puzzle(shape: Shape, request: &Request, seed: u64, index: u64, solver: &mut Solver, limits: &Limits) -> Attempt {
    let mut rng = rng::stream(seed, index);
    let checker = limits.checker();
    let mut generator = Generator { shape, request, solver, limits, checker, attempt: Attempt::default() };
    if let Err(limit) = generator.run(&mut rng) {
        generator.attempt.limit = Some(limit);
    }
    generator.attempt
}

struct Generator<'a> {
    shape: Shape,
    request: &'a Request,
    solver: &'a mut Solver,
    limits: &'a Limits,
    checker: LimitChecker<'a>,
    attempt: Attempt,
}

impl Generator<'_> {
    fn run(&mut self, rng: &mut Rng) -> Result<(), Limit> {
        let aim = rng.random_range(self.request.aims.clone());
        let mut best: Option<GeneratedPuzzle> = None;
        let mut tried = HashSet::new();
        let mut failures = 0;
        let is_large = self.shape.is_large();
        // Large boards take longer, each by itself.
        let most = if is_large { self.request.max_components / 10 } else { self.request.max_components };
        while self.attempt.components < most && failures < PATIENCE && self.attempt.longest < aim {
            failures += 1;
            let partial = match &best {
                None if is_large => forward::start(self.shape, rng),
                None => backward::start(self.shape, failures, rng),
                Some(best) => changed(&best.board, self.shape, rng),
            };
            let Some(board) = partial.board().filter(|board| tried.insert(board.clone())) else { continue };
            let least = best.as_ref().map_or(1, |best| best.moves);
            let minimal =
                if is_large { forward::reduce(self, &board, least) } else { backward::reduce(self, board, least) };
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
