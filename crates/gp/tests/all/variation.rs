//! Each operator changes individuals as documented.

// The numbers of these tests are compared with themselves.
#![allow(clippy::float_cmp)]

use crate::common::{DIGIT, LESS, PLUS, Pieces, TIMES, X, lively, pieces, tree};
use clearway_gp::rng::stream;
use clearway_gp::{Breeder, Genome, Node, Operators, Tree};
use std::collections::BTreeSet;

fn digit(value: f64) -> Tree {
    Tree { nodes: vec![Node { primitive: DIGIT, value }] }
}

/// Two rules and a default, each with a different number.
fn numbered(first: f64) -> Genome {
    let condition = tree(&[LESS, X, X]);
    Genome { trees: vec![condition.clone(), digit(first), condition, digit(first + 1.0), digit(first + 2.0)] }
}

fn breeder<'a>(problem: &'a Pieces, operators: &'a Operators) -> Breeder<'a> {
    Breeder {
        primitives: &problem.representation.primitives,
        layout: &problem.representation.layout,
        operators,
        stock: &[],
    }
}

fn values(genome: &Genome) -> Vec<f64> {
    [1, 3, 4].map(|tree: usize| genome.trees[tree].nodes[0].value).to_vec()
}

#[test]
fn groups_are_swapped_within_an_individual() {
    let (problem, operators) = (pieces(), lively());
    let child = breeder(&problem, &operators).swap_groups(&numbered(1.0), &mut stream(1, 0, 0)).unwrap();
    assert_eq!(values(&child), [2.0, 1.0, 3.0]);
}

#[test]
fn a_group_of_the_donor_can_replace_any_group_of_the_same_types() {
    let (problem, operators) = (pieces(), lively());
    let cross = |index| {
        let child =
            breeder(&problem, &operators).cross_groups(&numbered(1.0), &numbered(5.0), &mut stream(1, 0, index));
        format!("{:?}", values(&child.unwrap()))
    };
    let children: BTreeSet<String> = (0..50).map(cross).collect();
    let expected = ["[1.0, 5.0, 3.0]", "[1.0, 6.0, 3.0]", "[5.0, 2.0, 3.0]", "[6.0, 2.0, 3.0]"];
    assert_eq!(children, expected.map(str::to_owned).into());
}

#[test]
fn without_groups_the_operators_for_subtrees_are_used() {
    let mut problem = pieces();
    problem.representation.layout.groups.clear();
    let operators = Operators { group_crossover: 1.0, group_mutation: 1.0, ..Operators::default() };
    let breeder = breeder(&problem, &operators);
    assert_eq!(breeder.swap_groups(&numbered(1.0), &mut stream(1, 0, 0)), None);
    let (parent, donor) = (numbered(1.0), numbered(5.0));
    assert!((0..20).any(|index| breeder.mutate(&parent, &mut stream(1, 1, index)) != parent));
    assert!((0..20).any(|index| breeder.crossover(&parent, &donor, &mut stream(1, 2, index)) != parent));
}

#[test]
fn crossover_inserts_parts_of_the_donor() {
    let (problem, operators) = (pieces(), lively());
    let (receiver, mut donor) = (numbered(1.0), numbered(1.0));
    donor.trees[4] = tree(&[TIMES, X, X]);
    let cross =
        |index| breeder(&problem, &operators).cross_subtrees(&receiver, &donor, &mut stream(4, 0, index)).unwrap();
    let places: BTreeSet<usize> = (0..3000)
        .filter_map(|index| {
            let child = cross(index);
            child.trees.iter().position(|tree| tree.nodes.iter().any(|node| node.primitive == TIMES))
        })
        .collect();
    assert_eq!(places, (0..5).collect(), "numbers stand in values and in conditions");
}

#[test]
fn hoisting_and_shrinking_reduce_the_size() {
    let (problem, operators) = (pieces(), lively());
    let breeder = breeder(&problem, &operators);
    let mut parent = numbered(1.0);
    parent.trees[4] = tree(&[PLUS, PLUS, X, X, TIMES, X, X]);
    for index in 0..50 {
        let rng = &mut stream(5, 0, index);
        for child in [breeder.hoist(&parent, rng), breeder.shrink(&parent, rng)].into_iter().flatten() {
            assert!(child.size() < parent.size());
            assert_eq!(child.check(&problem.representation.primitives, &problem.representation.layout), Ok(()));
        }
    }
    assert!((0..50).any(|index| breeder.hoist(&parent, &mut stream(5, 1, index)).is_some()));
    assert!((0..50).any(|index| breeder.shrink(&parent, &mut stream(5, 1, index)).is_some()));
    let leaves = Genome { trees: vec![tree(&[X])] };
    assert_eq!(breeder.hoist(&leaves, &mut stream(5, 2, 0)), None);
    assert_eq!(breeder.shrink(&leaves, &mut stream(5, 2, 0)), None);
}

#[test]
fn without_jitter_constants_keep_listed_values() {
    let (problem, operators) = (pieces(), Operators { jitter: 0.0, ..lively() });
    let mut genome = numbered(1.0);
    for index in 0..200 {
        genome = breeder(&problem, &operators).change_constants(&genome, &mut stream(6, 0, index)).unwrap();
        assert!(values(&genome).iter().all(|value| value.fract() == 0.0 && (0.0..=9.0).contains(value)));
    }
    assert_ne!(values(&genome), [1.0, 2.0, 3.0]);
}

#[test]
fn jitter_changes_constants_slightly_even_zero() {
    let (problem, operators) = (pieces(), Operators { jitter: 0.1, ..lively() });
    let breeder = breeder(&problem, &operators);
    let change = |genome: &Genome, index| breeder.change_constants(genome, &mut stream(7, 0, index)).unwrap();
    let start = numbered(4.0);
    let mut changed = [0_u32; 3];
    for index in 0..300 {
        let child = values(&change(&start, index));
        let moved: Vec<usize> = (0..3).filter(|&place| child[place] != values(&start)[place]).collect();
        assert!(!moved.is_empty());
        for place in moved {
            changed[place] += 1;
            let factor = child[place] / values(&start)[place];
            assert!((0.3..3.0).contains(&factor), "{factor}");
        }
    }
    assert!(changed.iter().all(|&count| count > 80), "{changed:?}");
    let zero = Genome { trees: vec![digit(0.0)] };
    assert!((0..20).any(|index| change(&zero, index).trees[0].nodes[0].value != 0.0));
    assert_eq!(breeder.change_constants(&Genome { trees: vec![tree(&[X])] }, &mut stream(7, 1, 0)), None);
}

#[test]
fn constants_stay_finite_after_many_mutations() {
    let (problem, operators) = (pieces(), Operators { jitter: 10.0, ..lively() });
    let mut genome = numbered(9.0);
    for index in 0..5000 {
        genome = breeder(&problem, &operators).change_constants(&genome, &mut stream(8, 0, index)).unwrap();
        assert_eq!(genome.check(&problem.representation.primitives, &problem.representation.layout), Ok(()));
    }
}
