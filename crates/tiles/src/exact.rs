//! Table of the distances of all boards of a small size.

use crate::{Board, Size};

/// Marks boards from which the goal is not reachable.
const UNREACHABLE: u8 = u8::MAX;

/// Number of moves from every board to a goal, for boards of at most nine cells.
///
/// ```
/// use clearway_tiles::{Board, Size, exact::DistanceTable};
/// let exact = DistanceTable::new(&Board::ordered(Size::new(3, 3).unwrap())).unwrap();
/// assert_eq!(exact.distance(&Board::parse("867254301")?), Some(31));
/// assert_eq!(exact.boards().count(), 181_440);
/// # Ok::<(), clearway_tiles::SyntaxError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistanceTable {
    goal: Board,
    /// Indexed by the rank of a board.
    distances: Vec<u8>,
}

impl DistanceTable {
    /// Maximum number of cells.
    pub const MAX_CELLS: usize = 9;

    /// Computes all distances by one breadth-first search from the goal; `None` if it has more than nine cells.
    pub fn new(goal: &Board) -> Option<DistanceTable> {
        let cells = goal.size().cells();
        if cells > DistanceTable::MAX_CELLS {
            return None;
        }
        let beside: Vec<Vec<usize>> = (0..cells)
            .map(|cell| (0..cells).filter(|&other| goal.size().distance(cell, other) == 1).collect())
            .collect();
        let mut distances = vec![UNREACHABLE; (1..=cells).product()];
        let start = pack(goal);
        distances[rank(start, cells)] = 0;
        let (mut layer, mut next) = (vec![(start, goal.blank() as u8)], Vec::new());
        let mut distance = 0;
        while !layer.is_empty() {
            distance += 1;
            for (board, blank) in layer.drain(..) {
                for &cell in &beside[usize::from(blank)] {
                    let tile = board >> (4 * cell) & 15;
                    let moved = board ^ tile << (4 * cell) ^ tile << (4 * blank);
                    let known = &mut distances[rank(moved, cells)];
                    if *known == UNREACHABLE {
                        *known = distance;
                        next.push((moved, cell as u8));
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        Some(DistanceTable { goal: *goal, distances })
    }

    /// Goal of the table.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the number of moves to the goal; `None` if it is not reachable or the board has another size.
    #[inline]
    pub fn distance(&self, board: &Board) -> Option<u8> {
        if board.size() != self.goal.size() {
            return None;
        }
        Some(self.distances[rank(pack(board), board.size().cells())]).filter(|&distance| distance != UNREACHABLE)
    }

    /// Iterates over all boards from which the goal is reachable.
    pub fn boards(&self) -> impl Iterator<Item = Board> {
        let ranks = self.distances.iter().enumerate().filter(|&(_, &distance)| distance != UNREACHABLE);
        ranks.filter_map(|(rank, _)| unrank(self.goal.size(), rank))
    }

    /// Returns the number of boards at each distance.
    pub fn histogram(&self) -> Vec<usize> {
        let mut histogram = Vec::new();
        for &distance in self.distances.iter().filter(|&&distance| distance != UNREACHABLE) {
            let distance = usize::from(distance);
            histogram.resize(histogram.len().max(distance + 1), 0);
            histogram[distance] += 1;
        }
        histogram
    }

    /// Memory of the table in bytes.
    pub fn memory_usage(&self) -> usize {
        self.distances.len()
    }
}

/// Packs the tiles into four bits each, the first cell lowest.
#[inline]
fn pack(board: &Board) -> u64 {
    board.cells().iter().rev().fold(0, |packed, &tile| packed << 4 | u64::from(tile))
}

/// Returns the rank of a board among all permutations of its tiles, in lexicographic order.
#[inline]
fn rank(board: u64, cells: usize) -> usize {
    // For each tile, the number of smaller tiles that are still to come, four bits each.
    let mut below = 0x8_7654_3210_u64;
    let mut rank = 0;
    for place in 0..cells {
        let tile = 4 * (board >> (4 * place) & 15);
        rank = rank * (cells - place) + (below >> tile & 15) as usize;
        below = below.wrapping_sub(0x1_1111_1111 << (tile + 4));
    }
    rank
}

/// Returns the board of a rank.
fn unrank(size: Size, mut rank: usize) -> Option<Board> {
    let mut below = [0; DistanceTable::MAX_CELLS];
    for place in (0..size.cells()).rev() {
        let choices = size.cells() - place;
        below[place] = rank % choices;
        rank /= choices;
    }
    let mut left: Vec<u8> = (0..size.cells() as u8).collect();
    let tiles: Vec<u8> = below[..size.cells()].iter().map(|&below| left.remove(below)).collect();
    Board::new(size, &tiles)
}
