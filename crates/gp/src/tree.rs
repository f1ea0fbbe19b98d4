//! Trees as flat arrays.

use crate::{GenomeLayout, Primitives, Type};
use clearway_util::hash::StableHash;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Range;

/// A node of a tree. Serialized as the number of its primitive, or `[primitive, value]` if it has a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Number of its primitive.
    pub primitive: u16,
    /// Value of a constant; otherwise 0.
    pub value: f64,
}

/// A tree in prefix order: a function, then its arguments.
///
/// [`check`](Self::check) accepts any nodes; all other methods expect a tree that passed it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tree {
    /// The nodes in prefix order.
    pub nodes: Vec<Node>,
}

/// Why a tree is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// No primitive has this number.
    #[error("node {at}: unknown primitive {primitive}")]
    Unknown {
        /// Index of the node.
        at: usize,
        /// Number that no primitive has.
        primitive: u16,
    },
    /// A value of another type is needed.
    #[error("node {at}: {name} has the wrong type here")]
    WrongType {
        /// Index of the node.
        at: usize,
        /// Name of its primitive.
        name: String,
    },
    /// A constant is not finite, or a value belongs to no constant.
    #[error("node {at}: {name} cannot have the value {value}")]
    InvalidValue {
        /// Index of the node.
        at: usize,
        /// Name of its primitive.
        name: String,
        /// The rejected value.
        value: f64,
    },
    /// Arguments are missing.
    #[error("the tree ends after {0} nodes; arguments are missing")]
    Unfinished(usize),
    /// Nodes follow after the end.
    #[error("the tree is complete after {0} nodes, but more follow")]
    ExtraNodes(usize),
    /// The tree exceeds the limits.
    #[error("the tree has {size} nodes and depth {depth}; the limits are {max_size} and {max_depth}")]
    TooLarge {
        /// Number of nodes.
        size: usize,
        /// Depth of the tree.
        depth: u32,
        /// Maximum number of nodes.
        max_size: usize,
        /// Maximum depth.
        max_depth: u32,
    },
}

impl Tree {
    /// Number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Depth; a single terminal has depth 1.
    pub fn depth(&self, primitives: &Primitives) -> u32 {
        self.levels(primitives).into_iter().max().unwrap_or(0)
    }

    /// Level of each node; the root has level 1.
    pub fn levels(&self, primitives: &Primitives) -> Vec<u32> {
        // Levels of the arguments that are still to come, the next one last.
        let mut open = vec![1];
        let mut levels = Vec::with_capacity(self.size());
        for node in &self.nodes {
            let level = open.pop().unwrap_or(1);
            levels.push(level);
            open.extend(std::iter::repeat_n(level + 1, primitives.arity(node.primitive)));
        }
        levels
    }

    /// Range of nodes of the subtree at a node.
    ///
    /// ```
    /// # use clearway_gp::{Node, Primitive, Primitives, Tree, Type};
    /// # let primitive = |name: &str, inputs| {
    /// #     Primitive { name: name.to_owned(), output: Type(0), inputs, constants: None, weight: 1.0 }
    /// # };
    /// # let plus = primitive("+", vec![Type(0); 2]);
    /// # let primitives = Primitives::new(vec![plus, primitive("x", vec![]), primitive("y", vec![])])?;
    /// # let node = |primitive| Node { primitive, value: 0.0 };
    /// let tree = Tree { nodes: [0, 0, 1, 1, 2].map(node).to_vec() };
    /// assert_eq!(tree.display(&primitives).to_string(), "(+ (+ x x) y)");
    /// assert_eq!((tree.subtree(&primitives, 0), tree.subtree(&primitives, 1)), (0..5, 1..4));
    /// assert_eq!(tree.depth(&primitives), 3);
    /// # Ok::<(), clearway_gp::PrimitivesError>(())
    /// ```
    pub fn subtree(&self, primitives: &Primitives, at: usize) -> Range<usize> {
        let mut end = at;
        let mut missing = 1;
        while missing > 0 {
            missing += primitives.arity(self.nodes[end].primitive);
            missing -= 1;
            end += 1;
        }
        at..end
    }

    /// Type of the value of each node.
    pub fn types<'a>(&'a self, primitives: &'a Primitives) -> impl Iterator<Item = Type> + 'a {
        self.nodes.iter().map(|node| primitives.output(node.primitive))
    }

    /// Returns the tree with a range of nodes replaced.
    #[must_use]
    pub fn with(&self, place: Range<usize>, nodes: &[Node]) -> Tree {
        Tree { nodes: [&self.nodes[..place.start], nodes, &self.nodes[place.end..]].concat() }
    }

    /// Hash that is the same on every machine, constants included.
    pub fn hash(&self) -> u64 {
        let mut hash = StableHash::new();
        self.hash_into(&mut hash);
        hash.finish()
    }

    pub(crate) fn hash_into(&self, hash: &mut StableHash) {
        hash.number(self.size() as u64);
        for node in &self.nodes {
            hash.number(u64::from(node.primitive));
            // Both zeros are equal.
            hash.number((node.value + 0.0).to_bits());
        }
    }

    /// Rejects a tree that does not fit the type or the layout. For trees from files and from users.
    pub fn check(&self, primitives: &Primitives, root: Type, layout: &GenomeLayout) -> Result<(), TreeError> {
        let mut open = vec![root];
        for (at, node) in self.nodes.iter().enumerate() {
            let Some(expected) = open.pop() else { return Err(TreeError::ExtraNodes(at)) };
            let Node { primitive, value } = *node;
            let Some(found) = primitives.get(primitive) else { return Err(TreeError::Unknown { at, primitive }) };
            if found.output != expected {
                return Err(TreeError::WrongType { at, name: found.name.clone() });
            }
            let allowed = if found.constants.is_some() { value.is_finite() } else { value == 0.0 };
            if !allowed {
                return Err(TreeError::InvalidValue { at, name: found.name.clone(), value });
            }
            open.extend(found.inputs.iter().rev());
        }
        if !open.is_empty() {
            return Err(TreeError::Unfinished(self.size()));
        }
        let (size, depth) = (self.size(), self.depth(primitives));
        if layout.admits(self, primitives) {
            Ok(())
        } else {
            Err(TreeError::TooLarge { size, depth, max_size: layout.size, max_depth: layout.depth })
        }
    }

    /// Formats the tree for human readers: `(+ x (* 2 y))`.
    pub fn display<'a>(&'a self, primitives: &'a Primitives) -> impl fmt::Display + 'a {
        Shown { tree: self, primitives }
    }
}

struct Shown<'a> {
    tree: &'a Tree,
    primitives: &'a Primitives,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Number of arguments that each open function still lacks.
        let mut open: Vec<usize> = Vec::new();
        for (at, node) in self.tree.nodes.iter().enumerate() {
            let primitive = &self.primitives.all()[usize::from(node.primitive)];
            let space = if at > 0 { " " } else { "" };
            match (&primitive.constants, primitive.inputs.len()) {
                (Some(_), _) => write!(f, "{space}{}", node.value)?,
                (None, 0) => write!(f, "{space}{}", primitive.name)?,
                (None, arguments) => {
                    write!(f, "{space}({}", primitive.name)?;
                    open.push(arguments);
                    continue;
                }
            }
            while let Some(lacking) = open.last_mut() {
                *lacking -= 1;
                if *lacking > 0 {
                    break;
                }
                open.pop();
                f.write_str(")")?;
            }
        }
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Plain(u16),
    Valued(u16, f64),
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value.to_bits() {
            0 => Stored::Plain(self.primitive),
            _ => Stored::Valued(self.primitive, self.value),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Plain(primitive) => Node { primitive, value: 0.0 },
            Stored::Valued(primitive, value) => Node { primitive, value },
        })
    }
}
