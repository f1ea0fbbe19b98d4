//! Iterative deepening A* on one board: no table of states, no allocation, no hashing.

use crate::{Board, Puzzle, Size};
use clearway_search::{Counters, Limit, Watch};

/// How many nodes are expanded between two looks at the clock.
const BATCH: u64 = 1 << 14;

/// An estimate that follows a board from move to move. All tiles are known by the cells they belong to. It speaks of half
/// of the moves beyond the Manhattan distances: a move changes the parity of both, so their difference is even.
pub(super) trait Bound {
    /// What it has to know of a board.
    type Node: Copy;
    /// The node of a board.
    fn start(&self, cells: &[u8]) -> Self::Node;
    /// Half of the moves that are needed beyond the distances.
    fn excess(&self, node: &Self::Node) -> u8;
    /// The node after the tile that belongs to `home` went from a cell to the one beside it; none if more than `slack` is
    /// needed beyond the distances there.
    fn step(&self, node: &Self::Node, home: usize, from: usize, to: usize, slack: u8) -> Option<Self::Node>;
}

/// The geometry of a frame.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The cells beside each cell, as many as the last number says.
    beside: [([u8; 4], u8); Board::MOST_CELLS],
    distances: [[u8; Board::MOST_CELLS]; Board::MOST_CELLS],
}

impl Frame {
    pub(super) fn new(size: Size) -> Frame {
        let cells = size.cells();
        let beside = std::array::from_fn(|cell| {
            let (mut found, mut count) = ([0; 4], 0);
            for other in (0..cells).filter(|&other| cell < cells && size.distance(cell, other) == 1) {
                found[usize::from(count)] = other as u8;
                count += 1;
            }
            (found, count)
        });
        let distances = std::array::from_fn(|a| std::array::from_fn(|b| size.distance(a, b) as u8));
        Frame { beside, distances }
    }
}

/// A board whose tiles are known by the cells they belong to, as IDA* sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// The cell that the tile in each cell belongs to; the blank is a tile here.
    pub(super) cells: [u8; Board::MOST_CELLS],
    pub(super) count: usize,
    pub(super) blank: usize,
}

impl Start {
    pub(super) fn of(puzzle: &Puzzle) -> Start {
        let mut cells = [0; Board::MOST_CELLS];
        for (home, &tile) in cells.iter_mut().zip(puzzle.board().cells()) {
            *home = puzzle.home(tile) as u8;
        }
        Start { cells, count: puzzle.board().size().cells(), blank: puzzle.board().blank() }
    }
}

/// What a search ended with.
pub(super) struct Found {
    /// The cells that the blank goes to, or the limit that ended the search.
    pub(super) path: Result<Vec<u8>, Limit>,
    /// No solution has fewer moves.
    pub(super) lower_bound: u32,
}

/// A search under way.
pub(super) struct Ida<'a, B: Bound> {
    bound: &'a B,
    frame: &'a Frame,
    watch: &'a Watch<'a>,
    cells: [u8; Board::MOST_CELLS],
    /// How many nodes may be expanded before the limits are looked at.
    until_check: u64,
    limit: Option<Limit>,
    /// The way of the blank, from its end, once it is found.
    path: Vec<u8>,
    counters: &'a mut Counters,
    bytes: usize,
}

impl<'a, B: Bound> Ida<'a, B> {
    /// A search with an estimate that takes so many bytes. It goes on counting.
    pub(super) fn new(
        bound: &'a B,
        bytes: usize,
        frame: &'a Frame,
        watch: &'a Watch<'a>,
        counters: &'a mut Counters,
    ) -> Self {
        let cells = [0; Board::MOST_CELLS];
        Ida { bound, frame, watch, cells, until_check: 0, limit: None, path: Vec::new(), counters, bytes }
    }

    /// Searches. No solution is known to have fewer than `least` moves.
    pub(super) fn run(mut self, start: &Start, least: u32) -> Found {
        self.cells = start.cells;
        let cells = &start.cells[..start.count];
        let tiles = cells.iter().enumerate().filter(|&(cell, _)| cell != start.blank);
        let away = tiles.map(|(cell, &home)| u32::from(self.frame.distances[cell][usize::from(home)])).sum();
        let node = self.bound.start(cells);
        self.counters.evaluated += 1;
        let mut bound = least.max(away + 2 * u32::from(self.bound.excess(&node)));
        loop {
            let slack = ((bound - away) / 2) as u8;
            if away == 0 || self.visit(&node, start.blank, start.blank, slack, away) {
                let path = self.limit.map_or_else(|| Ok(self.path.into_iter().rev().collect()), Err);
                return Found { path, lower_bound: if away == 0 { 0 } else { bound } };
            }
            // A way and its estimate have the same parity.
            bound += 2;
        }
    }

    /// Expands a node whose tiles are `away` in all from their places, where a way may have twice `slack` moves beyond
    /// that. True if this was the end of the search.
    fn visit(&mut self, node: &B::Node, blank: usize, came: usize, slack: u8, away: u32) -> bool {
        if self.until_check == 0 {
            self.limit = self.watch.check(self.counters.expanded, self.bytes);
            if self.limit.is_some() {
                return true;
            }
            self.until_check = self.watch.nodes_until_check(self.counters.expanded, BATCH);
        }
        self.until_check -= 1;
        self.counters.expanded += 1;
        let (beside, count) = self.frame.beside[blank];
        for &from in &beside[..usize::from(count)] {
            let from = usize::from(from);
            if from == came {
                continue;
            }
            self.counters.generated += 1;
            let home = usize::from(self.cells[from]);
            let distances = &self.frame.distances[home];
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
