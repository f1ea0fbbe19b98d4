//! The measure by which programs compare boards: that of the paper, or an evolved formula.

use super::primitives::{FEATURES, Feature, MINUS, NUMBER_CONSTANT, PLUS, TIMES, feature};
use crate::heuristics::PaperMeasure;
use crate::{Board, Puzzle};
use clearway_gp::Tree;

/// Measure by which parts of a program are compared; lower is better.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Measure {
    /// The measure of the [paper](PaperMeasure).
    Paper,
    /// A formula of features.
    Formula(FeatureFormula),
}

/// A formula of features in the order in which a stack machine evaluates it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FeatureFormula {
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

/// A formula needs at most one stack entry per level.
const STACK: usize = 128;

impl Measure {
    /// Compiles the formula of a program; `None` is the measure of the paper.
    pub fn new(formula: Option<&Tree>) -> Measure {
        let Some(tree) = formula else { return Measure::Paper };
        let step = |node: &clearway_gp::Node| match node.primitive {
            PLUS => Step::Plus,
            MINUS => Step::Minus,
            TIMES => Step::Times,
            NUMBER_CONSTANT => Step::Constant(node.value),
            other => Step::Feature(feature(other)),
        };
        // Reversed prefix order is postfix order with the arguments swapped.
        let steps: Vec<Step> = tree.nodes.iter().rev().map(step).collect();
        let conflicts = steps.contains(&Step::Feature(Feature::Conflicts));
        Measure::Formula(FeatureFormula { steps, conflicts })
    }

    /// Evaluates a board. Solved boards are below all others.
    #[inline]
    pub fn evaluate(&self, puzzle: &Puzzle, board: &Board) -> f64 {
        match self {
            Measure::Paper => PaperMeasure::evaluate(puzzle, board) as f64,
            Measure::Formula(formula) => formula.evaluate(puzzle, board),
        }
    }
}

impl FeatureFormula {
    fn evaluate(&self, puzzle: &Puzzle, board: &Board) -> f64 {
        if board == puzzle.goal() {
            return f64::NEG_INFINITY;
        }
        let mut features = [0.0; FEATURES.len()];
        self.compute_features(puzzle, board, &mut features);
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

    fn compute_features(&self, puzzle: &Puzzle, board: &Board, features: &mut [f64; FEATURES.len()]) {
        let size = board.size();
        let (mut misplaced, mut manhattan) = (0, 0);
        let mut first = (u8::MAX, 0);
        for (cell, &tile) in board.cells().iter().enumerate() {
            let away = puzzle.distance_home(tile, cell);
            if tile != 0 && away != 0 {
                misplaced += 1;
                manhattan += away;
                first = first.min((tile, cell));
            }
        }
        let mut set = |feature: Feature, value: usize| features[feature as usize] = value as f64;
        set(Feature::Misplaced, misplaced);
        set(Feature::Manhattan, manhattan);
        set(Feature::BlankDistance, puzzle.distance_home(0, board.blank()));
        if misplaced > 0 {
            let (tile, cell) = first;
            set(Feature::Remaining, size.cells() - usize::from(tile));
            set(Feature::FirstDistance, puzzle.distance_home(tile, cell));
            set(Feature::FirstFromBlank, size.distance(cell, board.blank()));
        }
        if self.conflicts {
            set(Feature::Conflicts, conflicts(puzzle, board));
        }
    }
}

/// Counts the pairs of tiles that are in their goal row (or column), but in the wrong order.
fn conflicts(puzzle: &Puzzle, board: &Board) -> usize {
    let (rows, columns) = (board.size().rows(), board.size().columns());
    let cells = board.cells();
    // For each cell, the goal cell of its tile if that is in the same row, and if it is in the same column.
    let mut in_row = [NOWHERE; Board::MAX_CELLS];
    let mut in_column = [NOWHERE; Board::MAX_CELLS];
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
    let wrong = |homes: &[u8; Board::MAX_CELLS], from: usize, step: usize, count: usize| {
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

/// Stands for a tile that is not in its goal line. It is larger than any cell, so it is never out of order behind another.
const NOWHERE: u8 = u8::MAX;
