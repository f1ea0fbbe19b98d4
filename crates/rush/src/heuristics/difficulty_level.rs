//! `difficulty-level`: how difficult the board is said to be.

use super::Context;
use clearway_search::{Domain, Heuristic, Node};

/// The difficulty of the board among the others of its suite, from 0 to 1: the same for all its states. A feature.
#[derive(Clone, Copy, Debug)]
pub struct DifficultyLevel {
    level: f64,
}

impl DifficultyLevel {
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
