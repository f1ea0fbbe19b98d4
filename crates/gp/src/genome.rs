//! An individual: several trees.

use crate::hash::StableHash;
use crate::{Primitives, Tree, TreeError, Type};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The trees of an individual.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Genome {
    /// One for each root of the [`Layout`].
    pub trees: Vec<Tree>,
}

/// How individuals are built, and how large they may get.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The type of each tree.
    pub roots: Vec<Type>,
    /// Trees that belong together, such as the condition and the value of a rule: groups of the same types may change
    /// places as a whole, within an individual and between two.
    pub groups: Vec<Range<usize>>,
    /// The most levels a tree may have; a lone terminal has one.
    pub depth: u32,
    /// The most nodes a tree may have.
    pub size: usize,
}

/// What is wrong with an individual.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GenomeError {
    /// Too few or too many trees.
    #[error("the individual has {found} trees instead of {expected}")]
    Count {
        /// Its trees.
        found: usize,
        /// Those of the layout.
        expected: usize,
    },
    /// A tree is wrong.
    #[error("tree {tree}: {error}")]
    Tree {
        /// Which.
        tree: usize,
        /// What is wrong with it.
        error: TreeError,
    },
}

/// Why a layout is of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// No trees at all.
    #[error("an individual needs at least one tree")]
    Empty,
    /// Limits that no tree should come near.
    #[error("trees may have at most {most_size} nodes on {most_depth} levels, not {size} on {depth}",
        most_size = Layout::MOST_SIZE, most_depth = Layout::MOST_DEPTH)]
    TooLarge {
        /// The most nodes that were asked for.
        size: usize,
        /// The most levels.
        depth: u32,
    },
    /// A group that is not part of the individual, or shares a tree with another.
    #[error("the group of trees {start} to {end} is empty, shares trees with another or goes beyond the last tree",
        start = .0.start, end = .0.end)]
    Group(Range<usize>),
    /// No tree is small enough.
    #[error("no tree of type {kind} has at most {size} nodes on {depth} levels", kind = root.0)]
    TooSmall {
        /// The type of the root.
        root: Type,
        /// The most nodes.
        size: usize,
        /// The most levels.
        depth: u32,
    },
}

impl Genome {
    /// The nodes of all trees.
    pub fn size(&self) -> usize {
        self.trees.iter().map(Tree::size).sum()
    }

    /// The levels of the deepest tree.
    pub fn depth(&self, primitives: &Primitives) -> u32 {
        self.trees.iter().map(|tree| tree.depth(primitives)).max().unwrap_or(0)
    }

    /// The same on every machine for the same individual, constants included.
    pub fn hash(&self) -> u64 {
        let mut hash = StableHash::new();
        self.trees.iter().for_each(|tree| tree.hash_into(&mut hash));
        hash.finish()
    }

    /// Whether this is an individual as the layout describes them: for what comes from files and from people.
    pub fn check(&self, primitives: &Primitives, layout: &Layout) -> Result<(), GenomeError> {
        let (found, expected) = (self.trees.len(), layout.roots.len());
        if found != expected {
            return Err(GenomeError::Count { found, expected });
        }
        for (number, (tree, root)) in self.trees.iter().zip(&layout.roots).enumerate() {
            tree.check(primitives, *root, layout).map_err(|error| GenomeError::Tree { tree: number, error })?;
        }
        Ok(())
    }
}

impl Layout {
    /// The most that [`depth`](Self::depth) may be.
    pub const MOST_DEPTH: u32 = 100;
    /// The most that [`size`](Self::size) may be.
    pub const MOST_SIZE: usize = 100_000;

    /// Whether individuals can be built like this.
    pub fn check(&self, primitives: &Primitives) -> Result<(), LayoutError> {
        let Layout { ref roots, ref groups, depth, size } = *self;
        if roots.is_empty() {
            return Err(LayoutError::Empty);
        }
        if depth > Self::MOST_DEPTH || size > Self::MOST_SIZE {
            return Err(LayoutError::TooLarge { size, depth });
        }
        let mut taken = vec![false; roots.len()];
        for group in groups {
            let trees = taken.get_mut(group.clone()).filter(|trees| !trees.is_empty() && !trees.contains(&true));
            trees.ok_or_else(|| LayoutError::Group(group.clone()))?.fill(true);
        }
        let small = |&&root: &&Type| primitives.least_size(root, depth).is_some_and(|least| least <= size);
        match roots.iter().find(|root| !small(root)) {
            Some(&root) => Err(LayoutError::TooSmall { root, size, depth }),
            None => Ok(()),
        }
    }

    /// Whether a tree keeps the limits: the one place that enforces them.
    pub(crate) fn admits(&self, tree: &Tree, primitives: &Primitives) -> bool {
        tree.size() <= self.size && tree.depth(primitives) <= self.depth
    }

    /// Stays the same as long as individuals are built in the same way.
    pub(crate) fn hash(&self, hash: &mut StableHash) {
        hash.number(self.roots.len() as u64);
        self.roots.iter().for_each(|root| hash.number(u64::from(root.0)));
        hash.number(self.groups.len() as u64);
        self.groups.iter().flat_map(|group| [group.start, group.end]).for_each(|bound| hash.number(bound as u64));
        hash.number(u64::from(self.depth));
        hash.number(self.size as u64);
    }
}
