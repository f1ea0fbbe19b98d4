//! The distances of all boards of a small frame.

use crate::{Board, Size};

/// Not reached.
const NEVER: u8 = u8::MAX;

/// How many moves every board of a frame of at most nine cells is from a goal.
///
/// ```
/// use clearway_tiles::{Board, Size, exact::Exact};
/// let exact = Exact::new(&Board::ordered(Size::new(3, 3).unwrap())).unwrap();
/// assert_eq!(exact.distance(&Board::parse("867254301")?), Some(31));
/// assert_eq!(exact.boards().count(), 181_440);
/// # Ok::<(), clearway_tiles::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Exact {
    goal: Board,
    /// By the rank of a board.
    distances: Vec<u8>,
}

impl Exact {
    /// The most cells of a frame.
    pub const MOST_CELLS: usize = 9;

    /// All distances from a goal, by one search backwards; none if the frame has more than nine cells.
    pub fn new(goal: &Board) -> Option<Exact> {
        let cells = goal.size().cells();
        if cells > Exact::MOST_CELLS {
            return None;
        }
        let beside: Vec<Vec<usize>> = (0..cells)
            .map(|cell| (0..cells).filter(|&other| goal.size().distance(cell, other) == 1).collect())
            .collect();
        let mut distances = vec![NEVER; (1..=cells).product()];
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
                    if *known == NEVER {
                        *known = distance;
                        next.push((moved, cell as u8));
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        Some(Exact { goal: *goal, distances })
    }

    /// The goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// How many moves a board is from the goal; none if it cannot be brought there, or is of another size.
    #[inline]
    pub fn distance(&self, board: &Board) -> Option<u8> {
        if board.size() != self.goal.size() {
            return None;
        }
        Some(self.distances[rank(pack(board), board.size().cells())]).filter(|&distance| distance != NEVER)
    }

    /// All boards from which the goal can be reached.
    pub fn boards(&self) -> impl Iterator<Item = Board> {
        let ranks = self.distances.iter().enumerate().filter(|&(_, &distance)| distance != NEVER);
        ranks.filter_map(|(rank, _)| unrank(self.goal.size(), rank))
    }

    /// How many boards there are at each distance.
    pub fn histogram(&self) -> Vec<usize> {
        let mut histogram = Vec::new();
        for &distance in self.distances.iter().filter(|&&distance| distance != NEVER) {
            let distance = usize::from(distance);
            histogram.resize(histogram.len().max(distance + 1), 0);
            histogram[distance] += 1;
        }
        histogram
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.distances.len()
    }
}

/// The tiles in four bits each, the first cell lowest.
#[inline]
fn pack(board: &Board) -> u64 {
    board.cells().iter().rev().fold(0, |packed, &tile| packed << 4 | u64::from(tile))
}

/// The number of a board among all orders of its tiles: each tile counts those below it that come later.
#[inline]
fn rank(board: u64, cells: usize) -> usize {
    // For each tile how many that are below it are still to come, four bits each.
    let mut below = 0x8_7654_3210_u64;
    let mut rank = 0;
    for place in 0..cells {
        let tile = 4 * (board >> (4 * place) & 15);
        rank = rank * (cells - place) + (below >> tile & 15) as usize;
        below = below.wrapping_sub(0x1_1111_1111 << (tile + 4));
    }
    rank
}

/// The board of a number.
fn unrank(size: Size, mut rank: usize) -> Option<Board> {
    let mut below = [0; Exact::MOST_CELLS];
    for place in (0..size.cells()).rev() {
        let choices = size.cells() - place;
        below[place] = rank % choices;
        rank /= choices;
    }
    let mut left: Vec<u8> = (0..size.cells() as u8).collect();
    let tiles: Vec<u8> = below[..size.cells()].iter().map(|&below| left.remove(below)).collect();
    Board::new(size, &tiles)
}
