//! The board that is enumerated, before any vehicle stands on it.

use super::fit::{Choice, Fit, Fits};
use super::line::Line;
use clearway_rush::{Cells, Metric};
use std::ops::Range;

/// The most rows or columns.
pub(super) const SIDE: usize = 8;

/// Its lines, with the walls in place. The target's row is alone in having the target, which leaves to the right.
#[derive(Debug)]
pub(super) struct Layout {
    pub width: usize,
    pub height: usize,
    pub target_row: usize,
    pub walls: Cells,
    pub rows: Vec<Line>,
    pub columns: Vec<Line>,
    fits: Vec<Fits>,
}

/// One configuration for every row, and the cells of every column that they and the walls take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub configs: [u8; SIDE],
    pub taken: [u8; SIDE],
}

impl Layout {
    pub fn new(width: usize, height: usize, target_row: usize, walls: Cells, metric: Metric) -> Layout {
        let (rows, columns) = lines(width, height, target_row, &walls, metric);
        let fits = columns.iter().map(|line| Fits::new(line, height as u8)).collect();
        Layout { width, height, target_row, walls, rows, columns, fits }
    }

    /// What fits into a column.
    pub fn fit(&self, column: usize, choice: Choice, taken: u8) -> &Fit {
        &self.fits[column].of(choice)[taken as usize]
    }

    /// The configurations of a row's group.
    pub fn configs_of(&self, row: usize, group: u8) -> Range<u8> {
        let configs = &self.rows[row].configs;
        let first = configs.partition_point(|config| config.group < group);
        let end = configs.partition_point(|config| config.group <= group);
        first as u8..end as u8
    }

    /// Every combination of configurations of some row groups, the first row's changing slowest.
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

/// The lines of a board: its rows and its columns.
fn lines(width: usize, height: usize, target_row: usize, walls: &Cells, metric: Metric) -> (Vec<Line>, Vec<Line>) {
    let walls_of = |is_of_line: &dyn Fn(u8, u8) -> Option<u8>| {
        walls.iter().filter_map(|(x, y)| is_of_line(x, y)).fold(0u8, |cells, place| cells | 1 << place)
    };
    let rows = (0..height).map(|row| {
        let walls = walls_of(&|x, y| (y as usize == row).then_some(x));
        let line = if row == target_row { Line::of_target } else { Line::new };
        line(width as u8, walls, metric)
    });
    let columns = (0..width).map(|column| {
        let walls = walls_of(&|x, y| (x as usize == column).then_some(y));
        Line::new(height as u8, walls, metric)
    });
    (rows.collect(), columns.collect())
}

/// The number of groups that each row can have.
pub(super) fn row_groups(width: usize, height: usize, target_row: usize, walls: &Cells) -> Vec<u64> {
    let (rows, _) = lines(width, height, target_row, walls, Metric::Steps);
    rows.iter().map(|row| row.groups as u64).collect()
}
