//! Starts of ascents: where their first boards come from.

use super::ascent::{EvaluationContext, changed};
use super::draft::Draft;
use super::fitness::{Evaluated, evaluate};
use super::wrap::{seal, wrap};
use super::{Archive, ClimbOptions};
use crate::Shape;
use clearway_rush::{Board, Metric, Orientation, Solver};
use clearway_search::Limits;
use clearway_util::rng::Rng;
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

/// Shortest side of boards from which larger ones are grown.
const SMALLEST_GROWN: u8 = 6;
/// Number of changes of a board of the archive.
const KICK_CHANGES: std::ops::Range<u32> = 3..12;
/// Ascents from boards of the archive start with the population divided by this number, because their boards are good already.
const POPULATION_DIVISOR: u16 = 4;

/// Kind of the boards that an ascent starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum StartKind {
    /// Solved boards crowded with random vehicles.
    Random,
    /// Random boards of a smaller size. When they are stuck, a row and a column of vehicles that cannot move are added, and they
    /// climb on.
    Grown,
    /// Boards of the archive, with several changes.
    Kicked,
    /// Two boards of the archive, one on each side of a cut.
    Crossed,
}

impl StartKind {
    /// All kinds.
    pub const ALL: [StartKind; 4] = [StartKind::Random, StartKind::Grown, StartKind::Kicked, StartKind::Crossed];

    /// Returns the name of the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            StartKind::Random => "random",
            StartKind::Grown => "grown",
            StartKind::Kicked => "kicked",
            StartKind::Crossed => "crossed",
        }
    }

    /// Returns the kind with this name.
    pub fn from_word(name: &str) -> Option<StartKind> {
        StartKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Returns the number of boards of the archive that it needs.
    pub(super) fn parents(self) -> usize {
        match self {
            StartKind::Random | StartKind::Grown => 0,
            StartKind::Kicked => 1,
            StartKind::Crossed => 2,
        }
    }

    /// Returns whether an ascent may start like this.
    pub(super) fn is_possible(self, options: &ClimbOptions, archived: usize) -> bool {
        // The border of a grown board has no room for walls; boards that the user gives replace the smaller ones.
        let is_growable = options.shape.walls() == 0 && options.starts.is_empty() && smaller(options.shape).is_some();
        (self != StartKind::Grown || is_growable) && archived >= self.parents()
    }
}

/// Start of an ascent.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub kind: StartKind,
    /// Shape of the first boards.
    pub shape: Shape,
    /// Boards of the archive that the first boards are made from.
    pub parents: Vec<Board>,
    /// The evaluated parents, computed when they are first needed.
    evaluated: Vec<Evaluated>,
}

impl Start {
    pub fn new(kind: StartKind, shape: Shape, parents: Vec<Board>) -> Start {
        Start { kind, shape, parents, evaluated: Vec::new() }
    }

    /// Chooses the start of an ascent.
    pub fn choose(options: &ClimbOptions, archive: &Archive, rng: &mut Rng) -> Start {
        let kind = archive.choose_kind(options, rng);
        let mut shape = options.shape;
        if kind == StartKind::Grown {
            let sizes: Vec<Shape> = levels(shape).skip(1).collect();
            shape = sizes.choose(rng).copied().unwrap_or(shape);
        }
        Start::new(kind, shape, archive.choose_parents(kind.parents(), rng))
    }

    /// Number of boards that the ascent starts with.
    pub fn population(&self, options: &ClimbOptions) -> u16 {
        let divisor = if self.kind.parents() == 0 { 1 } else { POPULATION_DIVISOR };
        (options.population / divisor).max(1)
    }

    /// Returns a first board, which may be unsolvable.
    pub fn draft(&mut self, context: &mut EvaluationContext) -> Option<Draft> {
        self.evaluate_parents(context.options, context.solver);
        let rng = &mut context.rng;
        match (self.kind, &self.evaluated[..]) {
            (StartKind::Kicked, [parent]) => {
                changed(self.shape, &on_path(parent, rng)?, rng.random_range(KICK_CHANGES), rng)
            }
            (StartKind::Crossed, [one, other]) => {
                let [one, other] =
                    [on_path(one, rng)?, on_path(other, rng)?].map(|board| Draft::from_board(self.shape, &board));
                Some(one.cross(&other, rng))
            }
            _ if context.options.starts.is_empty() => Some(Draft::crowded(self.shape, rng)),
            _ => given_draft(context),
        }
    }

    fn evaluate_parents(&mut self, options: &ClimbOptions, solver: &mut Solver) {
        if self.evaluated.len() < self.parents.len() {
            // This cannot be cancelled, because the result must not depend on the time of the cancellation.
            let evaluated = |parent: &Board| evaluate(options, parent.clone(), options.most_states(), None, solver);
            self.evaluated = self.parents.iter().filter_map(evaluated).collect();
        }
    }
}

/// Returns a board in a random state of its path to the solution.
fn on_path(parent: &Evaluated, rng: &mut Rng) -> Option<Board> {
    parent.board.with_positions(parent.path.choose(rng)?).ok()
}

/// Returns a board that the user gave, in the shape of the climb.
fn given_draft(context: &mut EvaluationContext) -> Option<Draft> {
    let (options, rng) = (context.options, &mut context.rng);
    let (shape, start) = (options.shape, options.starts.choose(rng)?);
    let is_smaller = (start.width(), start.height()) != (shape.width(), shape.height());
    let kind = rng.random_range(0..3);
    if kind == 0
        && is_smaller
        && let Ok(sealed) = seal(shape, start, rng)
    {
        return Some(Draft::from_board(shape, &sealed));
    }
    let wrapped = wrap(shape, start).ok()?;
    if kind == 1 {
        return Some(Draft::from_board(shape, &wrapped));
    }
    // A board that was just wrapped has too much room, so vehicles are added to its solved state as to a random board.
    let limits = Limits { nodes: Some(options.largest), cancel: context.cancel.cloned(), ..Limits::default() };
    let solution = context.solver.solve(&wrapped, Metric::Moves, &limits).solution?;
    let mut solved = wrapped;
    for &mv in &solution.0 {
        solved.apply(mv).ok()?;
    }
    let mut draft = Draft::from_board(shape, &solved);
    draft.crowd(rng);
    Some(draft)
}

/// Returns the shape with one row and one column less, unless that is too small.
fn smaller(shape: Shape) -> Option<Shape> {
    let (width, height) = (shape.width() - 1, shape.height() - 1);
    let lines = if shape.side().orientation() == Orientation::Horizontal { height } else { width };
    let line = shape.line().min(lines - 1);
    let smaller = Shape::new(width, height, shape.side(), Some(line), shape.walls()).ok()?;
    (width.min(height) >= SMALLEST_GROWN).then_some(smaller)
}

/// Returns the shape with one row and one column more, on the way to a larger shape.
pub(super) fn next_larger(shape: Shape, last: Shape) -> Shape {
    levels(last).take_while(|level| *level != shape).last().unwrap_or(last)
}

/// Returns a shape and the smaller ones that its boards are grown from, from large to small.
pub(super) fn levels(shape: Shape) -> impl Iterator<Item = Shape> {
    std::iter::successors(Some(shape), |&shape| smaller(shape))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::Side;

    #[test]
    fn boards_are_grown_one_row_and_one_column_at_a_time() {
        for side in [Side::Right, Side::Left, Side::Top, Side::Bottom] {
            for line in [0, 4, 9] {
                let last = Shape::new(10, 10, side, Some(line), 0).unwrap();
                let sizes: Vec<(u8, u8)> = levels(last).map(|shape| (shape.width(), shape.line())).collect();
                let expected = [10, 9, 8, 7, 6].map(|size: u8| (size, line.min(size - 1)));
                assert_eq!(sizes, expected);
                let mut shape = levels(last).last().unwrap();
                while shape != last {
                    let larger = next_larger(shape, last);
                    assert_eq!(larger.width(), shape.width() + 1);
                    shape = larger;
                }
            }
        }
        let small = Shape::new(6, 6, Side::Right, None, 0).unwrap();
        assert_eq!(levels(small).count(), 1);
        assert!(!StartKind::Grown.is_possible(&ClimbOptions::new(small), 9));
    }

    #[test]
    fn names_identify_the_kinds() {
        for (index, kind) in StartKind::ALL.into_iter().enumerate() {
            assert_eq!((StartKind::from_word(kind.as_str()), kind as usize), (Some(kind), index));
        }
        assert_eq!(StartKind::from_word("Random"), None);
    }
}
