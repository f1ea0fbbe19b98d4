//! Random trees and individuals.
//!
//! The smallest size of a tree of every type and depth is known ([`Primitives::min_size`]), so a primitive is chosen only
//! where its arguments fit within the limits: generation never fails.

use crate::rng::Rng;
use crate::{Genome, GenomeLayout, Node, Primitives, Tree, Type};
use rand::RngExt;

/// Shape of random trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// At each node a function or a terminal, with equal probability.
    Grow,
    /// Functions down to the maximum depth, where types and sizes allow it.
    Full,
    /// At each node a primitive drawn by its weight.
    Weighted,
}

/// Generates a random tree of a type within limits on depth and size; the depth never exceeds
/// [`GenomeLayout::MAX_DEPTH`]. `None` if the smallest tree exceeds the limits.
pub fn tree(
    primitives: &Primitives,
    root: Type,
    method: Method,
    depth: u32,
    size: usize,
    rng: &mut Rng,
) -> Option<Tree> {
    let depth = depth.min(GenomeLayout::MAX_DEPTH);
    primitives.min_size(root, depth).filter(|&least| least <= size)?;
    let mut nodes = Vec::new();
    plant(primitives, root, method, depth, size, rng, &mut nodes);
    Some(Tree { nodes })
}

/// Appends a tree that is known to fit. The recursion is no deeper than the tree may be.
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
    let least = |input: Type| primitives.min_size(input, depth - 1).unwrap_or(0);
    // The minimum of all arguments is reserved; each may use an equal share of the rest, and passes on what it leaves.
    let mut spare = size - 1 - inputs.iter().map(|&input| least(input)).sum::<usize>();
    for (done, &input) in inputs.iter().enumerate() {
        let share = spare / (inputs.len() - done);
        let before = nodes.len();
        plant(primitives, input, method, depth - 1, least(input) + share, rng, nodes);
        spare -= (nodes.len() - before).saturating_sub(least(input));
    }
}

/// Generates a random individual. Its trees have at most `depth` levels, or the fewest that their type needs.
///
/// # Panics
/// If the layout does not pass its [check](GenomeLayout::check).
pub fn genome(primitives: &Primitives, layout: &GenomeLayout, method: Method, depth: u32, rng: &mut Rng) -> Genome {
    let plant = |&root: &Type| {
        let mut depths = depth.min(layout.depth)..=layout.depth;
        depths.find_map(|depth| tree(primitives, root, method, depth, layout.size, rng)).expect("the layout is checked")
    };
    Genome { trees: layout.roots.iter().map(plant).collect() }
}

/// Generates individual `index` of a ramped half-and-half population (Koza, 1992): the methods alternate, and depths are
/// spread evenly from 2 to the maximum.
///
/// # Panics
/// If the layout does not pass its [check](GenomeLayout::check).
pub fn ramped(primitives: &Primitives, layout: &GenomeLayout, depth: u32, index: u32, rng: &mut Rng) -> Genome {
    let method = if index.is_multiple_of(2) { Method::Grow } else { Method::Full };
    let steps = depth.min(layout.depth).saturating_sub(1).max(1);
    genome(primitives, layout, method, 2 + index / 2 % steps, rng)
}
