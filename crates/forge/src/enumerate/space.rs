//! A *family* of product spaces that are searched together: one group for each row, and for each column one group or all of
//! them.
//!
//! A *block* is one configuration for each row. Given the rows, the columns are independent of each other, so the states of a
//! block are a product: for each column, one of the configurations that fit. They are numbered in mixed radix, with the last
//! column changing fastest. The last columns, as many as have at most 64 states together, form the bits of a *word*; the other
//! columns number the words. Unused bits of a word are numbered as well, so the number of a state is 64 times the number of its
//! word plus its bit.

use super::bit_layout::{BitLayout, Rows, SIDE};
use super::fit::{Choice, Fit};

/// States with the same configuration in each row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub rows: Rows,
    pub first_word: u32,
    pub words: u32,
    /// For each column: the difference between the numbers of states that differ only in adjacent configurations of it.
    pub stride: [u32; SIDE],
    /// First column that is part of a word.
    pub inner: usize,
    /// Bits of a word that represent states.
    pub used: u64,
    /// Whether the target is at the exit.
    pub is_goal: bool,
}

/// States of a family. The buffers are reused for the next family.
#[derive(Debug, Default)]
pub(super) struct Space {
    pub choices: Vec<Choice>,
    pub blocks: Vec<Block>,
    /// For each word: its block.
    pub block_of: Vec<u32>,
    /// For each combination of row configurations, numbered in mixed radix: its block, or [`NO_BLOCK`].
    index: Vec<u32>,
    radix: [u32; SIDE],
    first_config: [u8; SIDE],
}

/// Marks a combination of rows that has no block.
const NO_BLOCK: u32 = u32::MAX;

impl Space {
    /// Builds the space of a family: `all_rows`, whose groups are given, with the choices for the columns.
    pub fn build(&mut self, layout: &BitLayout, groups: &[u8], choices: &[Choice], all_rows: &[Rows]) {
        self.choices.clear();
        self.choices.extend_from_slice(choices);
        let mut radix = 1;
        for row in (0..layout.height).rev() {
            let configs = layout.configs_of(row, groups[row]);
            self.radix[row] = radix;
            self.first_config[row] = configs.start;
            radix *= configs.len() as u32;
        }
        self.index.clear();
        self.index.resize(radix as usize, NO_BLOCK);
        self.blocks.clear();
        self.block_of.clear();
        for &rows in all_rows {
            let block = Block::new(layout, choices, rows, self.words() as u32);
            let number = self.number(layout, &rows);
            self.index[number as usize] = self.blocks.len() as u32;
            self.block_of.resize(self.words() + block.words as usize, self.blocks.len() as u32);
            self.blocks.push(block);
        }
    }

    /// Returns the number of words.
    pub fn words(&self) -> usize {
        self.block_of.len()
    }

    /// Returns the block of a word.
    pub fn block(&self, word: u32) -> &Block {
        &self.blocks[self.block_of[word as usize] as usize]
    }

    /// Returns the configurations that fit into a column of a block.
    pub fn fit<'l>(&self, layout: &'l BitLayout, block: &Block, column: usize) -> &'l Fit {
        layout.fit(column, self.choices[column], block.rows.taken[column])
    }

    /// Returns the configurations that fit into a column of both blocks and leave the cells in `free` empty.
    pub fn common_fit<'l>(&self, layout: &'l BitLayout, a: &Block, b: &Block, column: usize, free: u8) -> &'l Fit {
        layout.fit(column, self.choices[column], a.rows.taken[column] | b.rows.taken[column] | free)
    }

    fn number(&self, layout: &BitLayout, rows: &Rows) -> u32 {
        let place = |row: usize| u32::from(rows.configs[row] - self.first_config[row]) * self.radix[row];
        (0..layout.height).map(place).sum()
    }

    /// Returns the block that results from `block` if a row changes its configuration.
    pub fn neighbour(&self, layout: &BitLayout, block: &Block, row: usize, config: u8) -> Option<usize> {
        let mut rows = block.rows;
        rows.configs[row] = config;
        let block = self.index[self.number(layout, &rows) as usize];
        (block != NO_BLOCK).then_some(block as usize)
    }

    /// Returns the configuration of each column in a state.
    pub fn columns(&self, layout: &BitLayout, block: &Block, state: u32) -> [u8; SIDE] {
        let mut rest = state - block.first_word * 64;
        let mut columns = [0; SIDE];
        for (column, config) in columns.iter_mut().enumerate().take(layout.width) {
            *config = self.fit(layout, block, column).configs[(rest / block.stride[column]) as usize];
            rest %= block.stride[column];
        }
        columns
    }
}

impl Block {
    fn new(layout: &BitLayout, choices: &[Choice], rows: Rows, first_word: u32) -> Block {
        let target = &layout.rows[layout.target_row].configs[rows.configs[layout.target_row] as usize];
        let is_goal = target.cells >> (layout.width - 1) & 1 == 1;
        let mut block = Block { rows, first_word, words: 1, stride: [0; SIDE], inner: 0, used: 0, is_goal };
        let mut states = 1u32;
        for column in (0..layout.width).rev() {
            let count = layout.fit(column, choices[column], rows.taken[column]).configs.len() as u32;
            if block.used == 0 && states * count > 64 {
                block.used = u64::MAX >> (64 - states);
                block.inner = column + 1;
                states = 64;
            }
            block.stride[column] = states;
            states *= count;
        }
        if block.used == 0 {
            block.used = u64::MAX >> (64 - states);
        }
        block.words = states.div_ceil(64);
        block
    }

    /// Returns the states of a word in which a column is in its first configuration. The column must be part of the word and
    /// have this number of configurations.
    pub fn with_first_config(&self, column: usize, configs: usize) -> u64 {
        let stride = self.stride[column];
        let (mut first, mut period) = (u64::MAX >> (64 - stride), stride * configs as u32);
        while period < 64 {
            first |= first << period;
            period *= 2;
        }
        first & self.used
    }
}

/// Returns the number of words of a block, and the number of its states.
pub(super) fn size_of_block(layout: &BitLayout, choices: &[Choice], rows: &Rows) -> (u64, u64) {
    let (mut padded, mut states, mut is_inner) = (1u64, 1u64, true);
    for column in (0..layout.width).rev() {
        let count = layout.fit(column, choices[column], rows.taken[column]).configs.len() as u64;
        if is_inner && padded * count > 64 {
            is_inner = false;
            padded = 64;
        }
        padded *= count;
        states *= count;
    }
    (padded.div_ceil(64), states)
}
