//! The two estimates of the solver: linear conflict for every frame, pattern databases for the 15-puzzle.

use super::ida::Bound;
use crate::Size;
use crate::heuristics::{Lines, PatternDatabase};

/// Linear conflict.
pub(super) struct Conflicts {
    pub(super) size: Size,
    /// The cell of the blank in the goal.
    pub(super) blank: usize,
}

impl Bound for Conflicts {
    type Node = Lines;

    fn start(&self, cells: &[u8]) -> Lines {
        Lines::of(self.size, cells.iter().map(|&home| Some(usize::from(home)).filter(|&home| home != self.blank)))
    }

    fn excess(&self, lines: &Lines) -> u8 {
        lines.leaving()
    }

    #[inline]
    fn step(&self, lines: &Lines, home: usize, from: usize, to: usize, slack: u8) -> Option<Lines> {
        Some(lines.after(self.size, home, from, to)).filter(|lines| lines.leaving() <= slack)
    }
}

/// The tiles of the three databases, by the cells they belong to.
const GROUPS: [&[u8]; 3] = [&[0, 4, 5, 8, 9, 12], &[6, 7, 10, 11, 13, 14], &[1, 2, 3]];

/// Three pattern databases for the 15-puzzle with the blank last. Each is asked for the board and for its mirror image at
/// the diagonal, which is as far from its goal: that is a second sum, and the larger counts.
#[derive(Debug)]
pub(super) struct Fifteen {
    databases: [PatternDatabase; 3],
    /// The database of each tile, and where the tile is in its index.
    group: [(u8, u8); 16],
}

/// What is known of a board and of its mirror image.
#[derive(Clone, Copy)]
pub(super) struct Indices {
    index: [[u32; 3]; 2],
    excess: [[u8; 3]; 2],
    sum: [u8; 2],
}

/// A cell of the mirror image.
#[inline]
fn mirrored(cell: usize) -> usize {
    cell >> 2 | (cell & 3) << 2
}

impl Fifteen {
    /// About how many bytes building it takes at most.
    pub(super) const BYTES: usize = 200 << 20;

    /// Builds the databases, each on a thread; none if `go_on` says no.
    pub(super) fn build(go_on: &(dyn Fn() -> bool + Sync)) -> Option<Fifteen> {
        let size = Size::new(4, 4)?;
        let databases = std::thread::scope(|scope| {
            let build = |homes| scope.spawn(move || PatternDatabase::new(size, 15, homes, &go_on));
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
        Some(Fifteen { databases, group })
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.databases.iter().map(PatternDatabase::bytes).sum()
    }
}

impl Bound for Fifteen {
    type Node = Indices;

    fn start(&self, cells: &[u8]) -> Indices {
        let mut node = Indices { index: [[0; 3]; 2], excess: [[0; 3]; 2], sum: [0; 2] };
        for (cell, home) in cells.iter().map(|&home| usize::from(home)).enumerate().filter(|&(_, home)| home != 15) {
            for (side, (cell, home)) in [(cell, home), (mirrored(cell), mirrored(home))].into_iter().enumerate() {
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

    fn excess(&self, node: &Indices) -> u8 {
        node.sum[0].max(node.sum[1])
    }

    #[inline]
    fn step(&self, node: &Indices, home: usize, from: usize, to: usize, slack: u8) -> Option<Indices> {
        let mut node = *node;
        let sides = [(home, from, to), (mirrored(home), mirrored(from), mirrored(to))];
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
