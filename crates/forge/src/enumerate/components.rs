//! Which states of a family can be reached from each other.
//!
//! In a block, columns stand in *classes* of configurations that they can be slid between; one class for every column
//! is a *node*, and all of its states can reach each other. So it is enough to join nodes, wherever a row can move.

use super::layout::{Layout, SIDE};
use super::space::{Block, Space};

/// The nodes and components of a family, in buffers that are used again for the next one.
#[derive(Debug, Default)]
pub(super) struct Components {
    /// By node: the least node of its component.
    root: Vec<u32>,
    nodes: Vec<NodesOfBlock>,
    parts: Vec<Part>,
    /// By word: the node of its first state.
    of_word: Vec<u32>,
    high: Vec<(u32, u32)>,
    low: Vec<(u32, u32)>,
}

/// How a block's nodes are numbered: in mixed radix, as its states.
#[derive(Clone, Copy, Debug)]
struct NodesOfBlock {
    first: u32,
    stride: [u32; SIDE],
    first_part: u32,
    part_of_bit: [u8; 64],
}

/// The states of a word that belong to one node, and its distance from the node of the word's first state.
#[derive(Clone, Copy, Debug)]
struct Part {
    states: u64,
    node: u32,
}

impl Components {
    /// Finds them.
    pub fn find_all(&mut self, layout: &Layout, space: &Space) {
        self.nodes.clear();
        self.parts.clear();
        self.of_word.clear();
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

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.root.len()
    }

    /// The component of a state, and the states of its word that are certainly of the same one.
    #[inline(always)]
    pub fn of_state(&self, space: &Space, word: u32, bit: u32) -> (u32, u64) {
        let nodes = &self.nodes[space.block_of[word as usize] as usize];
        let part = self.parts[nodes.first_part as usize + nodes.part_of_bit[bit as usize] as usize];
        (self.root[(self.of_word[word as usize] + part.node) as usize], part.states)
    }

    /// Numbers the nodes of a block, and says how many there are.
    fn add_block(&mut self, layout: &Layout, space: &Space, block: &Block, first: u32) -> u32 {
        let (mut count, mut stride) = (1, [0; SIDE]);
        for column in (0..layout.width).rev() {
            stride[column] = count;
            count *= space.fit(layout, block, column).classes.len() as u32;
        }
        let first_part = self.parts.len();
        self.parts.push(Part { states: 1, node: 0 });
        for column in (block.inner..layout.width).rev() {
            let fit = space.fit(layout, block, column);
            let inner = self.parts.len();
            for (class, places) in fit.classes.iter().enumerate() {
                for part in first_part..inner {
                    let Part { states, node } = self.parts[part];
                    let shifted = places.iter().map(|&place| states << (u32::from(place) * block.stride[column]));
                    let states = shifted.fold(0, |all, states| all | states);
                    self.parts.push(Part { states, node: node + class as u32 * stride[column] });
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
        let first_word = self.of_word.len();
        self.of_word.push(first);
        for column in (0..block.inner).rev() {
            let (fit, inner) = (space.fit(layout, block, column), self.of_word.len());
            // The first configuration is of the first class: its words are there already.
            for &class in &fit.class[1..] {
                for word in first_word..inner {
                    self.of_word.push(self.of_word[word] + u32::from(class) * stride[column]);
                }
            }
        }
        self.nodes.push(NodesOfBlock { first, stride, first_part: first_part as u32, part_of_bit });
        count
    }

    /// Joins the nodes of a block with those that they become if a row moves one cell forward.
    fn join_block(&mut self, layout: &Layout, space: &Space, number: usize) {
        let block = &space.blocks[number];
        for row in 0..layout.height {
            for step in &layout.rows[row].steps[block.rows.configs[row] as usize] {
                let Some(other) = space.neighbour(layout, block, row, step.to) else { continue };
                let (from, into) = (self.nodes[number], self.nodes[other]);
                let other = &space.blocks[other];
                // Two short lists of pairs, whose sums are all pairs.
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
