//! The states that a graph search has generated, each with a path to it.

use crate::Domain;
use crate::table::{about_to_grow, hash};
use std::hash::Hash;

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
    /// Nodes by the hash of their keys: open addressing, at most half full. An entry holds the upper half of the hash, which also
    /// determines its slot, and the number of the node. So most keys that differ are recognised without a look at the node, and
    /// the index grows without one: in a large search, such a look is likely to miss the cache.
    index: Vec<u64>,
}

/// Number that no node has.
const FREE: u32 = u32::MAX;
/// An empty slot.
const EMPTY: u64 = u64::MAX;

/// The upper half of the hash of a key.
#[inline]
fn tag<K: Hash>(key: &K) -> u32 {
    (hash(key) >> 32) as u32
}

impl<D: Domain> SearchSpace<D> {
    /// Creates a search space that holds the start only.
    pub fn new(start: D::Key) -> Self {
        let mut space = SearchSpace { nodes: Vec::new(), index: vec![EMPTY; 256] };
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

    /// Adds a state unless it is known. Returns its number, and whether it is new.
    #[inline]
    pub fn insert(&mut self, key: D::Key, parent: u32, g: u32, last: Option<D::Move>) -> (u32, bool) {
        let tag = tag(&key);
        let slot = self.find(&key, tag);
        if self.index[slot] != EMPTY {
            return (self.index[slot] as u32, false);
        }
        let node = self.nodes.len() as u32;
        self.index[slot] = u64::from(tag) << 32 | u64::from(node);
        self.nodes.push(SearchNode { key, parent, g, last });
        if self.nodes.len() * 2 > self.index.len() {
            self.grow();
        }
        (node, true)
    }

    /// Replaces the path to a known state by a shorter one, if it is shorter and `reopen` allows it. Returns whether it was replaced.
    #[inline]
    pub fn improve(&mut self, node: u32, parent: u32, g: u32, last: D::Move, reopen: bool) -> bool {
        let known = &mut self.nodes[node as usize];
        let is_shorter = reopen && g < known.g;
        if is_shorter {
            (known.g, known.parent, known.last) = (g, parent, Some(last));
        }
        is_shorter
    }

    /// Loads what [`insert`](Self::insert) will need for these keys into the processor's cache, for all of them at once instead of
    /// one after the other.
    pub fn prepare(&self, keys: &[D::Key]) {
        let mask = self.index.len() - 1;
        let entries = keys.iter().map(|key| self.index[tag(key) as usize & mask]);
        std::hint::black_box(entries.fold(0, |all, entry| all ^ entry));
    }

    /// Returns the number of a state, if it is known.
    pub fn number(&self, key: &D::Key) -> Option<u32> {
        let entry = self.index[self.find(key, tag(key))];
        (entry != EMPTY).then_some(entry as u32)
    }

    /// Returns whether a state is known.
    #[inline]
    pub fn contains(&self, key: &D::Key) -> bool {
        self.index[self.find(key, tag(key))] != EMPTY
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
        self.nodes.capacity() * size_of::<SearchNode<D>>() + self.index.capacity() * size_of::<u64>()
    }

    /// Bytes per node: the node itself and two slots of the index.
    pub fn bytes_per_node() -> usize {
        size_of::<SearchNode<D>>() + 2 * size_of::<u64>()
    }

    /// Bytes held after the next few thousand nodes: more than now if the index is about to grow, and then for a moment both the
    /// old and the new one.
    pub fn memory_usage_soon(&self) -> usize {
        let grows = about_to_grow(self.nodes.len(), self.index.len());
        self.memory_usage() + if grows { 2 * self.index.len() * size_of::<u64>() } else { 0 }
    }

    #[inline]
    fn find(&self, key: &D::Key, tag: u32) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = tag as usize & mask;
        loop {
            let entry = self.index[slot];
            if entry == EMPTY || ((entry >> 32) as u32 == tag && self.nodes[entry as u32 as usize].key == *key) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![EMPTY; self.index.len() * 2];
        let mask = larger.len() - 1;
        // In the order of the old slots, entries move to two places of the new index that advance steadily.
        for entry in std::mem::replace(&mut self.index, larger) {
            if entry != EMPTY {
                let mut slot = (entry >> 32) as usize & mask;
                while self.index[slot] != EMPTY {
                    slot = (slot + 1) & mask;
                }
                self.index[slot] = entry;
            }
        }
    }
}
