//! Crossover points, and the subtrees that crossover and mutation insert.

// The numbers of these tests are compared with themselves.
#![allow(clippy::float_cmp)]

use crate::common::{CONDITION, DIGIT, LESS, NUMBER, PLUS, TIMES, X, lively, primitives, tree};
use clearway_gp::generate::{self, Method};
use clearway_gp::rng::{Rng, stream};
use clearway_gp::{
    Breeder, CrossoverPoints, EvaluatedIndividual, Evolution, EvolutionOptions, Fitness, Genome, GenomeLayout,
    Initialization, Node, Operators, OptionsError, Primitives, Problem, Representation, Tree,
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

const DEPTH: u32 = 4;

fn layout() -> GenomeLayout {
    GenomeLayout { roots: vec![NUMBER], groups: vec![], depth: DEPTH, size: 40 }
}

fn genome(tree: Tree) -> Genome {
    Genome { trees: vec![tree] }
}

/// A tree of sums with all levels full: 15 nodes, whose numbers are their places.
fn full() -> Tree {
    tree(&[PLUS, PLUS, PLUS, X, X, PLUS, X, X, PLUS, PLUS, X, X, PLUS, X, X])
}

/// A product of a product of a product, with numbers that identify its levels: 2, 3, 4 and 4.
fn comb() -> Tree {
    let digit = |value| Node { primitive: DIGIT, value };
    let times = Node { primitive: TIMES, value: 0.0 };
    Tree { nodes: vec![times, times, times, digit(4.0), digit(4.0), digit(3.0), digit(2.0)] }
}

/// Results of many crossovers with this choice of points: the point in the receiver, and the nodes inserted there.
fn crossings(places: CrossoverPoints, receiver: &Tree, donor: &Tree) -> Vec<(usize, Vec<Node>)> {
    let (primitives, layout) = (primitives(), layout());
    let operators = Operators { places, ..lively() };
    let breeder = Breeder { primitives: &primitives, layout: &layout, operators: &operators, stock: &[] };
    let (receiver, donor) = (genome(receiver.clone()), genome(donor.clone()));
    let cross = |index| {
        let child = breeder.cross_subtrees(&receiver, &donor, &mut stream(1, 0, index))?;
        assert_eq!(child.check(&primitives, &layout), Ok(()));
        let tree = &child.trees[0];
        let is_new = |node: &Node| matches!(node.primitive, TIMES | DIGIT);
        let at = tree.nodes.iter().position(is_new).expect("something of the donor");
        Some((at, tree.nodes[tree.subtree(&primitives, at)].to_vec()))
    };
    (0..9000).filter_map(cross).collect()
}

/// Shares of the crossover points in the receiver.
fn shares(crossings: &[(usize, Vec<Node>)], size: usize) -> Vec<f64> {
    let count = |place| crossings.iter().filter(|crossing| crossing.0 == place).count();
    (0..size).map(|place| count(place) as f64 / crossings.len() as f64).collect()
}

fn assert_near(found: &[f64], expected: &[f64]) {
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 0.02, "place {place}: {found} instead of {expected}");
    }
}

#[test]
fn a_descent_stops_at_the_root_most_often() {
    let leaf = Tree { nodes: vec![Node { primitive: DIGIT, value: 1.0 }] };
    let found = shares(&crossings(CrossoverPoints::Descent, &full(), &leaf), 15);
    // One in three stops at each function; every walk that reaches a terminal ends there.
    let levels = full().levels(&primitives());
    let expected: Vec<f64> = levels.iter().map(|&level| 1.0 / 3.0_f64.powi(level.min(3) as i32)).collect();
    assert_near(&found, &expected);
}

#[test]
fn a_descent_also_chooses_the_subtree_of_the_donor() {
    let crossings = crossings(CrossoverPoints::Descent, &full(), &comb());
    // Only at the root is there room for all of the donor.
    let at_root = |nodes: usize| crossings.iter().filter(|(at, new)| *at == 0 && new.len() == nodes).count() as f64;
    let all = at_root(7) + at_root(5) + at_root(3) + at_root(1);
    assert_near(&[at_root(7) / all, at_root(5) / all, at_root(3) / all], &[1.0 / 3.0, 1.0 / 9.0, 1.0 / 27.0]);
}

#[test]
fn levels_and_the_nodes_of_a_level_are_equally_likely() {
    let crossings = crossings(CrossoverPoints::Levels, &full(), &comb());
    let levels = full().levels(&primitives());
    let expected: Vec<f64> = levels.iter().map(|&level| 1.0 / (4.0 * 2.0_f64.powi(level as i32 - 1))).collect();
    assert_near(&shares(&crossings, 15), &expected);
}

#[test]
fn subtrees_of_the_donor_are_not_nearer_to_its_root() {
    let levels = full().levels(&primitives());
    let mut seen = [[0.0; 5]; 5];
    for (at, new) in crossings(CrossoverPoints::Levels, &full(), &comb()) {
        // A digit stands on the level that it says, a product as many levels above the last as it has below.
        let level = if new[0].primitive == DIGIT { new[0].value as usize } else { 5 - new.len().div_ceil(2) };
        seen[levels[at] as usize][level] += 1.0;
    }
    for (to, row) in seen.iter().enumerate().skip(1) {
        let all: f64 = row.iter().sum();
        let alike = |from: usize| if from < to { 0.0 } else { 1.0 / (5 - to) as f64 };
        let expected: Vec<f64> = (0..5).map(alike).collect();
        assert_near(&row.map(|count| count / all), &expected);
    }
}

#[test]
fn a_shallow_donor_gives_subtrees_at_the_levels_that_it_has() {
    let leaf = Tree { nodes: vec![Node { primitive: DIGIT, value: 1.0 }] };
    let (primitives, layout) = (primitives(), layout());
    let operators = Operators { places: CrossoverPoints::Levels, ..lively() };
    let breeder = Breeder { primitives: &primitives, layout: &layout, operators: &operators, stock: &[] };
    let cross = |index| breeder.cross_subtrees(&genome(full()), &genome(leaf.clone()), &mut stream(2, 0, index));
    let children: Vec<Genome> = (0..100).filter_map(cross).collect();
    assert!(children.len() > 50 && children.iter().all(|child| child.trees[0] == leaf), "only roots are of level 1");
}

proptest! {
    #[test]
    fn crossover_by_levels_does_not_increase_the_depth(seed in any::<u64>()) {
        let (primitives, layout) = (primitives(), GenomeLayout { depth: 30, size: 5000, ..layout() });
        let operators = Operators { places: CrossoverPoints::Levels, ..lively() };
        let breeder = Breeder { primitives: &primitives, layout: &layout, operators: &operators, stock: &[] };
        let rng = &mut stream(seed, 0, 0);
        let [a, b] = [3, 7].map(|depth| generate::genome(&primitives, &layout, Method::Grow, depth, rng));
        for (receiver, donor) in [(&a, &b), (&b, &a)] {
            let Some(child) = breeder.cross_subtrees(receiver, donor, rng) else { continue };
            prop_assert!(child.depth(&primitives) <= a.depth(&primitives).max(b.depth(&primitives)));
        }
    }

    #[test]
    fn an_insertion_keeps_the_subtree_as_an_argument_of_the_new_function(seed in any::<u64>(), depth in 1..DEPTH) {
        let (primitives, layout, operators) = (primitives(), layout(), lively());
        let breeder = Breeder { primitives: &primitives, layout: &layout, operators: &operators, stock: &[] };
        let rng = &mut stream(seed, 0, 0);
        let parent = generate::genome(&primitives, &layout, Method::Grow, depth, rng);
        let child = breeder.insert(&parent, rng).expect("there is room for one level more");
        prop_assert_eq!(child.check(&primitives, &layout), Ok(()));
        let (old, new) = (&parent.trees[0], &child.trees[0]);
        let below = |at: usize| {
            let subtree = old.subtree(&primitives, at);
            let others = |range: std::ops::Range<usize>| new.with(range, &old.nodes[subtree.clone()]).nodes == old.nodes;
            // Somewhere in the child is a sum or a product in its place, with the subtree as one of the two arguments.
            let grown = new.subtree(&primitives, at);
            let first = new.subtree(&primitives, (at + 1).min(new.size() - 1));
            let second = new.subtree(&primitives, first.end.min(new.size() - 1));
            let kept = [first, second].into_iter().any(|part| new.nodes[part] == old.nodes[subtree.clone()]);
            kept && others(grown)
        };
        prop_assert!((0..old.size()).any(below), "{:?} became {:?}", old, new);
    }
}

type Mutate = fn(&Breeder, &Genome, &mut Rng) -> Option<Genome>;

/// The mutations that insert a subtree.
const MUTATIONS: [Mutate; 2] =
    [|breeder, parent, rng| breeder.change_subtree(parent, rng), |breeder, parent, rng| breeder.insert(parent, rng)];

/// The product in the stock of the tests.
fn learned() -> Tree {
    tree(&[TIMES, X, X])
}

fn products(tree: &Tree) -> usize {
    tree.nodes.iter().filter(|node| node.primitive == TIMES).count()
}

#[test]
fn mutation_inserts_trees_from_the_stock_with_the_given_probability() {
    let (primitives, layout) = (primitives(), layout());
    let stock = [learned(), tree(&[LESS, X, X])];
    let planted = |share: f64, stock: &[Tree], mutate: Mutate| {
        let operators = Operators { stock: share, inner: 0.0, ..Operators::default() };
        let breeder = Breeder { primitives: &primitives, layout: &layout, operators: &operators, stock };
        let children =
            (0..1000).filter_map(|index| mutate(&breeder, &genome(tree(&[PLUS, X, X])), &mut stream(3, 0, index)));
        let pattern = learned().nodes;
        let holds = |child: &Genome| child.trees[0].nodes.windows(3).any(|nodes| nodes == pattern);
        let found: Vec<bool> = children.map(|child| holds(&child)).collect();
        found.iter().filter(|&&holds| holds).count() as f64 / found.len() as f64
    };
    for mutate in MUTATIONS {
        assert_eq!(planted(1.0, &stock, mutate), 1.0);
        let without = planted(1.0, &[], mutate);
        assert!(without < 0.3, "{without}: random trees seldom hold that one");
        assert_eq!(planted(1.0, &stock[1..], mutate), without, "a stock of another type is none");
        let half = planted(0.5, &stock, mutate);
        assert!((half - f64::midpoint(1.0, without)).abs() < 0.05, "{half}");
    }
    let conditions = GenomeLayout { roots: vec![CONDITION], ..layout.clone() };
    let operators = Operators { stock: 1.0, ..Operators::default() };
    let breeder = Breeder { primitives: &primitives, layout: &conditions, operators: &operators, stock: &stock[..1] };
    let condition = genome(tree(&[LESS, X, X]));
    let child = (0..50).filter_map(|index| breeder.change_subtree(&condition, &mut stream(3, 1, index)));
    assert!(child.filter(|child| child.trees[0].size() == 3).count() > 0, "what is not in stock is random");
}

#[test]
fn the_shares_of_the_new_operators_are_checked() {
    let check = |change: fn(&mut Operators)| {
        let mut operators = lively();
        change(&mut operators);
        operators.check()
    };
    assert_eq!(check(|operators| operators.insert_mutation = 0.4), Ok(()));
    assert!(matches!(check(|operators| operators.insert_mutation = 0.5), Err(OptionsError::WrongSum { .. })));
    assert_eq!(
        check(|operators| operators.stock = 1.5),
        Err(OptionsError::ShareOutOfRange { name: "stock", value: 1.5 })
    );
}

/// A problem that learns a tree, and then adds many copies of it.
struct Learning {
    representation: Representation,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Learned {
    stock: Vec<Tree>,
}

impl Problem for Learning {
    type Memory = Learned;

    fn representation(&self) -> &Representation {
        &self.representation
    }

    fn memory(&self) -> Learned {
        Learned::default()
    }

    fn stock(memory: &Learned) -> &[Tree] {
        &memory.stock
    }

    fn begin(&self, _: &mut Learned, _generation: u32, _seed: u64) {}

    fn evaluate(&self, _: &Learned, _: &Genome) -> Fitness {
        Fitness::default()
    }

    fn end(&self, memory: &mut Learned, generation: u32, _population: &[EvaluatedIndividual], _: &AtomicBool) {
        if generation == 1 {
            memory.stock.push(learned());
        }
    }
}

#[test]
fn a_run_inserts_trees_that_the_problem_learned() {
    // Products are never random here.
    let mut all = primitives().all().to_vec();
    all[usize::from(TIMES)].weight = 0.0;
    let problem =
        Learning { representation: Representation { primitives: Primitives::new(all).unwrap(), layout: layout() } };
    let operators = Operators { reproduction: 0.0, crossover: 0.0, mutation: 1.0, stock: 1.0, ..Operators::default() };
    let options = EvolutionOptions { operators, initial: Initialization::Weighted, ..EvolutionOptions::default() };
    let mut evolution = Evolution::new(problem, options).unwrap();
    let mut held = || {
        evolution.step(2, &AtomicBool::new(false)).unwrap();
        evolution.population().iter().filter(|individual| products(&individual.genome.trees[0]) > 0).count()
    };
    assert_eq!([held(), held()], [0, 0], "nothing is learned yet");
    assert!(held() > 80);
}

#[test]
fn a_first_population_by_weight_has_primitives_in_proportion_to_their_weights() {
    let problem = Learning {
        representation: Representation {
            primitives: primitives(),
            layout: GenomeLayout { depth: 30, size: 5000, ..layout() },
        },
    };
    let options = EvolutionOptions {
        population: 5000,
        initial: Initialization::Weighted,
        initial_depth: 10,
        ..Default::default()
    };
    let mut evolution = Evolution::new(problem, options).unwrap();
    evolution.step(2, &AtomicBool::new(false)).unwrap();
    // Two functions and two terminals of the same weight: half of the trees are a lone terminal.
    let lone = evolution.population().iter().filter(|individual| individual.genome.size() == 1).count();
    assert!((2350..2650).contains(&lone), "{lone}");
    let depth = evolution.population().iter().map(|individual| individual.genome.depth(&primitives())).max();
    assert_eq!(depth, Some(10));
}
