//! `difficulty-level`: how difficult the board is said to be.

use super::Context;
use clearway_search::{Domain, Heuristic, Node};

/// The difficulty of the board among the others of its suite, from 0 to 1: the same for all its states. A feature.
#[derive(Clone, Copy, Debug)]
pub struct DifficultyLevel {
    level: f64,
}

impl DifficultyLevel {
    /// The difficulty of a board by its place among so many, the easiest of which comes first; 0 if it is alone.
    ///
    /// ```
    /// use clearway_rush::heuristics::DifficultyLevel;
    /// assert_eq!([0, 1, 4].map(|place| DifficultyLevel::among(place, 5)), [0.0, 0.25, 1.0]);
    /// assert_eq!(DifficultyLevel::among(0, 1), 0.0);
    /// ```
    pub fn among(place: usize, boards: usize) -> f64 {
        place as f64 / boards.saturating_sub(1).max(1) as f64
    }

    /// The level that the context tells.
    pub fn new(context: &Context) -> Self {
        DifficultyLevel { level: context.difficulty }
    }
}

impl<D: Domain> Heuristic<D> for DifficultyLevel {
    fn estimate(&mut self, _: &D, _: &Node<'_, D>) -> f64 {
        self.level
    }
}
