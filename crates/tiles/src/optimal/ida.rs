//! Iterative deepening A* on one board: no table of states, no allocation, no hashing.

use crate::{Board, Puzzle, Size};
use clearway_search::{Limit, LimitChecker, SearchStatistics};

/// Maximum number of nodes expanded between two checks of the limits.
const BATCH: u64 = 1 << 14;

/// A lower bound that is updated incrementally with each move. Tiles are identified by their goal cells. The bound is expressed
/// as half of the moves needed beyond the Manhattan distance: a move changes the parity of both, so the difference is even.
pub(super) trait IncrementalBound {
    /// Data that the bound keeps for a board.
    type Node: Copy;
    /// Returns the data of a board, given the goal cell of the tile in each cell.
    fn start(&self, cells: &[u8]) -> Self::Node;
    /// Returns half of the moves needed beyond the Manhattan distance.
    fn excess(&self, node: &Self::Node) -> u8;
    /// Returns the data after the tile with goal cell `home` moved to an adjacent cell; `None` if the excess is then more than
    /// `slack`.
    fn step(&self, node: &Self::Node, home: usize, from: usize, to: usize, slack: u8) -> Option<Self::Node>;
}

/// Adjacency and distances of the cells of a board.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    /// Adjacent cells of each cell, and their number.
    neighbours: [([u8; 4], u8); Board::MAX_CELLS],
    distances: [[u8; Board::MAX_CELLS]; Board::MAX_CELLS],
}

impl Geometry {
    pub(super) fn new(size: Size) -> Geometry {
        let cells = size.cells();
        let neighbours = std::array::from_fn(|cell| {
            let (mut found, mut count) = ([0; 4], 0);
            for other in (0..cells).filter(|&other| cell < cells && size.distance(cell, other) == 1) {
                found[usize::from(count)] = other as u8;
                count += 1;
            }
            (found, count)
        });
        let distances = std::array::from_fn(|a| std::array::from_fn(|b| size.distance(a, b) as u8));
        Geometry { neighbours, distances }
    }
}

/// A board whose tiles are identified by their goal cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct HomeBoard {
    /// Goal cell of the tile in each cell, including the blank.
    pub(super) cells: [u8; Board::MAX_CELLS],
    pub(super) count: usize,
    pub(super) blank: usize,
}

impl HomeBoard {
    pub(super) fn new(puzzle: &Puzzle) -> HomeBoard {
        let mut cells = [0; Board::MAX_CELLS];
        for (home, &tile) in cells.iter_mut().zip(puzzle.board().cells()) {
            *home = puzzle.home(tile) as u8;
        }
        HomeBoard { cells, count: puzzle.board().size().cells(), blank: puzzle.board().blank() }
    }
}

/// Result of a search.
pub(super) struct IdaOutcome {
    /// Cells that the blank moves to, or the limit that stopped the search.
    pub(super) path: Result<Vec<u8>, Limit>,
    /// Proven lower bound on the number of moves of any solution.
    pub(super) lower_bound: u32,
}

/// A running search.
pub(super) struct Ida<'a, B: IncrementalBound> {
    bound: &'a B,
    geometry: &'a Geometry,
    checker: &'a LimitChecker<'a>,
    cells: [u8; Board::MAX_CELLS],
    /// Number of nodes to expand before the limits are checked again.
    until_check: u64,
    limit: Option<Limit>,
    /// Path of the blank in reverse order, once a solution is found.
    path: Vec<u8>,
    statistics: &'a mut SearchStatistics,
    /// Memory of the bound, in bytes.
    bytes: usize,
}

impl<'a, B: IncrementalBound> Ida<'a, B> {
    /// Creates a search with a bound whose tables take `bytes` bytes. It adds to the given statistics.
    pub(super) fn new(
        bound: &'a B,
        bytes: usize,
        geometry: &'a Geometry,
        checker: &'a LimitChecker<'a>,
        statistics: &'a mut SearchStatistics,
    ) -> Self {
        let cells = [0; Board::MAX_CELLS];
        Ida { bound, geometry, checker, cells, until_check: 0, limit: None, path: Vec::new(), statistics, bytes }
    }

    /// Runs the search. `least` is a known lower bound on the number of moves.
    pub(super) fn run(mut self, start: &HomeBoard, least: u32) -> IdaOutcome {
        self.cells = start.cells;
        let cells = &start.cells[..start.count];
        let tiles = cells.iter().enumerate().filter(|&(cell, _)| cell != start.blank);
        let away = tiles.map(|(cell, &home)| u32::from(self.geometry.distances[cell][usize::from(home)])).sum();
        let node = self.bound.start(cells);
        self.statistics.evaluated += 1;
        let mut bound = least.max(away + 2 * u32::from(self.bound.excess(&node)));
        loop {
            let slack = ((bound - away) / 2) as u8;
            if away == 0 || self.visit(&node, start.blank, start.blank, slack, away) {
                let path = self.limit.map_or_else(|| Ok(self.path.into_iter().rev().collect()), Err);
                return IdaOutcome { path, lower_bound: if away == 0 { 0 } else { bound } };
            }
            // The length of a solution and its lower bound have the same parity.
            bound += 2;
        }
    }

    /// Expands a node whose Manhattan distance is `away`. Solutions may have up to 2 * `slack` moves more than that. Returns
    /// true if the search is over, because a solution was found or a limit was reached.
    fn visit(&mut self, node: &B::Node, blank: usize, previous: usize, slack: u8, away: u32) -> bool {
        if self.until_check == 0 {
            self.limit = self.checker.check(self.statistics.expanded, self.bytes);
            if self.limit.is_some() {
                return true;
            }
            self.until_check = self.checker.nodes_until_check(self.statistics.expanded, BATCH);
        }
        self.until_check -= 1;
        self.statistics.expanded += 1;
        let (neighbours, count) = self.geometry.neighbours[blank];
        for &from in &neighbours[..usize::from(count)] {
            let from = usize::from(from);
            if from == previous {
                continue;
            }
            self.statistics.generated += 1;
            let home = usize::from(self.cells[from]);
            let distances = &self.geometry.distances[home];
            let nearer = distances[blank] < distances[from];
            let Some(slack) = slack.checked_sub(u8::from(!nearer)) else { continue };
            let away = if nearer { away - 1 } else { away + 1 };
            let Some(next) = self.bound.step(node, home, from, blank, slack) else { continue };
            self.cells[blank] = home as u8;
            if away == 0 || self.visit(&next, from, blank, slack, away) {
                self.path.push(from as u8);
                return true;
            }
            self.cells[from] = home as u8;
        }
        false
    }
}
