//! How far programs think a board is from its goal: the paper's measure, or one that was bred.

use super::primitives::{FEATURES, Feature, MINUS, NUMBER_CONSTANT, PLUS, TIMES, feature};
use crate::heuristics::Paper;
use crate::{Board, Puzzle};
use clearway_gp::Tree;

/// What parts of a program are compared by; lower is better.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Measure {
    /// The [paper's](Paper).
    Paper,
    /// A formula.
    Formula(Formula),
}

/// A formula of features, in the order in which a stack machine evaluates it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Formula {
    steps: Vec<Step>,
    conflicts: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Plus,
    Minus,
    Times,
    Constant(f64),
    Feature(Feature),
}

/// A formula needs no more room on the stack than it has levels.
const STACK: usize = 128;

impl Measure {
    /// The measure of a program.
    pub fn new(formula: Option<&Tree>) -> Measure {
        let Some(tree) = formula else { return Measure::Paper };
        let step = |node: &clearway_gp::Node| match node.primitive {
            PLUS => Step::Plus,
            MINUS => Step::Minus,
            TIMES => Step::Times,
            NUMBER_CONSTANT => Step::Constant(node.value),
            other => Step::Feature(feature(other)),
        };
        // Prefix order read backwards is postfix order with the arguments exchanged.
        let steps: Vec<Step> = tree.nodes.iter().rev().map(step).collect();
        let conflicts = steps.contains(&Step::Feature(Feature::Conflicts));
        Measure::Formula(Formula { steps, conflicts })
    }

    /// The measure of a board. Solved boards are below all others.
    #[inline]
    pub fn of(&self, puzzle: &Puzzle, board: &Board) -> f64 {
        match self {
            Measure::Paper => Paper::of(puzzle, board) as f64,
            Measure::Formula(formula) => formula.of(puzzle, board),
        }
    }
}

impl Formula {
    fn of(&self, puzzle: &Puzzle, board: &Board) -> f64 {
        if board == puzzle.goal() {
            return f64::NEG_INFINITY;
        }
        let mut features = [0.0; FEATURES.len()];
        self.look(puzzle, board, &mut features);
        let mut stack = [0.0; STACK];
        let mut top = 0;
        for step in &self.steps {
            match *step {
                Step::Constant(value) => {
                    stack[top] = value;
                    top += 1;
                }
                Step::Feature(feature) => {
                    stack[top] = features[feature as usize];
                    top += 1;
                }
                Step::Plus | Step::Minus | Step::Times => {
                    let (first, second) = (stack[top - 1], stack[top - 2]);
                    top -= 1;
                    stack[top - 1] = match step {
                        Step::Plus => first + second,
                        Step::Minus => first - second,
                        _ => first * second,
                    };
                }
            }
        }
        if stack[0].is_nan() { f64::INFINITY } else { stack[0].max(f64::MIN) }
    }

    fn look(&self, puzzle: &Puzzle, board: &Board, features: &mut [f64; FEATURES.len()]) {
        let size = board.size();
        let (mut misplaced, mut manhattan) = (0, 0);
        let mut first = (u8::MAX, 0);
        for (cell, &tile) in board.cells().iter().enumerate() {
            let away = puzzle.away(tile, cell);
            if tile != 0 && away != 0 {
                misplaced += 1;
                manhattan += away;
                first = first.min((tile, cell));
            }
        }
        let mut set = |feature: Feature, value: usize| features[feature as usize] = value as f64;
        set(Feature::Misplaced, misplaced);
        set(Feature::Manhattan, manhattan);
        set(Feature::BlankDistance, puzzle.away(0, board.blank()));
        if misplaced > 0 {
            let (tile, cell) = first;
            set(Feature::Remaining, size.cells() - usize::from(tile));
            set(Feature::FirstDistance, puzzle.away(tile, cell));
            set(Feature::FirstFromBlank, size.distance(cell, board.blank()));
        }
        if self.conflicts {
            set(Feature::Conflicts, conflicts(puzzle, board));
        }
    }
}

/// The pairs of tiles that are in the row (or column) of their goal, but in the wrong order there.
fn conflicts(puzzle: &Puzzle, board: &Board) -> usize {
    let (rows, columns) = (board.size().rows(), board.size().columns());
    let cells = board.cells();
    // For each cell the place in the goal of the tile there, if that is in the same row, and if it is in the same column.
    let mut in_row = [NOWHERE; Board::MOST_CELLS];
    let mut in_column = [NOWHERE; Board::MOST_CELLS];
    for row in 0..rows {
        for column in 0..columns {
            let cell = row * columns + column;
            let home = puzzle.home(cells[cell]);
            if cells[cell] != 0 && (row * columns..(row + 1) * columns).contains(&home) {
                in_row[cell] = home as u8;
            }
            if cells[cell] != 0 && puzzle.column(cells[cell]) == column {
                in_column[cell] = home as u8;
            }
        }
    }
    let wrong = |homes: &[u8; Board::MOST_CELLS], from: usize, step: usize, count: usize| {
        let mut pairs = 0;
        for first in 0..count {
            for second in first + 1..count {
                let (before, behind) = (homes[from + first * step], homes[from + second * step]);
                pairs += usize::from(before != NOWHERE && behind < before);
            }
        }
        pairs
    };
    let of_rows: usize = (0..rows).map(|row| wrong(&in_row, row * columns, 1, columns)).sum();
    of_rows + (0..columns).map(|column| wrong(&in_column, column, columns, rows)).sum::<usize>()
}

/// What stands for a tile that is not in the line of its place: no place comes before it.
const NOWHERE: u8 = u8::MAX;
