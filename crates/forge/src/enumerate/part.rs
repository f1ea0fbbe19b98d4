//! A part of a task: the product spaces that have some groups in common.

use super::fit::Choice;
use super::layout::{Layout, Rows};
use super::space::size_of_block;

/// Every way to fill some columns that are open, and one group for each of the columns before them.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub choices: Vec<Choice>,
    /// The columns that have one group.
    pub fixed: usize,
    /// The rows' configurations that leave room for the groups of the columns.
    pub all_rows: Vec<Rows>,
    /// Its size, if it is searched as one family.
    pub words: u64,
    pub states: u64,
}

impl Part {
    /// A whole task, whose row groups are given.
    pub fn whole(layout: &Layout, groups: &[u8]) -> Part {
        Part::new(layout, vec![Choice::Open; layout.width], 0, layout.all_rows(groups))
    }

    fn new(layout: &Layout, choices: Vec<Choice>, fixed: usize, all_rows: Vec<Rows>) -> Part {
        let sizes = all_rows.iter().map(|rows| size_of_block(layout, &choices, rows));
        let (words, states) = sizes.fold((0, 0), |all, size| (all.0 + size.0, all.1 + size.1));
        Part { choices, fixed, all_rows, words, states }
    }

    /// The number of groups that the next column can have.
    pub fn groups(&self, layout: &Layout) -> u8 {
        layout.columns[self.fixed].groups as u8
    }

    /// What is left of the part if the next column has one group.
    pub fn with_group(&self, layout: &Layout, group: u8) -> Part {
        let (column, mut choices) = (self.fixed, self.choices.clone());
        choices[column] = Choice::Group(group);
        let fits = |rows: &&Rows| !layout.fit(column, choices[column], rows.taken[column]).configs.is_empty();
        let kept = self.all_rows.iter().filter(fits).copied().collect();
        Part::new(layout, choices, column + 1, kept)
    }
}
