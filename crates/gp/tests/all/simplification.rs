//! Simplification makes individuals smaller without changing their behaviour.

// The numbers of these tests are compared with themselves.
#![allow(clippy::float_cmp)]

use crate::common::{DIGIT, LESS, PLUS, TIMES, X, primitives, tree, value};
use clearway_gp::simplify::simplify;
use clearway_gp::{Genome, Tree};

fn with_digits(nodes: &[u16], digits: &[f64]) -> Tree {
    let mut tree = tree(nodes);
    let places = tree.nodes.iter_mut().filter(|node| node.primitive == DIGIT);
    places.zip(digits).for_each(|(node, &digit)| node.value = digit);
    tree
}

fn shown(tree: &Tree) -> String {
    tree.display(&primitives()).to_string()
}

/// The smallest individual found that has the same values.
fn simplified(tree: Tree, tries: usize) -> (String, usize) {
    let genome = Genome { trees: vec![tree] };
    let mut asked = 0;
    let simple = simplify(&genome, &primitives(), tries, |candidate| {
        asked += 1;
        (-9..9).map(f64::from).all(|x| value(&candidate.trees[0], x) == value(&genome.trees[0], x))
    });
    (shown(&simple.trees[0]), asked)
}

#[test]
fn parts_without_effect_are_removed() {
    // x + 0 * (x + 7), then (1 + 2) * x.
    let nothing = with_digits(&[PLUS, X, TIMES, DIGIT, PLUS, X, DIGIT], &[0.0, 7.0]);
    assert_eq!(simplified(nothing, 1000).0, "x");
    let sum = with_digits(&[TIMES, PLUS, DIGIT, DIGIT, X], &[1.0, 2.0]);
    assert_eq!(simplified(sum, 1000).0, "(* 3 x)");
    let condition = with_digits(&[LESS, TIMES, DIGIT, X, DIGIT], &[1.0, 2.0]);
    assert_eq!(simplified(condition, 1000).0, "(< x 2)");
}

#[test]
fn tries_are_bounded_and_no_candidate_is_tried_twice() {
    let large = || tree(&[PLUS, PLUS, X, X, PLUS, X, PLUS, X, X]);
    for tries in [0, 1, 5, 20] {
        let (result, asked) = simplified(large(), tries);
        assert!(asked <= tries && !result.is_empty());
    }
    let mut seen = std::collections::HashSet::new();
    simplify(&Genome { trees: vec![large()] }, &primitives(), 1000, |candidate| {
        assert!(seen.insert(candidate.hash()));
        false
    });
    assert!(seen.len() > 10);
}
