//! The states that a graph search has met, each with the way to it.

use crate::Domain;
use crate::table::{about_to_grow, hash};

/// A state that was met.
pub(crate) struct Met<D: Domain> {
    pub key: D::Key,
    /// The node it was reached from; itself at the start.
    pub parent: u32,
    /// The length of the way to it.
    pub g: u32,
    /// The last move of that way; none at the start.
    pub last: Option<D::Move>,
}

/// All states met so far, in the order in which they were met, and an index by key. The start is number 0.
pub(crate) struct Nodes<D: Domain> {
    met: Vec<Met<D>>,
    /// Numbers of nodes by the hash of their keys, with open addressing, at most half full.
    index: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl<D: Domain> Nodes<D> {
    /// The start alone.
    pub fn new(start: D::Key) -> Self {
        let mut nodes = Nodes { met: Vec::new(), index: vec![FREE; 256] };
        nodes.insert(start, 0, 0, None);
        nodes
    }

    pub fn len(&self) -> usize {
        self.met.len()
    }

    /// Whether so many nodes are held that the next ones might not be numbered any more.
    pub fn full(&self) -> bool {
        self.met.len() >= (FREE - (1 << 20)) as usize
    }

    #[inline]
    pub fn get(&self, node: u32) -> &Met<D> {
        &self.met[node as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, node: u32) -> &mut Met<D> {
        &mut self.met[node as usize]
    }

    /// Adds a state, unless it was met before. Its number, and whether it is new.
    #[inline]
    pub fn insert(&mut self, key: D::Key, parent: u32, g: u32, last: Option<D::Move>) -> (u32, bool) {
        let place = self.find(&key);
        if self.index[place] != FREE {
            return (self.index[place], false);
        }
        let node = self.met.len() as u32;
        self.index[place] = node;
        self.met.push(Met { key, parent, g, last });
        if self.met.len() * 2 > self.index.len() {
            self.grow();
        }
        (node, true)
    }

    /// The moves from the start to a node.
    pub fn path(&self, mut node: u32) -> Vec<D::Move> {
        let mut moves = Vec::new();
        while let Met { parent, last: Some(mv), .. } = *self.get(node) {
            moves.push(mv);
            node = parent;
        }
        moves.reverse();
        moves
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        self.met.capacity() * size_of::<Met<D>>() + self.index.capacity() * size_of::<u32>()
    }

    /// The bytes that a node takes: itself and two places in the index.
    pub fn bytes_each() -> usize {
        size_of::<Met<D>>() + 2 * size_of::<u32>()
    }

    /// The bytes that they take after the next few thousand of them.
    pub fn bytes_soon(&self) -> usize {
        let grows = about_to_grow(self.met.len(), self.index.len());
        self.bytes() + if grows { self.index.len() * size_of::<u32>() } else { 0 }
    }

    #[inline]
    fn find(&self, key: &D::Key) -> usize {
        let mask = self.index.len() - 1;
        let mut place = hash(key) as usize & mask;
        while self.index[place] != FREE && self.met[self.index[place] as usize].key != *key {
            place = (place + 1) & mask;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        // The old index is gone before the new one is made.
        let larger = self.index.len() * 2;
        self.index = Vec::new();
        self.index = vec![FREE; larger];
        for node in 0..self.met.len() {
            let place = self.find(&self.met[node].key);
            self.index[place] = node as u32;
        }
    }
}
