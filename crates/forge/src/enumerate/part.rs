//! Parts of a task: product spaces that share the groups of some columns.

use super::bit_layout::{BitLayout, Rows};
use super::fit::Choice;
use super::space::size_of_block;

/// Part of a task in which the first columns have one group each, and the others are open.
#[derive(Clone, Debug)]
pub(super) struct TaskPart {
    pub choices: Vec<Choice>,
    /// Number of columns that have one group.
    pub fixed: usize,
    /// Combinations of row configurations that leave room for the groups of the columns.
    pub all_rows: Vec<Rows>,
    /// Number of words, if it is searched as one family.
    pub words: u64,
    /// Number of states.
    pub states: u64,
}

impl TaskPart {
    /// Creates a part that consists of a whole task with these row groups.
    pub fn whole(layout: &BitLayout, groups: &[u8]) -> TaskPart {
        TaskPart::new(layout, vec![Choice::Open; layout.width], 0, layout.all_rows(groups))
    }

    fn new(layout: &BitLayout, choices: Vec<Choice>, fixed: usize, all_rows: Vec<Rows>) -> TaskPart {
        let sizes = all_rows.iter().map(|rows| size_of_block(layout, &choices, rows));
        let (words, states) = sizes.fold((0, 0), |all, size| (all.0 + size.0, all.1 + size.1));
        TaskPart { choices, fixed, all_rows, words, states }
    }

    /// Returns the number of groups of the first open column.
    pub fn groups(&self, layout: &BitLayout) -> u8 {
        layout.columns[self.fixed].groups as u8
    }

    /// Returns the part in which the first open column has this group.
    pub fn with_group(&self, layout: &BitLayout, group: u8) -> TaskPart {
        let (column, mut choices) = (self.fixed, self.choices.clone());
        choices[column] = Choice::Group(group);
        let fits = |rows: &&Rows| !layout.fit(column, choices[column], rows.taken[column]).configs.is_empty();
        let kept = self.all_rows.iter().filter(fits).copied().collect();
        TaskPart::new(layout, choices, column + 1, kept)
    }
}
