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
use clearway_rush::{Board, Solver};
use clearway_search::{Limit, Limits};
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
    /// Larger components are given up; and sooner while only short puzzles were found.
    pub most_states: usize,
    /// An attempt ends after walking so many components.
    pub most_walks: u32,
}

impl Request {
    /// Puzzles of these lengths, with the effort that was found to pay for boards of that shape.
    pub fn new(shape: Shape, moves: RangeInclusive<u32>) -> Request {
        let most_states = if shape.width().max(shape.height()) <= 6 { 8_000 } else { 32_000 };
        Request { moves, most_states, most_walks: 2_000 }
    }

    /// The states that a component may have to be of use, when the longest puzzle so far has so many moves: small
    /// components are quick to walk, but long puzzles need larger ones.
    fn most_states_at(&self, moves: u32) -> usize {
        self.most_states / 100 * (10 + moves as usize).min(100)
    }
}

/// What came of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// Minimal puzzles of lengths that were asked for, each at least as long as the one before and made from it: later
    /// ones resemble earlier ones. Often none.
    pub puzzles: Vec<Puzzle>,
    /// The most moves of any minimal puzzle that was found, asked for or not.
    pub longest: u32,
    /// The number of components walked.
    pub walks: u32,
    /// Why it ended early: it was cancelled, or its time was up.
    pub limit: Option<Limit>,
}

/// Makes the puzzles of attempt `index` in the series that `seed` names: the same ones whoever makes them and whenever.
/// The limits hold for each of the many searches in it.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::backward::{Request, attempt};
/// use clearway_rush::{Side, Solver};
/// let shape = Shape::new(6, 6, Side::Right, None, 0)?;
/// let request = Request::new(shape, 6..=12);
/// let made = attempt(shape, &request, 7, 0, &mut Solver::new(), &Default::default());
/// assert!(made.puzzles.iter().all(|puzzle| request.moves.contains(&puzzle.moves)));
/// assert!(!made.puzzles.is_empty());
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub fn attempt(
    shape: Shape,
    request: &Request,
    seed: u64,
    index: u64,
    solver: &mut Solver,
    limits: &Limits,
) -> Attempt {
    let mut rng = rng::stream(seed, index);
    let nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(request.most_states as u64));
    let limits = Limits { nodes, ..limits.clone() };
    let mut climb = Climb { shape, request, solver, limits, made: Attempt::default() };
    if let Err(limit) = climb.run(&mut rng) {
        climb.made.limit = Some(limit);
    }
    climb.made
}

struct Climb<'a> {
    shape: Shape,
    request: &'a Request,
    solver: &'a mut Solver,
    limits: Limits,
    made: Attempt,
}

impl Climb<'_> {
    fn run(&mut self, rng: &mut Rng) -> Result<(), Limit> {
        let mut best: Option<Puzzle> = None;
        let mut tried = HashSet::new();
        let mut in_vain = 0;
        while self.made.walks < self.request.most_walks && in_vain < PATIENCE {
            in_vain += 1;
            let layout = match &best {
                None => solved(self.shape, in_vain, rng),
                Some(best) => changed(&best.board, self.shape, rng),
            };
            let Some(board) = layout.board().filter(|board| tried.insert(board.clone())) else { continue };
            let least = best.as_ref().map_or(1, |best| best.moves);
            let most_states = self.request.most_states_at(least);
            let Some(hardest) = self.hardest(&board, least, most_states)? else { continue };
            let Some(minimal) = self.minimal(hardest)? else { continue };
            self.made.longest = self.made.longest.max(minimal.moves);
            if minimal.moves > *self.request.moves.end() {
                continue;
            }
            if minimal.moves > least {
                in_vain = 0;
            }
            if self.request.moves.contains(&minimal.moves) && !self.made.puzzles.contains(&minimal) {
                self.made.puzzles.push(minimal.clone());
            }
            best = Some(minimal);
        }
        Ok(())
    }

    /// The hardest state of a board's component, if that is hard and small enough.
    fn hardest(&mut self, board: &Board, least: u32, most_states: usize) -> Result<Option<Puzzle>, Limit> {
        self.made.walks += 1;
        let hardest = self.solver.hardest(board, least, most_states, &self.limits);
        match hardest.limit {
            Some(limit @ (Limit::Cancelled | Limit::Time)) => Err(limit),
            Some(_) => Ok(None),
            None => Ok(hardest.farthest.map(|(board, moves)| Puzzle { board, moves, states: hardest.states })),
        }
    }

    /// Drops what a puzzle does not need, and goes to the hardest state again, until nothing changes; none if the
    /// component grows too large by that.
    fn minimal(&mut self, mut puzzle: Puzzle) -> Result<Option<Puzzle>, Limit> {
        loop {
            let smaller = match stripped(self.solver, &puzzle.board, &self.limits) {
                Err(limit @ (Limit::Cancelled | Limit::Time)) => return Err(limit),
                Err(_) | Ok(None) => return Ok(None),
                Ok(Some(smaller)) => smaller,
            };
            if smaller.vehicles().len() == puzzle.board.vehicles().len() {
                let labelled = Layout::of(&puzzle.board, self.shape).board();
                return Ok(labelled.map(|board| Puzzle { board, ..puzzle }));
            }
            match self.hardest(&smaller, puzzle.moves, self.request.most_states)? {
                None => return Ok(None),
                Some(hardest) => puzzle = hardest,
            }
        }
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
