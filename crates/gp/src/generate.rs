//! Random trees and individuals.
//!
//! The smallest size of a tree for every type and number of levels is known ([`Primitives::least_size`]), so that a
//! primitive is only chosen where its arguments can be finished within the limits: no try ever fails.

use crate::rng::Rng;
use crate::{Genome, Layout, Node, Primitives, Tree, Type};
use rand::RngExt;

/// How a random tree gets its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A function or a terminal at each place, as likely as not.
    Grow,
    /// Functions until the greatest depth is reached, where types and sizes allow it.
    Full,
    /// A function or a terminal at each place, by their weights.
    Weighted,
}

/// A random tree of a type with at most so many levels and nodes, and never more levels than
/// [`Layout::MOST_DEPTH`]; none if the smallest is larger.
pub fn tree(
    primitives: &Primitives,
    root: Type,
    method: Method,
    depth: u32,
    size: usize,
    rng: &mut Rng,
) -> Option<Tree> {
    let depth = depth.min(Layout::MOST_DEPTH);
    primitives.least_size(root, depth).filter(|&least| least <= size)?;
    let mut nodes = Vec::new();
    plant(primitives, root, method, depth, size, rng, &mut nodes);
    Some(Tree { nodes })
}

/// Appends a tree that is known to be possible. The recursion is no deeper than the tree may be.
fn plant(
    primitives: &Primitives,
    output: Type,
    method: Method,
    depth: u32,
    size: usize,
    rng: &mut Rng,
    nodes: &mut Vec<Node>,
) {
    let inner = match method {
        Method::Grow => rng.random_bool(0.5),
        Method::Full => true,
        Method::Weighted => rng.random::<f64>() < primitives.share_of_functions(output),
    };
    let primitive = if inner {
        primitives.function(output, depth, size, rng).or_else(|| primitives.terminal(output, rng))
    } else {
        primitives.terminal(output, rng).or_else(|| primitives.function(output, depth, size, rng))
    };
    let primitive = primitive.expect("a tree of this type fits into the limits");
    nodes.push(Node { primitive, value: primitives.draw(primitive, rng) });

    let inputs = &primitives.all()[usize::from(primitive)].inputs;
    let least = |input: Type| primitives.least_size(input, depth - 1).unwrap_or(0);
    // What all arguments need is set aside; each may take an even share of the rest, and what it leaves goes on.
    let mut spare = size - 1 - inputs.iter().map(|&input| least(input)).sum::<usize>();
    for (done, &input) in inputs.iter().enumerate() {
        let share = spare / (inputs.len() - done);
        let before = nodes.len();
        plant(primitives, input, method, depth - 1, least(input) + share, rng, nodes);
        spare -= (nodes.len() - before).saturating_sub(least(input));
    }
}

/// A random individual whose trees have at most so many levels, or as many as they need at least.
///
/// # Panics
/// If the layout did not pass its [check](Layout::check).
pub fn genome(primitives: &Primitives, layout: &Layout, method: Method, depth: u32, rng: &mut Rng) -> Genome {
    let plant = |&root: &Type| {
        let mut depths = depth.min(layout.depth)..=layout.depth;
        depths.find_map(|depth| tree(primitives, root, method, depth, layout.size, rng)).expect("the layout is checked")
    };
    Genome { trees: layout.roots.iter().map(plant).collect() }
}

/// Individual `index` of a ramped half-and-half population (Koza, 1992): the methods alternate, and the depths go
/// evenly from 2 to the greatest.
///
/// # Panics
/// If the layout did not pass its [check](Layout::check).
pub fn ramped(primitives: &Primitives, layout: &Layout, depth: u32, index: u32, rng: &mut Rng) -> Genome {
    let method = if index.is_multiple_of(2) { Method::Grow } else { Method::Full };
    let steps = depth.min(layout.depth).saturating_sub(1).max(1);
    genome(primitives, layout, method, 2 + index / 2 % steps, rng)
}
