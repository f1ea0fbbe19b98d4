//! The empty board that is enumerated: its rows and columns as bit masks.

use super::fit::{Choice, Fit, Fits};
use super::line::LineConfigurations;
use clearway_rush::{Cells, Metric};
use std::ops::Range;

/// Maximum number of rows or columns.
pub(super) const SIDE: usize = 8;

/// Lines of a board with the walls in place. The target is alone in its row and leaves to the right.
#[derive(Debug)]
pub(super) struct BitLayout {
    pub width: usize,
    pub height: usize,
    pub target_row: usize,
    pub walls: Cells,
    pub rows: Vec<LineConfigurations>,
    pub columns: Vec<LineConfigurations>,
    fits: Vec<Fits>,
}

/// One configuration for each row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub configs: [u8; SIDE],
    /// Cells of each column that are occupied by these configurations or by walls.
    pub taken: [u8; SIDE],
}

impl BitLayout {
    pub fn new(width: usize, height: usize, target_row: usize, walls: Cells, metric: Metric) -> BitLayout {
        let (rows, columns) = lines(width, height, target_row, &walls, metric);
        let fits = columns.iter().map(|line| Fits::new(line, height as u8)).collect();
        BitLayout { width, height, target_row, walls, rows, columns, fits }
    }

    /// Returns the configurations that fit into a column around its occupied cells.
    pub fn fit(&self, column: usize, choice: Choice, taken: u8) -> &Fit {
        &self.fits[column].for_choice(choice)[taken as usize]
    }

    /// Returns the configurations of a group of a row.
    pub fn configs_of(&self, row: usize, group: u8) -> Range<u8> {
        let configs = &self.rows[row].configs;
        let first = configs.partition_point(|config| config.group < group);
        let end = configs.partition_point(|config| config.group <= group);
        first as u8..end as u8
    }

    /// Returns all combinations of configurations of the given row groups. The configuration of the first row changes slowest.
    pub fn all_rows(&self, groups: &[u8]) -> Vec<Rows> {
        let mut taken = [0; SIDE];
        for (x, y) in self.walls.iter() {
            taken[x as usize] |= 1 << y;
        }
        let mut all = vec![Rows { configs: [0; SIDE], taken }];
        for (row, &group) in groups.iter().enumerate() {
            let place = |rows: Rows| self.configs_of(row, group).map(move |config| self.with_row(rows, row, config));
            all = all.into_iter().flat_map(place).collect();
        }
        all
    }

    fn with_row(&self, mut rows: Rows, row: usize, config: u8) -> Rows {
        let cells = self.rows[row].configs[config as usize].cells;
        rows.configs[row] = config;
        for (column, taken) in rows.taken.iter_mut().enumerate() {
            *taken |= (cells >> column & 1) << row;
        }
        rows
    }
}

/// Creates the rows and columns of a board.
fn lines(
    width: usize,
    height: usize,
    target_row: usize,
    walls: &Cells,
    metric: Metric,
) -> (Vec<LineConfigurations>, Vec<LineConfigurations>) {
    let walls_of = |is_of_line: &dyn Fn(u8, u8) -> Option<u8>| {
        walls.iter().filter_map(|(x, y)| is_of_line(x, y)).fold(0u8, |cells, place| cells | 1 << place)
    };
    let rows = (0..height).map(|row| {
        let walls = walls_of(&|x, y| (y as usize == row).then_some(x));
        let new_line = if row == target_row { LineConfigurations::with_target } else { LineConfigurations::new };
        new_line(width as u8, walls, metric)
    });
    let columns = (0..width).map(|column| {
        let walls = walls_of(&|x, y| (x as usize == column).then_some(y));
        LineConfigurations::new(height as u8, walls, metric)
    });
    (rows.collect(), columns.collect())
}

/// Returns the number of groups of each row.
pub(super) fn row_groups(width: usize, height: usize, target_row: usize, walls: &Cells) -> Vec<u64> {
    let (rows, _) = lines(width, height, target_row, walls, Metric::Steps);
    rows.iter().map(|row| row.groups as u64).collect()
}
