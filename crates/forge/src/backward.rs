//! Puzzles made backwards, from solved boards: the component of a solved board is walked and its hardest state taken, so
//! that nothing unsolvable is ever made.
//!
//! A random component is seldom hard. So a few vehicles of a found one are placed anew, again and again, as long as that does
//! not make it easier, up to the length that is wanted. What is found is reduced to a *minimal* puzzle: vehicles that it does
//! not need are dropped, which may open new ways and with them a harder state, until none can be dropped from the hardest
//! state.

use crate::layout::{CAR, Layout, TRUCK};
use crate::minimal::stripped;
use crate::{Puzzle, Rng, Shape, rng};
use clearway_rush::{Board, Metric, Solver};
use clearway_search::{Limit, Limits};
use rand::RngExt;
use std::ops::RangeInclusive;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The lengths that will do, in moves.
    pub moves: RangeInclusive<u32>,
    /// The lengths aimed at: each attempt aims at one of them, so that many attempts give all of them, and settles for
    /// the hardest that it found if that will do.
    pub aims: RangeInclusive<u32>,
    /// Larger components are given up.
    pub most_states: u64,
    /// An attempt ends without a puzzle after walking so many components.
    pub most_walks: u32,
}

impl Request {
    /// Puzzles of these lengths, with the effort that has been found to pay.
    pub fn new(moves: RangeInclusive<u32>) -> Request {
        Request { aims: moves.clone(), moves, most_states: 12_000, most_walks: 400 }
    }
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// A minimal puzzle of a length that was asked for.
    pub puzzle: Option<Puzzle>,
    /// The most moves of any component that was walked.
    pub longest: u32,
    /// The number of components walked.
    pub walks: u32,
    /// Why it ended early: it was cancelled, or its time was up.
    pub limit: Option<Limit>,
}

/// Makes puzzle `index` of the series that `seed` names, the same whoever makes it and whenever.
///
/// ```
/// use clearway_forge::Shape;
/// use clearway_forge::backward::{Request, puzzle};
/// use clearway_rush::{Side, Solver};
/// let shape = Shape::new(6, 6, Side::Right, None, 0)?;
/// let request = Request::new(10..=20);
/// let attempt = puzzle(shape, &request, 7, 0, &mut Solver::new(), &Default::default());
/// assert!(attempt.puzzle.is_some_and(|puzzle| request.moves.contains(&puzzle.moves)));
/// # Ok::<(), clearway_forge::ShapeError>(())
/// ```
pub fn puzzle(shape: Shape, request: &Request, seed: u64, index: u64, solver: &mut Solver, limits: &Limits) -> Attempt {
    let mut rng = rng::stream(seed, index);
    let limits = Limits { nodes: Some(request.most_states), ..limits.clone() };
    let mut walker = Walker { solver, limits, walks: 0 };
    let (puzzle, longest, limit) = match walker.climb(shape, request, &mut rng) {
        Ok((puzzle, longest)) => (puzzle, longest, None),
        Err(limit) => (None, 0, Some(limit)),
    };
    Attempt { puzzle, longest, walks: walker.walks, limit }
}

/// Walks components, and counts them.
struct Walker<'a> {
    solver: &'a mut Solver,
    limits: Limits,
    walks: u32,
}

impl Walker<'_> {
    fn climb(&mut self, shape: Shape, request: &Request, rng: &mut Rng) -> Result<(Option<Puzzle>, u32), Limit> {
        let wanted = rng.random_range(request.aims.clone());
        let mut best: Option<Puzzle> = None;
        let mut longest = 0;
        while self.walks < request.most_walks {
            let layout = match &best {
                None => solved(shape, rng),
                Some(best) => changed(&best.board, shape, rng),
            };
            let Some(found) = layout.board().map(|board| self.hardest(&board)).transpose()?.flatten() else { continue };
            longest = longest.max(found.moves);
            if found.moves > *request.moves.end() || best.as_ref().is_some_and(|best| found.moves < best.moves) {
                continue;
            }
            if found.moves >= wanted {
                let minimal = self.minimal(found.clone())?;
                if let Some(minimal) = minimal.filter(|minimal| request.moves.contains(&minimal.moves)) {
                    return Ok((Some(minimal), longest));
                }
            }
            best = Some(found);
        }
        let settled = best.map(|best| self.minimal(best)).transpose()?.flatten();
        Ok((settled.filter(|minimal| request.moves.contains(&minimal.moves)), longest))
    }

    /// The hardest state of a board's component, if that is not too large.
    fn hardest(&mut self, board: &Board) -> Result<Option<Puzzle>, Limit> {
        self.walks += 1;
        let facts = self.solver.analyze(board, Metric::Moves, &self.limits);
        match facts.limit {
            Some(limit @ (Limit::Cancelled | Limit::Time)) => Err(limit),
            Some(_) => Ok(None),
            None => Ok(facts.farthest.map(|board| Puzzle { board, moves: facts.depth, states: facts.states })),
        }
    }

    /// Drops what a puzzle does not need, and goes to the hardest state again, until nothing changes.
    fn minimal(&mut self, mut puzzle: Puzzle) -> Result<Option<Puzzle>, Limit> {
        loop {
            let smaller = match stripped(self.solver, &puzzle.board, &self.limits) {
                Err(limit @ (Limit::Cancelled | Limit::Time)) => return Err(limit),
                Err(_) | Ok(None) => return Ok(None),
                Ok(Some(smaller)) => smaller,
            };
            if smaller.vehicles().len() == puzzle.board.vehicles().len() {
                return Ok(Some(puzzle));
            }
            match self.hardest(&smaller)? {
                None => return Ok(None),
                Some(hardest) => puzzle = hardest,
            }
        }
    }
}

/// A random solved board.
fn solved(shape: Shape, rng: &mut Rng) -> Layout {
    let mut layout = Layout::new(shape, rng);
    layout.place_target(0);
    let cells = u32::from(shape.width()) * u32::from(shape.height());
    let vehicles = rng.random_range(cells / 4..=cells / 3) as usize;
    fill(&mut layout, vehicles, rng);
    layout
}

/// A board with one or two of its vehicles placed anew, or more of them, or fewer.
fn changed(board: &Board, shape: Shape, rng: &mut Rng) -> Layout {
    let mut layout = Layout::of(board, shape);
    let before = layout.vehicles().len();
    for _ in 0..rng.random_range(0..=2).min(before - 1) {
        layout.remove(rng.random_range(1..layout.vehicles().len()));
    }
    let vehicles = layout.vehicles().len() + rng.random_range(1..=2);
    fill(&mut layout, vehicles, rng);
    layout
}

/// Adds vehicles up to a number, as far as there is room.
fn fill(layout: &mut Layout, vehicles: usize, rng: &mut Rng) {
    const TRIES: usize = 40;
    for _ in layout.vehicles().len()..vehicles {
        let length = if rng.random_range(0..4) == 0 { TRUCK } else { CAR };
        if !(0..TRIES).any(|_| layout.place_anywhere(length, rng)) {
            return;
        }
    }
}
