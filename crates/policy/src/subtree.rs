//! Read-only views of the subtrees of a flat tree.

use crate::terminals::primitive::{FIRST_TERMINAL, SHARE_CONSTANT};
use clearway_gp::{Node, Tree};

/// A tree or one of its subtrees, as a slice of nodes in prefix order.
#[derive(Clone, Copy)]
pub(crate) struct Subtree<'a> {
    nodes: &'a [Node],
}

/// The root of a subtree, with its operands.
pub(crate) enum SubtreeRoot<'a> {
    /// A function of two operands, by its primitive number.
    Function(u16, Subtree<'a>, Subtree<'a>),
    /// A constant.
    Number(f64),
    /// A heuristic, by its index in [`TERMINALS`](crate::terminals::TERMINALS).
    Terminal(usize),
}

impl<'a> Subtree<'a> {
    pub fn new(tree: &'a Tree) -> Subtree<'a> {
        Subtree { nodes: &tree.nodes }
    }

    /// Splits the subtree into its root and operands. Missing nodes of a malformed tree count as the number 0.
    pub fn shape(self) -> SubtreeRoot<'a> {
        let Some((&root, rest)) = self.nodes.split_first() else { return SubtreeRoot::Number(0.0) };
        if !is_function(root) {
            return terminal_index(root.primitive).map_or(SubtreeRoot::Number(root.value), SubtreeRoot::Terminal);
        }
        let (left, right) = rest.split_at(first_tree_length(rest).unwrap_or(rest.len()));
        SubtreeRoot::Function(root.primitive, Subtree { nodes: left }, Subtree { nodes: right })
    }
}

fn is_function(node: Node) -> bool {
    node.primitive < SHARE_CONSTANT
}

/// Returns the index in `TERMINALS` of a terminal primitive, or `None` for functions and constants.
fn terminal_index(primitive: u16) -> Option<usize> {
    primitive.checked_sub(FIRST_TERMINAL).map(|number| usize::from(number / 2))
}

/// Returns the number of nodes of the first complete tree in `nodes`, or `None` if it is incomplete.
pub(crate) fn first_tree_length(nodes: &[Node]) -> Option<usize> {
    let mut missing = 1usize;
    for (place, &node) in nodes.iter().enumerate() {
        missing = if is_function(node) { missing + 1 } else { missing - 1 };
        if missing == 0 {
            return Some(place + 1);
        }
    }
    None
}
