//! The states that a graph search has generated, each with a path to it.

use crate::Domain;
use crate::table::{about_to_grow, hash};

/// A generated state.
pub(crate) struct SearchNode<D: Domain> {
    pub key: D::Key,
    /// Number of the node it was reached from; the start is its own parent.
    pub parent: u32,
    /// Length of the path to it.
    pub g: u32,
    /// Last move of that path; `None` at the start.
    pub last: Option<D::Move>,
}

/// All states generated so far, numbered in that order, and an index by key. The start is number 0.
pub(crate) struct SearchSpace<D: Domain> {
    nodes: Vec<SearchNode<D>>,
    /// Numbers of nodes by the hash of their keys: open addressing, at most half full.
    index: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl<D: Domain> SearchSpace<D> {
    /// Creates a search space that holds the start only.
    pub fn new(start: D::Key) -> Self {
        let mut space = SearchSpace { nodes: Vec::new(), index: vec![FREE; 256] };
        space.insert(start, 0, 0, None);
        space
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the numbers of nodes may run out within the next expansion.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= (FREE - (1 << 20)) as usize
    }

    #[inline]
    pub fn get(&self, node: u32) -> &SearchNode<D> {
        &self.nodes[node as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, node: u32) -> &mut SearchNode<D> {
        &mut self.nodes[node as usize]
    }

    /// Adds a state unless it is known. Returns its number, and whether it is new.
    #[inline]
    pub fn insert(&mut self, key: D::Key, parent: u32, g: u32, last: Option<D::Move>) -> (u32, bool) {
        let slot = self.find(&key);
        if self.index[slot] != FREE {
            return (self.index[slot], false);
        }
        let node = self.nodes.len() as u32;
        self.index[slot] = node;
        self.nodes.push(SearchNode { key, parent, g, last });
        if self.nodes.len() * 2 > self.index.len() {
            self.grow();
        }
        (node, true)
    }

    /// Returns the number of a state, if it is known.
    pub fn number(&self, key: &D::Key) -> Option<u32> {
        let number = self.index[self.find(key)];
        (number != FREE).then_some(number)
    }

    /// Returns whether a state is known.
    #[inline]
    pub fn contains(&self, key: &D::Key) -> bool {
        self.index[self.find(key)] != FREE
    }

    /// Returns the moves from the start to a node.
    pub fn path(&self, mut node: u32) -> Vec<D::Move> {
        let mut moves = Vec::new();
        while let SearchNode { parent, last: Some(mv), .. } = *self.get(node) {
            moves.push(mv);
            node = parent;
        }
        moves.reverse();
        moves
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        self.nodes.capacity() * size_of::<SearchNode<D>>() + self.index.capacity() * size_of::<u32>()
    }

    /// Bytes per node: the node itself and two slots of the index.
    pub fn bytes_per_node() -> usize {
        size_of::<SearchNode<D>>() + 2 * size_of::<u32>()
    }

    /// Bytes held after the next few thousand nodes: more than now if the index is about to grow.
    pub fn memory_usage_soon(&self) -> usize {
        let grows = about_to_grow(self.nodes.len(), self.index.len());
        self.memory_usage() + if grows { self.index.len() * size_of::<u32>() } else { 0 }
    }

    #[inline]
    fn find(&self, key: &D::Key) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = hash(key) as usize & mask;
        while self.index[slot] != FREE && self.nodes[self.index[slot] as usize].key != *key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn grow(&mut self) {
        // The old index is freed before the new one is allocated.
        let larger = self.index.len() * 2;
        self.index = Vec::new();
        self.index = vec![FREE; larger];
        for node in 0..self.nodes.len() {
            let slot = self.find(&self.nodes[node].key);
            self.index[slot] = node as u32;
        }
    }
}
