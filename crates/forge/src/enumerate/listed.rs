//! Puzzles and counts of an enumeration.

use clearway_rush::{Board, Metric, Solver, formats, is_label};
use clearway_search::Limits;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Minimal puzzle of the catalogue: a hardest board of its component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogueEntry {
    /// Board in line format.
    pub board: String,
    /// Minimum number of moves of a solution.
    pub moves: u32,
    /// Minimum number of steps of a solution.
    pub steps: u32,
    /// Number of states at each distance from the nearest solved state.
    pub histogram: Vec<u64>,
}

impl CatalogueEntry {
    pub(super) fn new(
        solver: &mut Solver,
        metric: Metric,
        board: &Board,
        distance: u32,
        histogram: Vec<u64>,
    ) -> CatalogueEntry {
        let mut length = |other| {
            if metric == other { distance } else { solver.solve(board, other, &Limits::default()).lower_bound }
        };
        let (moves, steps) = (length(Metric::Moves), length(Metric::Steps));
        CatalogueEntry { board: formats::line(board), moves, steps, histogram }
    }

    /// Returns the number of vehicles.
    pub fn vehicles(&self) -> u32 {
        // Strip the size before the cells and the exit after them, which are present if they are not the defaults.
        let cells = self.board.split_once(':').map_or(&*self.board, |(_, cells)| cells);
        let cells = cells.split_once('@').map_or(cells, |(cells, _)| cells);
        let labels: HashSet<char> = cells.chars().filter(|&c| is_label(c)).collect();
        labels.len() as u32
    }

    /// Returns the number of states of the component.
    pub fn states(&self) -> u64 {
        self.histogram.iter().fold(0, |sum: u64, &count| sum.saturating_add(count))
    }

    /// Returns the largest distance in the component, which is that of the board.
    pub fn depth(&self) -> u32 {
        self.histogram.len() as u32 - 1
    }
}

/// Counts of states and components.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComponentCounts {
    /// Number of states, solvable or not.
    pub states: u64,
    /// For each depth: the number of components with a solved state. The depth is the distance of the hardest state.
    pub components: Vec<u64>,
}

impl ComponentCounts {
    /// Returns the number of components with a solved state.
    pub fn solvable(&self) -> u64 {
        self.components.iter().fold(0, |sum: u64, &count| sum.saturating_add(count))
    }

    pub(super) fn count(&mut self, depth: u32) {
        let depth = depth as usize;
        if self.components.len() <= depth {
            self.components.resize(depth + 1, 0);
        }
        self.components[depth] += 1;
    }

    /// Adds the counts of `other`. Sums saturate, because a damaged file may hold any numbers.
    pub fn add(&mut self, other: &ComponentCounts) {
        self.states = self.states.saturating_add(other.states);
        if self.components.len() < other.components.len() {
            self.components.resize(other.components.len(), 0);
        }
        for (sum, more) in self.components.iter_mut().zip(&other.components) {
            *sum = sum.saturating_add(*more);
        }
    }
}
