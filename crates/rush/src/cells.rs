//! A set of cells of a board.

/// A set of cells of a board of up to 16x16: one `u16` per row, with bit `x` of word `y` for cell (x, y).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells([u16; 16]);

impl Cells {
    /// Returns whether the cell is in the set; always false off the 16x16 grid.
    pub fn contains(&self, x: u8, y: u8) -> bool {
        x < 16 && y < 16 && self.0[y as usize] >> x & 1 == 1
    }

    /// Adds a cell to the set.
    ///
    /// # Panics
    /// If the cell is off the 16x16 grid.
    pub fn insert(&mut self, x: u8, y: u8) {
        assert!(x < 16 && y < 16, "cell ({x}, {y}) is off the largest grid");
        self.0[y as usize] |= 1 << x;
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 16]
    }

    /// Number of cells in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Iterates over the cells as (x, y), row by row.
    pub fn iter(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        (0..16u8).flat_map(move |y| (0..16u8).filter(move |&x| self.contains(x, y)).map(move |x| (x, y)))
    }
}

impl FromIterator<(u8, u8)> for Cells {
    fn from_iter<I: IntoIterator<Item = (u8, u8)>>(cells: I) -> Self {
        let mut set = Cells::default();
        for (x, y) in cells {
            set.insert(x, y);
        }
        set
    }
}
