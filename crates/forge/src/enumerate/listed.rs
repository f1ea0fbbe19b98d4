//! What is found: puzzles, and counts.

use clearway_rush::{Board, Metric, Solver, formats, is_label};
use clearway_search::Limits;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A minimal puzzle: a hardest board of its component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// The board, in the format of one line.
    pub board: String,
    /// The moves of a shortest solution.
    pub moves: u32,
    /// The steps of a shortest solution, counted in steps.
    pub steps: u32,
    /// The number of states at every distance from their nearest solved state.
    pub histogram: Vec<u64>,
}

impl Listed {
    pub(super) fn new(
        solver: &mut Solver,
        metric: Metric,
        board: &Board,
        distance: u32,
        histogram: Vec<u64>,
    ) -> Listed {
        let mut length = |other| {
            if metric == other { distance } else { solver.solve(board, other, &Limits::default()).lower_bound }
        };
        let (moves, steps) = (length(Metric::Moves), length(Metric::Steps));
        Listed { board: formats::line(board), moves, steps, histogram }
    }

    /// The number of its vehicles.
    pub fn vehicles(&self) -> u32 {
        // The size before the cells and the exit behind them are left out where they are not the usual ones.
        let cells = self.board.split_once(':').map_or(&*self.board, |(_, cells)| cells);
        let cells = cells.split_once('@').map_or(cells, |(cells, _)| cells);
        let labels: HashSet<char> = cells.chars().filter(|&c| is_label(c)).collect();
        labels.len() as u32
    }

    /// The states of its component.
    pub fn states(&self) -> u64 {
        self.histogram.iter().fold(0, |sum: u64, &count| sum.saturating_add(count))
    }

    /// The largest distance of its component: its own.
    pub fn depth(&self) -> u32 {
        self.histogram.len() as u32 - 1
    }
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// All states, solvable or not.
    pub states: u64,
    /// The components that have a solved state, by their depth: the distance of their hardest state.
    pub components: Vec<u64>,
}

impl Tally {
    /// The number of components that have a solved state.
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

    /// Adds another count to this one. Sums saturate: a damaged file may hold any numbers.
    pub fn add(&mut self, other: &Tally) {
        self.states = self.states.saturating_add(other.states);
        if self.components.len() < other.components.len() {
            self.components.resize(other.components.len(), 0);
        }
        for (sum, more) in self.components.iter_mut().zip(&other.components) {
            *sum = sum.saturating_add(*more);
        }
    }
}
