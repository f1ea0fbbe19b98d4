//! Moves of a family as operations on whole words.
//!
//! A move of a column that is part of the words shifts bits within a word. A move of another column maps a whole word to another
//! one. A move of a row maps states of a block to another block: the states in which the cells that the row enters are free are
//! extracted from a word and deposited at their places in the other.

use super::bit_layout::BitLayout;
use super::space::{Block, Space};

/// Moves within a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// States in which the move is possible.
    pub mask: u64,
    pub left: u8,
    pub right: u8,
}

/// Moves from one word to another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub to: u32,
    /// Index among the block's carries.
    pub carry: u16,
    /// First bit of the states in this word; not 0 if a column is part of this word, but not of the other.
    pub from_bit: u8,
    /// First bit of the states in the other word.
    pub to_bit: u8,
}

/// Masks of the states that are extracted from a word, and of their places in the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carry {
    pub pick: u64,
    pub put: u64,
}

/// All moves of a family. The buffers are reused for the next family.
#[derive(Debug, Default)]
pub(super) struct Transitions {
    shifts: Vec<Shift>,
    carries: Vec<Carry>,
    edges: Vec<Edge>,
    /// For each block: the index of its first shift and its first carry; ends with the totals.
    block_starts: Vec<(u32, u32)>,
    /// For each word: the index of its first edge; ends with the total.
    first_edge: Vec<u32>,
    /// Edges of one block, each with the word where it starts, counted from the block's first word.
    unsorted: Vec<(u32, Edge)>,
    offsets: Vec<(u32, u32)>,
}

impl Transitions {
    /// Returns the moves within the words of a block.
    pub fn shifts(&self, block: usize) -> &[Shift] {
        &self.shifts[self.block_starts[block].0 as usize..self.block_starts[block + 1].0 as usize]
    }

    /// Returns the carries of a block.
    pub fn carries(&self, block: usize) -> &[Carry] {
        &self.carries[self.block_starts[block].1 as usize..self.block_starts[block + 1].1 as usize]
    }

    /// Returns the edges of a word.
    pub fn edges(&self, word: u32) -> &[Edge] {
        &self.edges[self.first_edge[word as usize] as usize..self.first_edge[word as usize + 1] as usize]
    }

    /// Computes the moves of a family.
    pub fn build(&mut self, layout: &BitLayout, space: &Space) {
        self.shifts.clear();
        self.carries.clear();
        self.edges.clear();
        self.block_starts.clear();
        self.first_edge.clear();
        for block in &space.blocks {
            self.block_starts.push((self.shifts.len() as u32, self.carries.len() as u32));
            self.unsorted.clear();
            for column in block.inner..layout.width {
                self.add_shifts(layout, space, block, column);
            }
            self.carries.push(Carry { pick: u64::MAX, put: u64::MAX });
            for column in 0..block.inner {
                self.add_column(layout, space, block, column);
            }
            for row in 0..layout.height {
                for slide in &layout.rows[row].slides[block.rows.configs[row] as usize] {
                    if let Some(other) = space.neighbour(layout, block, row, slide.to) {
                        self.add_row(layout, space, (block, &space.blocks[other]), row, slide.enters);
                    }
                }
            }
            self.sort_edges(block.words as usize);
        }
        self.block_starts.push((self.shifts.len() as u32, self.carries.len() as u32));
        self.first_edge.push(self.edges.len() as u32);
    }

    fn add_shifts(&mut self, layout: &BitLayout, space: &Space, block: &Block, column: usize) {
        let fit = space.fit(layout, block, column);
        if fit.slides.is_empty() {
            return;
        }
        let stride = block.stride[column];
        let first = block.with_first_config(column, fit.configs.len());
        let of_column = self.shifts.len();
        for &(from, to) in &fit.slides {
            let mask = first << (u32::from(from) * stride);
            let left = to.saturating_sub(from) * stride as u8;
            let right = from.saturating_sub(to) * stride as u8;
            match self.shifts[of_column..].iter_mut().find(|shift| (shift.left, shift.right) == (left, right)) {
                Some(shift) => shift.mask |= mask,
                None => self.shifts.push(Shift { mask, left, right }),
            }
        }
    }

    fn add_column(&mut self, layout: &BitLayout, space: &Space, block: &Block, column: usize) {
        let fit = space.fit(layout, block, column);
        let stride = block.stride[column] / 64;
        for &(from, to) in &fit.slides {
            for high in (0..block.words).step_by(stride as usize * fit.configs.len()) {
                for word in high..high + stride {
                    let to = block.first_word + word + u32::from(to) * stride;
                    self.unsorted.push((word + u32::from(from) * stride, Edge { to, ..Edge::default() }));
                }
            }
        }
    }

    /// Adds the edges for a move of a row, which maps one block to another. They apply to all states in which the cells that the
    /// row enters are free.
    fn add_row(&mut self, layout: &BitLayout, space: &Space, blocks: (&Block, &Block), row: usize, enters: u8) {
        let (block, other) = blocks;
        let in_both_words = block.inner.max(other.inner);
        let (mut pick, mut put) = (1u64, 1u64);
        self.offsets.clear();
        self.offsets.push((0, 0));
        for column in (0..layout.width).rev() {
            let free = space.common_fit(layout, block, other, column, (enters >> column & 1) << row);
            let (from, into) = (space.fit(layout, block, column), space.fit(layout, other, column));
            let offsets = free.configs.iter().map(|&config| {
                let (from, into) = (from.index[config as usize], into.index[config as usize]);
                (u32::from(from) * block.stride[column], u32::from(into) * other.stride[column])
            });
            if column >= in_both_words {
                let (inner_pick, inner_put) = (pick, put);
                (pick, put) = (0, 0);
                for (a, b) in offsets {
                    pick |= inner_pick << a;
                    put |= inner_put << b;
                }
            } else {
                let inner = self.offsets.len();
                for (a, b) in offsets {
                    for place in 0..inner {
                        let (x, y) = self.offsets[place];
                        self.offsets.push((x + a, y + b));
                    }
                }
                self.offsets.drain(..inner);
            }
        }
        if pick == 0 {
            return;
        }
        let carry = (self.carries.len() - self.block_starts.last().map_or(0, |start| start.1 as usize)) as u16;
        self.carries.push(Carry { pick, put });
        self.unsorted.extend(self.offsets.iter().map(|&(a, b)| {
            let (from_bit, to_bit) = ((a % 64) as u8, (b % 64) as u8);
            (a / 64, Edge { to: other.first_word + b / 64, carry, from_bit, to_bit })
        }));
    }

    /// Sorts the edges of a block by their words with a counting sort.
    fn sort_edges(&mut self, words: usize) {
        let first = self.first_edge.len();
        self.first_edge.resize(first + words, 0);
        let ends = &mut self.first_edge[first..];
        for &(word, _) in &self.unsorted {
            ends[word as usize] += 1;
        }
        let mut end = self.edges.len() as u32;
        for count in ends.iter_mut() {
            end += *count;
            *count = end;
        }
        self.edges.resize(end as usize, Edge::default());
        for &(word, edge) in self.unsorted.iter().rev() {
            ends[word as usize] -= 1;
            self.edges[ends[word as usize] as usize] = edge;
        }
    }
}
