//! Puzzles made backwards, from solved boards: the component of a solved board is walked and its hardest state taken, so
//! that nothing unsolvable is ever made.
//!
//! A random component is seldom hard. So what is found is changed a little, a vehicle away and one or two more, again and
//! again, and kept unless that makes it easier. On the way every board is reduced to a *minimal* puzzle: vehicles that it
//! does not need are dropped, which may open new ways and with them a harder state, until none can be dropped from the
//! hardest state. That makes room for the next change.

use crate::layout::{CAR, Layout, TRUCK};
use crate::minimal::stripped;
use crate::{Puzzle, Rng, Shape, rng};
use clearway_rush::{Board, Metric, Solver};
use clearway_search::{Limit, Limits, Watch};
use rand::RngExt;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// An attempt ends after so many changes in a row that made nothing harder.
const PATIENCE: u32 = 100;
/// How many places are tried for a vehicle before a board counts as full.
const TRIES: u32 = 40;
/// One in so many of the vehicles that are added is a truck.
const TRUCKS: u32 = 4;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The lengths that will do, in moves.
    pub moves: RangeInclusive<u32>,
    /// The lengths aimed at: each attempt aims at one of them, so that many attempts give all of them, and settles for
    /// the longest puzzle that it found if that will do.
    pub aims: RangeInclusive<u32>,
    /// An attempt ends after walking so many components.
    pub most_walks: u32,
}

impl Request {
    /// Puzzles of these lengths, all of them aimed at, with the effort that was found to pay.
    pub fn new(moves: RangeInclusive<u32>) -> Request {
        Request { aims: moves.clone(), moves, most_walks: 2_000 }
    }
}

/// What came of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// A minimal puzzle of a length that was asked for.
    pub puzzle: Option<Puzzle>,
    /// The most moves of any minimal puzzle that was found, also if that is too short, but for those that are too long.
    pub longest: u32,
    /// The number of components walked.
    pub walks: u32,
    /// Why it ended early: it was cancelled, or its time was up.
    pub limit: Option<Limit>,
}

/// Makes puzzle `index` of the series that `seed` names, or fails to, the same whoever does it and whenever. The limit
/// on time is one for the whole attempt, the others hold for each of the many searches in it.
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
pub fn puzzle(shape: Shape, request: &Request, seed: u64, index: u64, solver: &mut Solver, limits: &Limits) -> Attempt {
    let mut rng = rng::stream(seed, index);
    let mut climb = Climb { shape, request, solver, limits, watch: limits.watch(), made: Attempt::default() };
    if let Err(limit) = climb.run(&mut rng) {
        climb.made.limit = Some(limit);
    }
    climb.made
}

struct Climb<'a> {
    shape: Shape,
    request: &'a Request,
    solver: &'a mut Solver,
    limits: &'a Limits,
    watch: Watch<'a>,
    made: Attempt,
}

impl Climb<'_> {
    fn run(&mut self, rng: &mut Rng) -> Result<(), Limit> {
        let aim = rng.random_range(self.request.aims.clone());
        let mut best: Option<Puzzle> = None;
        let mut tried = HashSet::new();
        let mut in_vain = 0;
        while self.made.walks < self.request.most_walks && in_vain < PATIENCE && self.made.longest < aim {
            in_vain += 1;
            let layout = match &best {
                None => solved(self.shape, in_vain, rng),
                Some(best) => changed(&best.board, self.shape, rng),
            };
            let Some(board) = layout.board().filter(|board| tried.insert(board.clone())) else { continue };
            let least = best.as_ref().map_or(1, |best| best.moves);
            let Some(minimal) = self.minimal(board, least)? else { continue };
            if minimal.moves > *self.request.moves.end() {
                continue;
            }
            if minimal.moves > least {
                in_vain = 0;
            }
            self.made.longest = minimal.moves;
            best = Some(minimal);
        }
        self.made.puzzle = best.filter(|best| self.request.moves.contains(&best.moves));
        Ok(())
    }

    /// Goes to the hardest state of a board's component and drops what that does not need, again and again until nothing
    /// changes. None if the component is too easy or too large, or becomes so.
    fn minimal(&mut self, mut board: Board, least: u32) -> Result<Option<Puzzle>, Limit> {
        let mut most_states = self.most_states(least);
        loop {
            let limits = self.limits_for(most_states)?;
            self.made.walks += 1;
            let Some(hardest) = self.solver.hardest(&board, Metric::Moves, &limits) else { return Ok(None) };
            if hardest.depth < least {
                return Ok(None);
            }
            let Ok(farthest) = board.with_positions(&hardest.way[0]) else { return Ok(None) };
            // What is dropped below opens ways, so that the component grows.
            most_states = self.most_states(u32::MAX);
            let limits = self.limits_for(most_states)?;
            match stripped(self.solver, &farthest, &limits) {
                Ok(Some(smaller)) if smaller.vehicles().len() < board.vehicles().len() => board = smaller,
                Ok(Some(_)) => {
                    let labelled = Layout::of(&farthest, self.shape).board();
                    let (moves, states) = (hardest.depth, hardest.states);
                    return Ok(labelled.map(|board| Puzzle { board, moves, states }));
                }
                Ok(None) | Err(_) => return Ok(None),
            }
        }
    }

    /// The states that a component may have to be of use when the longest puzzle so far has so many moves: small
    /// components are quick to walk, but long puzzles need larger ones.
    fn most_states(&self, moves: u32) -> u64 {
        // Measured: on 7x7 and 8x8 larger components are worth their time; beyond, walks take much longer.
        let most = if matches!(self.shape.width().max(self.shape.height()), 7 | 8) { 64_000 } else { 16_000 };
        most / 100 * u64::from(moves.saturating_add(10).min(100))
    }

    /// The limits of a search that may meet so many states, unless the attempt is over.
    fn limits_for(&self, most_states: u64) -> Result<Limits, Limit> {
        if let Some(limit @ (Limit::Cancelled | Limit::Time)) = self.watch.check(0, 0) {
            return Err(limit);
        }
        let nodes = Some(self.limits.nodes.map_or(most_states, |nodes| nodes.min(most_states)));
        let time = self.limits.time.map(|time| time.saturating_sub(self.watch.elapsed()));
        Ok(Limits { nodes, time, ..self.limits.clone() })
    }
}

/// A random solved board. After many in vain, whose components were too large, it has fewer vehicles.
fn solved(shape: Shape, in_vain: u32, rng: &mut Rng) -> Layout {
    let mut layout = Layout::new(shape, rng);
    layout.place_target(0);
    let cells = u32::from(shape.width()) * u32::from(shape.height());
    let halvings = in_vain / 8;
    let half = |vehicles: u32| vehicles.checked_shr(halvings).unwrap_or_default();
    let vehicles = rng.random_range(half(cells / 4).max(1)..=half(cells / 3).max(2));
    fill(&mut layout, vehicles, rng);
    layout
}

/// A board with one or two vehicles more, and perhaps one less.
fn changed(board: &Board, shape: Shape, rng: &mut Rng) -> Layout {
    let mut layout = Layout::of(board, shape);
    let vehicles = layout.vehicles().len();
    if vehicles > 1 && rng.random() {
        layout.remove(rng.random_range(1..vehicles));
    }
    let more = rng.random_range(1..=2);
    fill(&mut layout, more, rng);
    layout
}

/// Adds so many vehicles, as far as there is room.
fn fill(layout: &mut Layout, vehicles: u32, rng: &mut Rng) {
    for _ in 0..vehicles {
        let length = if rng.random_range(0..TRUCKS) == 0 { TRUCK } else { CAR };
        if !(0..TRIES).any(|_| layout.place_anywhere(length, rng)) {
            return;
        }
    }
}
