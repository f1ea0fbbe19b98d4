//! Simplification of individuals.

use crate::{Constants, Genome, Node, Primitives, Tree};
use std::collections::HashSet;

/// Replaces subtrees by smaller ones as long as `same` accepts the result: by parts of themselves first, then by terminals and
/// constants. Large subtrees are tried first. `same` is called at most `tries` times; the result is a genome that it accepted,
/// or the original.
///
/// ```
/// use clearway_gp::{Genome, Node, Primitive, Primitives, Tree, Type, simplify};
/// # let primitive = |name: &str, inputs| {
/// #     Primitive { name: name.to_owned(), output: Type(0), inputs, constants: None, weight: 1.0 }
/// # };
/// let primitives = Primitives::new(vec![primitive("max", vec![Type(0); 2]), primitive("x", vec![])])?;
/// let node = |primitive| Node { primitive, value: 0.0 };
/// let tree = Tree { nodes: [0, 1, 0, 1, 1].map(node).to_vec() };
/// assert_eq!(tree.display(&primitives).to_string(), "(max x (max x x))");
/// let simple = simplify::simplify(&Genome { trees: vec![tree] }, &primitives, 100, |_| true);
/// assert_eq!(simple.trees[0].display(&primitives).to_string(), "x");
/// # Ok::<(), clearway_gp::PrimitivesError>(())
/// ```
pub fn simplify(
    genome: &Genome,
    primitives: &Primitives,
    tries: usize,
    mut same: impl FnMut(&Genome) -> bool,
) -> Genome {
    let mut best = genome.clone();
    let mut tried = HashSet::new();
    let mut left = tries;
    let mut accepts = |candidate: &Genome| {
        if left == 0 || !tried.insert(candidate.hash()) {
            return false;
        }
        left -= 1;
        same(candidate)
    };
    // Removing one part may make another removable. Every success makes the individual smaller, so this terminates.
    loop {
        let before = best.size();
        for replacements in [hoists, leaves] {
            for number in 0..best.trees.len() {
                let mut at = 0;
                while at < best.trees[number].size() {
                    match smaller(&best, primitives, number, at, replacements, &mut accepts) {
                        Some(found) => best = found,
                        None => at += 1,
                    }
                }
            }
        }
        if best.size() == before {
            return best;
        }
    }
}

/// First accepted individual with something smaller at a node.
fn smaller(
    genome: &Genome,
    primitives: &Primitives,
    number: usize,
    at: usize,
    replacements: fn(&Tree, &Primitives, usize) -> Vec<Vec<Node>>,
    accepts: &mut impl FnMut(&Genome) -> bool,
) -> Option<Genome> {
    let tree = &genome.trees[number];
    let place = tree.subtree(primitives, at);
    if place.len() == 1 {
        return None;
    }
    replacements(tree, primitives, at).into_iter().find_map(|nodes| {
        let mut candidate = genome.clone();
        candidate.trees[number] = tree.with(place.clone(), &nodes);
        accepts(&candidate).then_some(candidate)
    })
}

/// Parts of a subtree that can replace it, the smallest first.
fn hoists(tree: &Tree, primitives: &Primitives, at: usize) -> Vec<Vec<Node>> {
    let wanted = primitives.output(tree.nodes[at].primitive);
    let inside = tree.subtree(primitives, at).skip(1);
    let fitting = inside.filter(|&part| primitives.output(tree.nodes[part].primitive) == wanted);
    let mut parts: Vec<_> = fitting.map(|part| tree.nodes[tree.subtree(primitives, part)].to_vec()).collect();
    parts.sort_by_key(Vec::len);
    parts
}

/// All trees of one node that may be generated: terminals, and constants with each of their values.
fn leaves(tree: &Tree, primitives: &Primitives, at: usize) -> Vec<Vec<Node>> {
    let wanted = primitives.output(tree.nodes[at].primitive);
    let mut leaves = Vec::new();
    for (number, primitive) in primitives.all().iter().enumerate() {
        if primitive.output == wanted && primitive.inputs.is_empty() && primitive.weight > 0.0 {
            let leaf = |value| vec![Node { primitive: number as u16, value }];
            match &primitive.constants {
                Some(Constants::OneOf(numbers)) => leaves.extend(numbers.iter().map(|&value| leaf(value))),
                None => leaves.push(leaf(0.0)),
            }
        }
    }
    leaves
}
