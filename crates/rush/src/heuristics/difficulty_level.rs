//! `difficulty-level`: the assumed difficulty of the board.

use super::HeuristicContext;
use clearway_search::{Domain, Heuristic, Node};

/// Difficulty of the board relative to the others of its suite, from 0 to 1. It is the same for all states. A feature.
#[derive(Clone, Copy, Debug)]
pub struct DifficultyLevel {
    level: f64,
}

impl DifficultyLevel {
    /// The difficulty of the board at an index (from 0) of a suite with this number of boards, sorted from the easiest to the
    /// hardest; 0 if it is the only one.
    ///
    /// ```
    /// use clearway_rush::heuristics::DifficultyLevel;
    /// assert_eq!([0, 1, 4].map(|index| DifficultyLevel::among(index, 5)), [0.0, 0.25, 1.0]);
    /// assert_eq!(DifficultyLevel::among(0, 1), 0.0);
    /// ```
    pub fn among(index: usize, boards: usize) -> f64 {
        index as f64 / boards.saturating_sub(1).max(1) as f64
    }

    /// Creates the feature with the difficulty in the context.
    pub fn new(context: &HeuristicContext) -> Self {
        DifficultyLevel { level: context.difficulty }
    }
}

impl<D: Domain> Heuristic<D> for DifficultyLevel {
    fn estimate(&mut self, _: &D, _: &Node<'_, D>) -> f64 {
        self.level
    }
}
