//! Counts the states of every task without a search.
//!
//! Given the rows, the columns are independent of each other: the number of states is the product, over the columns, of the
//! number of configurations that fit. The sum over all combinations of rows is computed recursively, row by row. For the last
//! row, the products over each half of the columns are computed once for all of its configurations.

use super::EnumerationPlan;
use super::bit_layout::{BitLayout, SIDE};
use super::fit::Choice;

impl EnumerationPlan {
    /// Returns the number of states of every task, in the order of their numbers.
    ///
    /// ```
    /// use clearway_forge::Shape;
    /// use clearway_forge::enumerate::EnumerationPlan;
    /// use clearway_rush::{Metric, Side};
    /// let plan = EnumerationPlan::new(Shape::new(5, 5, Side::Right, None, 0)?, Metric::Moves, 0)?;
    /// assert_eq!(plan.sizes().iter().sum::<u64>(), 6_795_364);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes = Vec::with_capacity(self.tasks() as usize);
        for placement in 0..self.placements() {
            let layout = self.layout(placement);
            let first = sizes.len();
            sizes.resize(first + layout.rows.iter().map(|row| row.groups).product::<usize>(), 0);
            let mut taken = [0; SIDE];
            for (x, y) in layout.walls.iter() {
                taken[x as usize] |= 1 << y;
            }
            SizeCounter { fits: fits(&layout), layout: &layout, sizes: &mut sizes[first..] }.add(0, 0, taken);
        }
        sizes
    }
}

/// Counts the states of all tasks with the same placement of the walls.
struct SizeCounter<'a> {
    layout: &'a BitLayout,
    /// For each column and each set of occupied cells: the number of configurations that fit.
    fits: Vec<Vec<u64>>,
    sizes: &'a mut [u64],
}

fn fits(layout: &BitLayout) -> Vec<Vec<u64>> {
    let of = |column| (0..1u16 << layout.height).map(move |taken| layout.fit(column, Choice::Open, taken as u8));
    (0..layout.width).map(|column| of(column).map(|fit| fit.configs.len() as u64).collect()).collect()
}

impl SizeCounter<'_> {
    /// Adds the states of all configurations of the rows from `row` on, given the groups of the previous rows as a number in
    /// mixed radix, and the cells of each column that these occupy.
    fn add(&mut self, row: usize, groups: usize, taken: [u8; SIDE]) {
        let line = &self.layout.rows[row];
        let groups = groups * line.groups;
        if row + 1 == self.layout.height {
            let half = self.layout.width / 2;
            let (low, high) = (self.products(0..half, row, taken), self.products(half..self.layout.width, row, taken));
            for config in &line.configs {
                let cells = config.cells as usize;
                self.sizes[groups + config.group as usize] += low[cells & ((1 << half) - 1)] * high[cells >> half];
            }
            return;
        }
        for config in &line.configs {
            let mut more = taken;
            for (column, taken) in more.iter_mut().enumerate() {
                *taken |= (config.cells >> column & 1) << row;
            }
            self.add(row + 1, groups + config.group as usize, more);
        }
    }

    /// Returns, for each set of cells that the last row occupies in some columns, the number of ways to fill these columns.
    fn products(&self, columns: std::ops::Range<usize>, row: usize, taken: [u8; SIDE]) -> [u64; 1 << (SIDE / 2)] {
        let mut products = [1; 1 << (SIDE / 2)];
        for (place, column) in columns.enumerate() {
            let fits = &self.fits[column];
            let free = fits[taken[column] as usize];
            let crossed = fits[(taken[column] | 1 << row) as usize];
            for cells in 0..1 << place {
                products[cells | 1 << place] = products[cells] * crossed;
                products[cells] *= free;
            }
        }
        products
    }
}
