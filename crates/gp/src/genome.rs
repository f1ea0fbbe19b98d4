//! Genomes: the trees of an individual.

use crate::{Primitives, Tree, TreeError, Type};
use clearway_util::hash::StableHash;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Trees of an individual.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Genome {
    /// One tree for each root of the [`GenomeLayout`].
    pub trees: Vec<Tree>,
}

/// Trees of an individual and limits on their size.
#[derive(Clone, Debug, PartialEq)]
pub struct GenomeLayout {
    /// Type of each tree.
    pub roots: Vec<Type>,
    /// Trees that belong together, such as the condition and the value of a rule. Groups of the same types may be exchanged as a
    /// whole, within an individual and between two.
    pub groups: Vec<Range<usize>>,
    /// Maximum depth of a tree; a single terminal has depth 1.
    pub depth: u32,
    /// Maximum number of nodes of a tree.
    pub size: usize,
}

/// Why an individual is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GenomeError {
    /// Wrong number of trees.
    #[error("the individual has {found} trees instead of {expected}")]
    WrongTreeCount {
        /// Number of trees found.
        found: usize,
        /// Number of trees of the layout.
        expected: usize,
    },
    /// A tree is invalid.
    #[error("tree {tree}: {error}")]
    InvalidTree {
        /// Number of the tree.
        tree: usize,
        /// What is wrong with it.
        #[source]
        error: TreeError,
    },
}

/// Why a layout is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenomeLayoutError {
    /// No trees at all.
    #[error("an individual needs at least one tree")]
    NoTrees,
    /// Limits that are too large.
    #[error("invalid tree limits: {size} nodes and depth {depth}; at most {max_size} nodes and depth {max_depth} are allowed",
        max_size = GenomeLayout::MAX_SIZE, max_depth = GenomeLayout::MAX_DEPTH)]
    TooLarge {
        /// Requested maximum number of nodes.
        size: usize,
        /// Maximum depth.
        depth: u32,
    },
    /// A group is empty, overlaps another, or extends beyond the last tree.
    #[error("the group of trees {start} to {end} is empty, overlaps another, or extends beyond the last tree",
        start = .0.start, end = .0.end)]
    InvalidGroup(Range<usize>),
    /// No tree is small enough.
    #[error("no tree of type {kind} has at most {size} nodes and depth {depth}", kind = root.0)]
    TooSmall {
        /// Type of the root.
        root: Type,
        /// Maximum number of nodes.
        size: usize,
        /// Maximum depth.
        depth: u32,
    },
}

impl Genome {
    /// Number of nodes of all trees.
    pub fn size(&self) -> usize {
        self.trees.iter().map(Tree::size).sum()
    }

    /// Depth of the deepest tree.
    pub fn depth(&self, primitives: &Primitives) -> u32 {
        self.trees.iter().map(|tree| tree.depth(primitives)).max().unwrap_or(0)
    }

    /// Hash that is the same on every machine, constants included.
    pub fn hash(&self) -> u64 {
        let mut hash = StableHash::new();
        self.trees.iter().for_each(|tree| tree.hash_into(&mut hash));
        hash.finish()
    }

    /// Rejects an individual that does not fit the layout. For individuals from files and from users.
    pub fn check(&self, primitives: &Primitives, layout: &GenomeLayout) -> Result<(), GenomeError> {
        let (found, expected) = (self.trees.len(), layout.roots.len());
        if found != expected {
            return Err(GenomeError::WrongTreeCount { found, expected });
        }
        for (number, (tree, root)) in self.trees.iter().zip(&layout.roots).enumerate() {
            tree.check(primitives, *root, layout).map_err(|error| GenomeError::InvalidTree { tree: number, error })?;
        }
        Ok(())
    }
}

impl GenomeLayout {
    /// Upper limit of [`depth`](Self::depth).
    pub const MAX_DEPTH: u32 = 100;
    /// Upper limit of [`size`](Self::size).
    pub const MAX_SIZE: usize = 100_000;

    /// Rejects an invalid layout.
    pub fn check(&self, primitives: &Primitives) -> Result<(), GenomeLayoutError> {
        let GenomeLayout { ref roots, ref groups, depth, size } = *self;
        if roots.is_empty() {
            return Err(GenomeLayoutError::NoTrees);
        }
        if depth > Self::MAX_DEPTH || size > Self::MAX_SIZE {
            return Err(GenomeLayoutError::TooLarge { size, depth });
        }
        let mut taken = vec![false; roots.len()];
        for group in groups {
            let trees = taken.get_mut(group.clone()).filter(|trees| !trees.is_empty() && !trees.contains(&true));
            trees.ok_or_else(|| GenomeLayoutError::InvalidGroup(group.clone()))?.fill(true);
        }
        let small = |&&root: &&Type| primitives.min_size(root, depth).is_some_and(|least| least <= size);
        match roots.iter().find(|root| !small(root)) {
            Some(&root) => Err(GenomeLayoutError::TooSmall { root, size, depth }),
            None => Ok(()),
        }
    }

    /// Whether a tree is within the limits. The only place that enforces them.
    pub(crate) fn admits(&self, tree: &Tree, primitives: &Primitives) -> bool {
        tree.size() <= self.size && tree.depth(primitives) <= self.depth
    }

    /// Adds the layout to a hash, which identifies compatible checkpoints.
    pub(crate) fn hash(&self, hash: &mut StableHash) {
        hash.number(self.roots.len() as u64);
        self.roots.iter().for_each(|root| hash.number(u64::from(root.0)));
        hash.number(self.groups.len() as u64);
        self.groups.iter().flat_map(|group| [group.start, group.end]).for_each(|bound| hash.number(bound as u64));
        hash.number(u64::from(self.depth));
        hash.number(self.size as u64);
    }
}
