//! The sliding-tile puzzle on up to 3x3 cells: a domain small enough for examples and tests.

use crate::{Domain, Heuristic, Node};

/// Tiles in a frame with one cell free, to be put in order: the free cell first, then 1, 2, 3 and so on.
///
/// ```
/// use clearway_search::{Domain, tiles::Tiles};
/// let puzzle = Tiles::new(2, 2, &[1, 0, 3, 2]).unwrap();
/// assert!(!puzzle.is_goal(&puzzle.start()));
/// assert!(Tiles::new(2, 2, &[1, 1, 0, 2]).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Tiles {
    columns: usize,
    start: Layout,
}

/// Which tile lies in each cell; 0 is the free cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    cells: Vec<u8>,
    free: usize,
}

/// The tile of one cell goes to the free cell beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The cell it leaves.
    pub from: u8,
    /// The cell it goes to.
    pub to: u8,
}

impl Tiles {
    /// A frame of so many rows and columns and the tiles in it, row by row; none if the sides are not 1 to 3 or the
    /// tiles are not 0, 1, 2 and so on in some order.
    pub fn new(rows: usize, columns: usize, cells: &[u8]) -> Option<Self> {
        let fits = (1..=3).contains(&rows) && (1..=3).contains(&columns) && cells.len() == rows * columns;
        let complete = (0..cells.len()).all(|tile| cells.contains(&(tile as u8)));
        let free = cells.iter().position(|&tile| tile == 0)?;
        (fits && complete).then(|| Tiles { columns, start: Layout { cells: cells.to_vec(), free } })
    }

    /// The cells beside a cell.
    fn beside(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (columns, cells) = (self.columns, self.start.cells.len());
        let row = cell / columns;
        let along = [cell.wrapping_sub(1), cell + 1].into_iter().filter(move |&c| c < cells && c / columns == row);
        along.chain([cell.wrapping_sub(columns), cell + columns].into_iter().filter(move |&c| c < cells))
    }
}

impl Layout {
    /// The tiles, row by row.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    fn shift(&mut self, from: usize, to: usize) {
        self.cells.swap(from, to);
        self.free = from;
    }

    fn in_order(&self) -> bool {
        self.cells.iter().enumerate().all(|(cell, &tile)| cell == tile as usize)
    }
}

impl Domain for Tiles {
    type State = Layout;
    type Key = u64;
    type Move = Shift;

    fn start(&self) -> Layout {
        self.start.clone()
    }

    fn key(&self, state: &Layout) -> u64 {
        state.cells.iter().rev().fold(0, |key, &tile| key << 4 | u64::from(tile))
    }

    fn state(&self, key: u64) -> Layout {
        let cells: Vec<u8> = (0..self.start.cells.len()).map(|cell| (key >> (cell * 4)) as u8 & 15).collect();
        let free = cells.iter().position(|&tile| tile == 0).unwrap_or(0);
        Layout { cells, free }
    }

    fn is_goal(&self, state: &Layout) -> bool {
        state.in_order()
    }

    /// The winning move first, if there is one.
    fn moves(&self, state: &Layout, found: &mut Vec<Shift>) {
        let first = found.len();
        found.extend(self.beside(state.free).map(|from| Shift { from: from as u8, to: state.free as u8 }));
        if let Some(wins) = self.winning_move(state)
            && let Some(at) = found[first..].iter().position(|&mv| mv == wins)
        {
            found[first..=first + at].rotate_right(1);
        }
    }

    fn apply(&self, state: &mut Layout, mv: Shift) {
        state.shift(mv.from as usize, mv.to as usize);
    }

    fn undo(&self, state: &mut Layout, mv: Shift) {
        state.shift(mv.to as usize, mv.from as usize);
    }

    fn same_piece(&self, first: Shift, second: Shift) -> bool {
        first.to == second.from
    }

    fn winning_move(&self, state: &Layout) -> Option<Shift> {
        let shift = self.beside(state.free).map(|from| Shift { from: from as u8, to: state.free as u8 });
        shift.into_iter().find(|mv| {
            let mut next = state.clone();
            next.shift(mv.from as usize, mv.to as usize);
            next.in_order()
        })
    }
}

/// The sum of the distances of the tiles to their places, along rows and columns. It never overestimates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manhattan;

impl Heuristic<Tiles> for Manhattan {
    fn estimate(&mut self, domain: &Tiles, node: &Node<'_, Tiles>) -> f64 {
        let columns = domain.columns;
        let distance = |cell: usize, tile: usize| {
            (cell / columns).abs_diff(tile / columns) + (cell % columns).abs_diff(tile % columns)
        };
        let tiles = node.state.cells.iter().enumerate().filter(|&(_, &tile)| tile != 0);
        tiles.map(|(cell, &tile)| distance(cell, tile as usize)).sum::<usize>() as f64
    }
}
