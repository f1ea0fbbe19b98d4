//! A look at the parts of a tree.

use crate::terminals::primitive::{FIRST_TERMINAL, SHARE_CONSTANT};
use clearway_gp::{Node, Tree};

/// A tree or a part of one.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    nodes: &'a [Node],
}

/// What a part is.
pub(crate) enum Shape<'a> {
    /// A function of two parts, by its number among the primitives.
    Function(u16, Part<'a>, Part<'a>),
    /// A constant.
    Number(f64),
    /// A heuristic, by its number among the terminals.
    Terminal(usize),
}

impl<'a> Part<'a> {
    pub fn of(tree: &'a Tree) -> Part<'a> {
        Part { nodes: &tree.nodes }
    }

    /// What it is. What is missing from a broken tree counts as the number 0.
    pub fn shape(self) -> Shape<'a> {
        let Some((&root, rest)) = self.nodes.split_first() else { return Shape::Number(0.0) };
        if !is_function(root) {
            return terminal_of(root.primitive).map_or(Shape::Number(root.value), Shape::Terminal);
        }
        let (left, right) = rest.split_at(first_tree(rest).unwrap_or(rest.len()));
        Shape::Function(root.primitive, Part { nodes: left }, Part { nodes: right })
    }
}

fn is_function(node: Node) -> bool {
    node.primitive < SHARE_CONSTANT
}

/// The terminal that a primitive stands for, if any.
pub(crate) fn terminal_of(primitive: u16) -> Option<usize> {
    primitive.checked_sub(FIRST_TERMINAL).map(|number| usize::from(number / 2))
}

/// How many nodes the first tree of a list has; none if it never ends.
pub(crate) fn first_tree(nodes: &[Node]) -> Option<usize> {
    let mut missing = 1usize;
    for (place, &node) in nodes.iter().enumerate() {
        missing = if is_function(node) { missing + 1 } else { missing - 1 };
        if missing == 0 {
            return Some(place + 1);
        }
    }
    None
}
