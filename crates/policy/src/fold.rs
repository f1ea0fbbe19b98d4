//! Constant folding: policies without the parts that are the same in every state.

use crate::compile::constant_comparison;
use crate::policy::{Policy, Rule};
use crate::subtree::{Subtree, SubtreeRoot};
use crate::terminals::primitive::{
    AND, AT_LEAST, AT_MOST, FIRST_TERMINAL, OR, PLUS, SHARE_CONSTANT, TIMES, VALUE_CONSTANT,
};
use crate::text::MAX_NUMBER;
use clearway_gp::{Node, Tree};

impl Policy {
    /// Returns the policy without rules that never fire and without rules below one that always fires, with conditions and
    /// values that are free of comparisons and operations of constants. The estimates are the same in every state, bit for bit.
    ///
    /// ```
    /// use clearway_policy::Policy;
    /// let policy: Policy = "IF 0 >= 1 THEN h1 IF g <= 0.5 OR 1 <= 0 THEN h2*(2 + 3) IF h1 >= 0 THEN 0*h1 DEFAULT h3".parse()?;
    /// let folded: Policy = "IF g <= 0.5 THEN h2*5 DEFAULT 0".parse()?;
    /// assert_eq!(policy.folded(), folded);
    /// # Ok::<(), clearway_util::syntax::ParseError>(())
    /// ```
    #[must_use]
    pub fn folded(&self) -> Policy {
        let mut rules = Vec::new();
        for rule in &self.rules {
            let value = Tree { nodes: fold_value(Subtree::new(&rule.value)) };
            match fold_condition(Subtree::new(&rule.condition)) {
                Condition::Constant(false) => {}
                Condition::Constant(true) => return Policy { rules, default: value, ..self.clone() },
                Condition::Nodes(nodes) => rules.push(Rule { condition: Tree { nodes }, value }),
            }
        }
        let default = Tree { nodes: fold_value(Subtree::new(&self.default)) };
        Policy { rules, default, ..self.clone() }
    }
}

/// A condition, or its value if it is the same in every state.
enum Condition {
    Constant(bool),
    Nodes(Vec<Node>),
}

fn fold_condition(subtree: Subtree<'_>) -> Condition {
    match subtree.shape() {
        SubtreeRoot::Function(function @ (AND | OR), left, right) => {
            // AND is decided by a false operand, OR by a true one.
            let decisive = function == OR;
            match (fold_condition(left), fold_condition(right)) {
                (Condition::Constant(value), other) | (other, Condition::Constant(value)) => {
                    if value == decisive {
                        Condition::Constant(value)
                    } else {
                        other
                    }
                }
                (Condition::Nodes(left), Condition::Nodes(right)) => Condition::Nodes(joined(function, left, right)),
            }
        }
        SubtreeRoot::Function(function, left, right) => {
            let constant = match function {
                AT_MOST => constant_comparison(left, right),
                AT_LEAST => constant_comparison(right, left),
                _ => Some(false),
            };
            constant.map_or_else(|| Condition::Nodes(joined(function, share(left), share(right))), Condition::Constant)
        }
        SubtreeRoot::Terminal(terminal) => Condition::Nodes(vec![leaf(FIRST_TERMINAL + 2 * terminal as u16, 0.0)]),
        SubtreeRoot::Number(_) => Condition::Constant(false),
    }
}

/// Operand of a comparison.
fn share(subtree: Subtree<'_>) -> Vec<Node> {
    match subtree.shape() {
        SubtreeRoot::Terminal(terminal) => vec![leaf(FIRST_TERMINAL + 2 * terminal as u16, 0.0)],
        SubtreeRoot::Number(number) => vec![leaf(SHARE_CONSTANT, number)],
        SubtreeRoot::Function(..) => unreachable!("comparisons have no functions of shares"),
    }
}

fn fold_value(subtree: Subtree<'_>) -> Vec<Node> {
    match subtree.shape() {
        SubtreeRoot::Terminal(terminal) => vec![leaf(FIRST_TERMINAL + 2 * terminal as u16 + 1, 0.0)],
        SubtreeRoot::Number(number) => vec![leaf(VALUE_CONSTANT, number)],
        SubtreeRoot::Function(function, left, right) => {
            let (left, right) = (fold_value(left), fold_value(right));
            let (a, b) = (number(&left), number(&right));
            let result = match (function, a, b) {
                (PLUS, Some(a), Some(b)) => Some(a + b),
                (TIMES, Some(a), Some(b)) => Some(a * b),
                (TIMES, Some(0.0), _) | (TIMES, _, Some(0.0)) => Some(0.0),
                _ => None,
            };
            // A policy as text cannot have greater numbers.
            if let Some(result) = result.filter(|result| result.abs() <= MAX_NUMBER) {
                return vec![leaf(VALUE_CONSTANT, result)];
            }
            match (function, a, b) {
                (PLUS, Some(0.0), _) | (TIMES, Some(1.0), _) => right,
                (PLUS, _, Some(0.0)) | (TIMES, _, Some(1.0)) => left,
                _ => joined(function, left, right),
            }
        }
    }
}

/// The number that a value consists of.
fn number(nodes: &[Node]) -> Option<f64> {
    match nodes {
        [Node { primitive: VALUE_CONSTANT, value }] => Some(*value),
        _ => None,
    }
}

fn joined(function: u16, left: Vec<Node>, right: Vec<Node>) -> Vec<Node> {
    let mut nodes = vec![leaf(function, 0.0)];
    nodes.extend(left);
    nodes.extend(right);
    nodes
}

fn leaf(primitive: u16, value: f64) -> Node {
    Node { primitive, value }
}
