//! The two lower bounds of the solver: linear conflict for every size, pattern databases for the 15-puzzle.

use super::ida::IncrementalBound;
use crate::Size;
use crate::heuristics::{LineConflicts, PatternDatabase};

/// Lower bound by linear conflicts.
pub(super) struct ConflictBound {
    pub(super) size: Size,
    /// Cell of the blank in the goal.
    pub(super) blank: usize,
}

impl IncrementalBound for ConflictBound {
    type Node = LineConflicts;

    fn start(&self, cells: &[u8]) -> LineConflicts {
        LineConflicts::new(
            self.size,
            cells.iter().map(|&home| Some(usize::from(home)).filter(|&home| home != self.blank)),
        )
    }

    fn excess(&self, lines: &LineConflicts) -> u8 {
        lines.leaving()
    }

    #[inline]
    fn step(&self, lines: &LineConflicts, home: usize, from: usize, to: usize, slack: u8) -> Option<LineConflicts> {
        Some(lines.after(self.size, home, from, to)).filter(|lines| lines.leaving() <= slack)
    }
}

/// Goal cells of the tiles of the three databases.
const GROUPS: [&[u8]; 3] = [&[0, 4, 5, 8, 9, 12], &[6, 7, 10, 11, 13, 14], &[1, 2, 3]];

/// Three pattern databases for the 15-puzzle with the blank last. They are looked up for the board and for its reflection in the
/// main diagonal, which has the same distance from its goal; the bound is the larger of the two sums.
#[derive(Debug)]
pub(super) struct FifteenPatterns {
    databases: [PatternDatabase; 3],
    /// For each goal cell, the database of its tile and the shift of the tile in the index.
    group: [(u8, u8); 16],
}

/// Indices and excesses of a board and of its reflection.
#[derive(Clone, Copy)]
pub(super) struct PatternIndices {
    index: [[u32; 3]; 2],
    excess: [[u8; 3]; 2],
    sum: [u8; 2],
}

/// Reflects a cell in the main diagonal.
#[inline]
fn reflected(cell: usize) -> usize {
    cell >> 2 | (cell & 3) << 2
}

impl FifteenPatterns {
    /// Approximate peak memory of building the databases, in bytes.
    pub(super) const BUILD_MEMORY: usize = 200 << 20;

    /// Builds the databases, each on its own thread; `None` if `keep_going` returns false.
    pub(super) fn build(keep_going: &(dyn Fn() -> bool + Sync)) -> Option<FifteenPatterns> {
        let size = Size::new(4, 4)?;
        let databases = std::thread::scope(|scope| {
            let build = |homes| scope.spawn(move || PatternDatabase::new(size, 15, homes, &keep_going));
            GROUPS.map(build).map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let [Some(a), Some(b), Some(c)] = databases else { return None };
        let databases = [a, b, c];
        let mut group = [(0, 0); 16];
        for (number, database) in databases.iter().enumerate() {
            for (tile, &home) in database.homes().iter().enumerate() {
                group[usize::from(home)] = (number as u8, tile as u8 * database.bits() as u8);
            }
        }
        Some(FifteenPatterns { databases, group })
    }

    /// Memory of the databases in bytes.
    pub(super) fn memory_usage(&self) -> usize {
        self.databases.iter().map(PatternDatabase::memory_usage).sum()
    }
}

impl IncrementalBound for FifteenPatterns {
    type Node = PatternIndices;

    fn start(&self, cells: &[u8]) -> PatternIndices {
        let mut node = PatternIndices { index: [[0; 3]; 2], excess: [[0; 3]; 2], sum: [0; 2] };
        for (cell, home) in cells.iter().map(|&home| usize::from(home)).enumerate().filter(|&(_, home)| home != 15) {
            for (side, (cell, home)) in [(cell, home), (reflected(cell), reflected(home))].into_iter().enumerate() {
                let (group, shift) = self.group[home];
                node.index[side][usize::from(group)] |= (cell as u32) << shift;
            }
        }
        for side in 0..2 {
            for group in 0..3 {
                node.excess[side][group] = self.databases[group].excess(node.index[side][group]);
            }
            node.sum[side] = node.excess[side].iter().sum();
        }
        node
    }

    fn excess(&self, node: &PatternIndices) -> u8 {
        node.sum[0].max(node.sum[1])
    }

    #[inline]
    fn step(&self, node: &PatternIndices, home: usize, from: usize, to: usize, slack: u8) -> Option<PatternIndices> {
        let mut node = *node;
        let sides = [(home, from, to), (reflected(home), reflected(from), reflected(to))];
        for (side, (home, from, to)) in sides.into_iter().enumerate() {
            let (group, shift) = self.group[home];
            let group = usize::from(group);
            let index = node.index[side][group] ^ ((from ^ to) as u32) << shift;
            let excess = self.databases[group].excess(index);
            let sum = node.sum[side] - node.excess[side][group] + excess;
            if sum > slack {
                return None;
            }
            node.index[side][group] = index;
            node.excess[side][group] = excess;
            node.sum[side] = sum;
        }
        Some(node)
    }
}
