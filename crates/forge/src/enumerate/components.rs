//! Connected components of the states of a family.
//!
//! In a block, each column has *classes* of configurations that are connected by slides of this column. One class for each
//! column is a *node*, whose states can all reach each other. So it is enough to join the nodes between which a row can move.

use super::bit_layout::{BitLayout, SIDE};
use super::space::{Block, Space};

/// Nodes and components of a family. The buffers are reused for the next family.
#[derive(Debug, Default)]
pub(super) struct Components {
    /// For each node: the smallest node of its component.
    root: Vec<u32>,
    nodes: Vec<BlockNodes>,
    parts: Vec<WordPart>,
    /// For each word: the node of its first state.
    first_node: Vec<u32>,
    high: Vec<(u32, u32)>,
    low: Vec<(u32, u32)>,
}

/// Numbering of the nodes of a block: in mixed radix, like its states.
#[derive(Clone, Copy, Debug)]
struct BlockNodes {
    first: u32,
    stride: [u32; SIDE],
    first_part: u32,
    part_of_bit: [u8; 64],
}

/// States of a word that belong to the same node.
#[derive(Clone, Copy, Debug)]
struct WordPart {
    states: u64,
    /// Number of the node, relative to the node of the word's first state.
    node: u32,
}

impl Components {
    /// Finds all components of a family.
    pub fn find_all(&mut self, layout: &BitLayout, space: &Space) {
        self.nodes.clear();
        self.parts.clear();
        self.first_node.clear();
        let mut nodes = 0;
        for block in &space.blocks {
            nodes += self.add_block(layout, space, block, nodes);
        }
        self.root.clear();
        self.root.extend(0..nodes);
        for number in 0..space.blocks.len() {
            self.join_block(layout, space, number);
        }
        for node in 0..self.root.len() {
            self.root[node] = self.root[self.root[node] as usize];
        }
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.root.len()
    }

    /// Returns the component of a state, and the states of its word in the same node, which belong to the same component.
    #[inline(always)]
    pub fn component_at(&self, space: &Space, word: u32, bit: u32) -> (u32, u64) {
        let nodes = &self.nodes[space.block_of[word as usize] as usize];
        let part = self.parts[nodes.first_part as usize + nodes.part_of_bit[bit as usize] as usize];
        (self.root[(self.first_node[word as usize] + part.node) as usize], part.states)
    }

    /// Numbers the nodes of a block, and returns their number.
    fn add_block(&mut self, layout: &BitLayout, space: &Space, block: &Block, first: u32) -> u32 {
        let (mut count, mut stride) = (1, [0; SIDE]);
        for column in (0..layout.width).rev() {
            stride[column] = count;
            count *= space.fit(layout, block, column).classes.len() as u32;
        }
        let first_part = self.parts.len();
        self.parts.push(WordPart { states: 1, node: 0 });
        for column in (block.inner..layout.width).rev() {
            let fit = space.fit(layout, block, column);
            let inner = self.parts.len();
            for (class, places) in fit.classes.iter().enumerate() {
                for part in first_part..inner {
                    let WordPart { states, node } = self.parts[part];
                    let shifted = places.iter().map(|&place| states << (u32::from(place) * block.stride[column]));
                    let states = shifted.fold(0, |all, states| all | states);
                    self.parts.push(WordPart { states, node: node + class as u32 * stride[column] });
                }
            }
            self.parts.drain(first_part..inner);
        }
        let mut part_of_bit = [0; 64];
        for (number, part) in self.parts[first_part..].iter().enumerate() {
            let mut states = part.states;
            while states != 0 {
                part_of_bit[states.trailing_zeros() as usize] = number as u8;
                states &= states - 1;
            }
        }
        let first_word = self.first_node.len();
        self.first_node.push(first);
        for column in (0..block.inner).rev() {
            let (fit, inner) = (space.fit(layout, block, column), self.first_node.len());
            // The first configuration is in the first class: its words have been added already.
            for &class in &fit.class[1..] {
                for word in first_word..inner {
                    self.first_node.push(self.first_node[word] + u32::from(class) * stride[column]);
                }
            }
        }
        self.nodes.push(BlockNodes { first, stride, first_part: first_part as u32, part_of_bit });
        count
    }

    /// Joins the nodes of a block with those that they are mapped to if a row moves one cell forward.
    fn join_block(&mut self, layout: &BitLayout, space: &Space, number: usize) {
        let block = &space.blocks[number];
        for row in 0..layout.height {
            for step in &layout.rows[row].steps[block.rows.configs[row] as usize] {
                let Some(other) = space.neighbour(layout, block, row, step.to) else { continue };
                let (from, into) = (self.nodes[number], self.nodes[other]);
                let other = &space.blocks[other];
                // Two short lists of pairs of offsets; the sums of their elements are all pairs of nodes.
                let half = layout.width / 2;
                for (pairs, columns) in [(&mut self.high, 0..half), (&mut self.low, half..layout.width)] {
                    pairs.clear();
                    pairs.push((0, 0));
                    for column in columns {
                        let free = space.common_fit(layout, block, other, column, 0);
                        let (a, b) = (space.fit(layout, block, column), space.fit(layout, other, column));
                        let old = pairs.len();
                        for places in &free.classes {
                            let config = free.configs[places[0] as usize] as usize;
                            let a = u32::from(a.class[a.index[config] as usize]) * from.stride[column];
                            let b = u32::from(b.class[b.index[config] as usize]) * into.stride[column];
                            for pair in 0..old {
                                let (x, y) = pairs[pair];
                                pairs.push((x + a, y + b));
                            }
                        }
                        pairs.drain(..old);
                    }
                }
                for &(a, b) in &self.high {
                    for &(x, y) in &self.low {
                        join(&mut self.root, from.first + a + x, into.first + b + y);
                    }
                }
            }
        }
    }
}

fn join(root: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(root, a), find(root, b));
    root[a.max(b) as usize] = a.min(b);
}

fn find(root: &mut [u32], mut node: u32) -> u32 {
    while root[node as usize] != node {
        let next = root[root[node as usize] as usize];
        root[node as usize] = next;
        node = next;
    }
    node
}
