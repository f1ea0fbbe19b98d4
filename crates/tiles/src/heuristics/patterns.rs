//! Additive pattern databases: the moves that some of the tiles need if the others are ignored.

use crate::{Board, Puzzle, Size};
use clearway_search::{Heuristic, Node};

/// Maximum number of entries of a database.
const MAX_ENTRIES: usize = 1 << 24;

/// Number of placements between two checks whether to continue building.
const BATCH: usize = 1 << 14;

/// For every placement of some tiles, the number of moves of these tiles to their goal positions. Moves of other tiles are not
/// counted, so the values of databases without a common tile may be added (Korf and Felner, 2002).
///
/// Tiles are identified by their goal cells, so a database can be used for every goal that has the blank in the same cell.
#[derive(Clone, Debug)]
pub struct PatternDatabase {
    /// Goal cells of the tiles.
    homes: Vec<u8>,
    /// Number of bits of an index per tile.
    bits: u32,
    /// Half of the moves needed beyond the Manhattan distance, always an integer; clamped to 15. Two entries per byte.
    excess: Vec<u8>,
}

impl PatternDatabase {
    /// Builds the database of the tiles with these goal cells, for goals with the blank at `blank`. `None` if there are too many
    /// tiles, or if `keep_going`, which is called regularly, returns false.
    pub fn new(size: Size, blank: usize, homes: &[u8], keep_going: &dyn Fn() -> bool) -> Option<PatternDatabase> {
        let bits = if size.cells() <= 16 { 4 } else { 5 };
        let entries = 1_usize.checked_shl(bits * homes.len() as u32).filter(|&entries| entries <= MAX_ENTRIES)?;
        let excess = vec![0; entries.div_ceil(2)];
        let mut database = PatternDatabase { homes: homes.to_vec(), bits, excess };
        database.fill(size, blank, entries, keep_going).then_some(database)
    }

    /// Number of bits of an index per tile. The first tile has the lowest bits.
    #[inline]
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// Goal cells of the tiles, in the order of an index.
    pub(crate) fn homes(&self) -> &[u8] {
        &self.homes
    }

    /// Returns half of the moves needed beyond the Manhattan distance of the tiles.
    #[inline]
    pub(crate) fn excess(&self, index: u32) -> u8 {
        self.excess[index as usize >> 1] >> (4 * (index & 1)) & 15
    }

    /// Memory of the table in bytes.
    pub fn memory_usage(&self) -> usize {
        self.excess.len()
    }

    /// Fills the table by breadth-first search backwards from the goal. Moves of the blank among the other tiles are free, so a
    /// state is a placement and a connected region of free cells. Returns false if `keep_going` does.
    fn fill(&mut self, size: Size, blank: usize, entries: usize, keep_going: &dyn Fn() -> bool) -> bool {
        let cells = Cells::new(size);
        let place = |index: u32, tile: usize, bits: u32| (index >> (bits * tile as u32) & ((1 << bits) - 1)) as usize;
        let bits = self.bits;
        let goal = self.homes.iter().rev().fold(0, |index, &home| index << bits | u32::from(home));
        let taken = self.homes.iter().fold(0, |taken, &home| taken | 1_u32 << home);
        // For each placement, the cells in which the blank has been seen.
        let mut seen = vec![0_u32; entries];
        seen[goal as usize] = cells.region(cells.all & !taken, 1 << blank);
        let mut layer = vec![goal << 5 | blank as u32];
        let mut next = Vec::new();
        let mut moves = 0;
        while !layer.is_empty() {
            moves += 1;
            for (number, state) in layer.iter().enumerate() {
                let (index, blank) = (state >> 5, state & 31);
                if number % BATCH == 0 && !keep_going() {
                    return false;
                }
                let taken = (0..self.homes.len()).fold(0, |taken, tile| taken | 1_u32 << place(index, tile, bits));
                let free = cells.all & !taken;
                let region = cells.region(free, 1 << blank);
                for tile in 0..self.homes.len() {
                    let from = place(index, tile, bits);
                    let mut targets = cells.beside[from] & region;
                    while targets != 0 {
                        let to = targets.trailing_zeros() as usize;
                        targets &= targets - 1;
                        let moved = index ^ ((from ^ to) as u32) << (bits * tile as u32);
                        let blanks = &mut seen[moved as usize];
                        if *blanks >> from & 1 != 0 {
                            continue;
                        }
                        if *blanks == 0 {
                            let homes = self.homes.iter().enumerate();
                            let distances = homes.map(|(t, &home)| size.distance(place(moved, t, bits), home.into()));
                            let excess = (moves - distances.sum::<usize>()) / 2;
                            self.excess[moved as usize >> 1] |= (excess.min(15) as u8) << (4 * (moved & 1));
                        }
                        *blanks |= cells.region(free ^ 1 << from ^ 1 << to, 1 << from);
                        next.push(moved << 5 | from as u32);
                    }
                }
            }
            layer.clear();
            std::mem::swap(&mut layer, &mut next);
            // In sorted order, most accesses hit the processor's caches.
            layer.sort_unstable();
        }
        true
    }
}

/// Sets of cells of a board as bit masks.
struct Cells {
    columns: usize,
    all: u32,
    /// All cells except the last column, and all cells except the first column.
    not_last: u32,
    not_first: u32,
    beside: [u32; Board::MAX_CELLS],
}

impl Cells {
    fn new(size: Size) -> Cells {
        let set = |is_in: &dyn Fn(usize) -> bool| {
            (0..size.cells()).filter(|&cell| is_in(cell)).fold(0, |set, cell| set | 1_u32 << cell)
        };
        let columns = size.columns();
        Cells {
            columns,
            all: set(&|_| true),
            not_last: set(&|cell| cell % columns + 1 < columns),
            not_first: set(&|cell| !cell.is_multiple_of(columns)),
            beside: std::array::from_fn(|cell| set(&|other| size.distance(cell, other) == 1)),
        }
    }

    /// Returns the cells that are connected to `from` inside of a set.
    #[inline]
    fn region(&self, inside: u32, from: u32) -> u32 {
        let mut region = from;
        loop {
            let along = (region & self.not_last) << 1 | (region & self.not_first) >> 1;
            let grown = (region | along | region << self.columns | region >> self.columns) & inside;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}

/// Sum over pattern databases without a common tile. It is admissible.
///
/// ```
/// use clearway_tiles::{Board, Puzzle, heuristics::{Manhattan, Patterns}};
/// let puzzle = Puzzle::new(Board::parse("867254301")?)?;
/// let patterns = Patterns::new(&puzzle, &[&[1, 2, 3, 4], &[5, 6, 7, 8]]).expect("no duplicate tiles");
/// assert_eq!(Manhattan::evaluate(&puzzle, puzzle.board()), 21);
/// assert_eq!(patterns.evaluate(&puzzle, puzzle.board()), 29);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Patterns {
    databases: Vec<PatternDatabase>,
}

impl Patterns {
    /// Builds the databases of groups of tiles, for the goal of a puzzle. `None` if a tile is in two groups or does not exist, or
    /// if a group is too large: at most six tiles up to 4x4, four beyond.
    pub fn new(puzzle: &Puzzle, groups: &[&[u8]]) -> Option<Patterns> {
        let size = puzzle.goal().size();
        let mut known = [false; Board::MAX_CELLS];
        let is_new = |&tile: &u8| {
            let there = (1..size.cells()).contains(&usize::from(tile));
            there && !std::mem::replace(&mut known[usize::from(tile)], true)
        };
        if !groups.concat().iter().all(is_new) {
            return None;
        }
        let build = |group: &&[u8]| {
            let homes: Vec<u8> = group.iter().map(|&tile| puzzle.home(tile) as u8).collect();
            PatternDatabase::new(size, puzzle.goal().blank(), &homes, &|| true)
        };
        Some(Patterns { databases: groups.iter().map(build).collect::<Option<_>>()? })
    }

    /// Returns the estimate for a board. `puzzle` must have the goal that the databases were built for.
    pub fn evaluate(&self, puzzle: &Puzzle, board: &Board) -> usize {
        let mut places = [0; Board::MAX_CELLS];
        let mut distances = 0;
        for (cell, &tile) in board.cells().iter().enumerate().filter(|&(_, &tile)| tile != 0) {
            let home = puzzle.home(tile);
            places[home] = cell as u32;
            distances += board.size().distance(cell, home);
        }
        let excess = self.databases.iter().map(|database| {
            let homes = database.homes.iter().rev();
            database.excess(homes.fold(0, |index, &home| index << database.bits | places[usize::from(home)]))
        });
        distances + 2 * excess.map(usize::from).sum::<usize>()
    }
}

impl Heuristic<Puzzle> for Patterns {
    fn estimate(&mut self, puzzle: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        self.evaluate(puzzle, node.state) as f64
    }
}
