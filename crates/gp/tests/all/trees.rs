//! Trees: random ones and their children are valid and within the limits, for any primitives.

use crate::common::{CONDITION, DIGIT, LESS, MINUS, NUMBER, PLUS, TIMES, X, lively, pieces, primitive, tree};
use clearway_gp::generate::{self, Method};
use clearway_gp::rng::stream;
use clearway_gp::{
    Breeder, Constants, CrossoverPoints, Genome, GenomeError, GenomeLayout, GenomeLayoutError, Node, Operators,
    Primitive, Primitives, PrimitivesError, Tree, TreeError, Type,
};
use proptest::prelude::*;
use rand::RngExt;

/// Any primitives of up to four types that can form trees.
fn any_primitives() -> impl Strategy<Value = Vec<Primitive>> {
    let weight = prop_oneof![Just(0.0), Just(0.5), Just(1.0), Just(1e300)];
    let inputs = prop_oneof![Just(Vec::new()), prop::collection::vec(0..4_u8, 1..4)];
    let one = (0..4_u8, inputs, any::<bool>(), weight);
    let primitive = one.prop_map(|(output, inputs, constant, weight)| {
        let inputs: Vec<Type> = inputs.into_iter().map(Type).collect();
        let constants = (constant && inputs.is_empty()).then(|| Constants::OneOf(vec![0.0, 0.5, 3.0]));
        Primitive { constants, ..primitive("p", Type(output), &inputs, weight) }
    });
    let all = prop::collection::vec(primitive, 1..16);
    all.prop_filter("every type that is needed can be finished", |all| Primitives::new(all.clone()).is_ok())
}

fn any_layout() -> impl Strategy<Value = GenomeLayout> {
    let roots = prop::collection::vec(0..4_u8, 1..6);
    (roots, 1..9_u32, 1..60_usize).prop_map(|(roots, depth, size)| GenomeLayout {
        groups: (0..roots.len()).map(|root| root..root + 1).collect(),
        roots: roots.into_iter().map(Type).collect(),
        depth,
        size,
    })
}

/// The smallest size of a tree, by exhaustive search.
fn smallest(all: &[Primitive], output: Type, depth: u32) -> Option<usize> {
    let below = depth.checked_sub(1)?;
    let size = |p: &Primitive| p.inputs.iter().map(|&input| smallest(all, input, below)).sum::<Option<usize>>();
    all.iter().filter(|p| p.weight > 0.0 && p.output == output).filter_map(size).min().map(|below| below + 1)
}

proptest! {
    #[test]
    fn random_trees_are_valid_within_limits_and_never_fail(
        all in any_primitives(), layout in any_layout(), depth in 0..12_u32, seed in any::<u64>(),
    ) {
        let primitives = Primitives::new(all.clone()).unwrap();
        for output in (0..4).map(Type) {
            for depth in 0..4 {
                prop_assert_eq!(primitives.min_size(output, depth), smallest(&all, output, depth));
            }
        }
        for (index, &root) in layout.roots.iter().enumerate() {
            let least = primitives.min_size(root, layout.depth);
            for method in [Method::Grow, Method::Full, Method::Weighted] {
                let rng = &mut stream(seed, 0, index as u32);
                let tree = generate::tree(&primitives, root, method, layout.depth, layout.size, rng);
                prop_assert_eq!(tree.is_some(), least.is_some_and(|least| least <= layout.size));
                let tightest = least.and_then(|least| generate::tree(&primitives, root, method, layout.depth, least, rng));
                prop_assert_eq!(tightest.map(|tree| tree.size()), least);
            }
        }
        if layout.check(&primitives).is_ok() {
            for index in 0..10 {
                let genome = generate::ramped(&primitives, &layout, depth, index, &mut stream(seed, 1, index));
                prop_assert_eq!(genome.check(&primitives, &layout), Ok(()));
            }
        }
    }

    #[test]
    fn children_keep_types_and_limits(
        all in any_primitives(),
        layout in any_layout(),
        seed in any::<u64>(),
        places in prop_oneof![Just(CrossoverPoints::Kinds), Just(CrossoverPoints::Descent), Just(CrossoverPoints::Levels)],
    ) {
        let heavy = all.iter().map(|p| Primitive { weight: 1.0, ..p.clone() }).collect();
        let primitives = Primitives::new(all).unwrap();
        let Ok(heavy) = Primitives::new(heavy) else { return Err(TestCaseError::reject("endless")) };
        prop_assume!(layout.check(&heavy).is_ok());
        // The parents hold primitives that are never generated, too.
        let rng = &mut stream(seed, 0, 0);
        let mut population: Vec<Genome> =
            (0..8).map(|index| generate::ramped(&heavy, &layout, layout.depth, index, rng)).collect();
        // What is in stock may be too large for any place.
        let learned = (0..4).map(Type).filter_map(|kind| generate::tree(&heavy, kind, Method::Full, 9, 60, rng));
        let stock: Vec<Tree> = learned.collect();
        let operators = Operators { insert_mutation: 0.2, stock: 0.5, places, ..lively() };
        let breeder = Breeder { primitives: &primitives, layout: &layout, operators: &operators, stock: &stock };
        for _ in 0..60 {
            let child = breeder.child(|rng| &population[rng.random_range(0..8)], rng);
            prop_assert_eq!(child.check(&primitives, &layout), Ok(()));
            let place = rng.random_range(0..8);
            population[place] = child;
        }
    }

    #[test]
    fn the_check_of_a_tree_never_panics(nodes in prop::collection::vec((0..7_u16, prop_oneof![4 => Just(0.0), 1 => any::<f64>()]), 0..12)) {
        let problem = pieces();
        let nodes = nodes.into_iter().map(|(primitive, value)| Node { primitive, value }).collect();
        let tree = Tree { nodes };
        if tree.check(&problem.representation.primitives, NUMBER, &problem.representation.layout).is_ok() {
            prop_assert_eq!(tree.subtree(&problem.representation.primitives, 0), 0..tree.size());
        }
    }
}

#[test]
fn full_trees_are_full_and_grown_ones_differ() {
    let primitives = pieces().representation.primitives;
    let rng = &mut stream(1, 0, 0);
    let mut plant = |method| generate::tree(&primitives, NUMBER, method, 4, 100, rng).unwrap();
    assert!((0..20).all(|_| plant(Method::Full).size() == 15));
    let sizes: std::collections::BTreeSet<usize> = (0..50).map(|_| plant(Method::Grow).size()).collect();
    assert!(sizes.len() > 4 && sizes.contains(&1), "{sizes:?}");
}

#[test]
fn a_ramp_has_every_depth_in_both_methods() {
    let problem = pieces();
    let layout = GenomeLayout { roots: vec![NUMBER], groups: vec![], depth: 5, size: 100 };
    let full =
        |index| generate::ramped(&problem.representation.primitives, &layout, 5, index, &mut stream(2, 0, index));
    let depths: Vec<u32> = (0..8).map(|half| full(2 * half + 1).depth(&problem.representation.primitives)).collect();
    assert_eq!(depths, [2, 3, 4, 5, 2, 3, 4, 5]);
}

#[test]
fn primitives_are_chosen_in_proportion_to_their_weights() {
    let leaf = |name, weight| primitive(name, NUMBER, &[], weight);
    let primitives = Primitives::new(vec![leaf("often", 3.0), leaf("seldom", 1.0), leaf("never", 0.0)]).unwrap();
    let rng = &mut stream(3, 0, 0);
    let mut counts = [0; 3];
    for _ in 0..4000 {
        let tree = generate::tree(&primitives, NUMBER, Method::Grow, 3, 9, rng).unwrap();
        counts[usize::from(tree.nodes[0].primitive)] += 1;
    }
    assert!((2800..3200).contains(&counts[0]) && counts[2] == 0, "{counts:?}");
}

#[test]
fn weighted_trees_have_functions_and_terminals_in_proportion_to_their_weights() {
    let function = |name, weight| primitive(name, NUMBER, &[NUMBER, NUMBER], weight);
    let leaf = |name, weight| primitive(name, NUMBER, &[], weight);
    let all = vec![function("often", 3.0), function("seldom", 1.0), leaf("a", 4.0), leaf("b", 2.0), leaf("never", 0.0)];
    let primitives = Primitives::new(all).unwrap();
    let rng = &mut stream(4, 0, 0);
    let (mut counts, mut at_the_bottom) = ([0; 5], [0; 5]);
    for _ in 0..4000 {
        let tree = generate::tree(&primitives, NUMBER, Method::Weighted, 6, 1000, rng).unwrap();
        for (node, level) in tree.nodes.iter().zip(tree.levels(&primitives)) {
            let counts = if level < 6 { &mut counts } else { &mut at_the_bottom };
            counts[usize::from(node.primitive)] += 1;
        }
    }
    let total = counts.iter().sum::<u32>();
    for (count, weight) in counts.into_iter().zip([3.0, 1.0, 4.0, 2.0, 0.0]) {
        let share = f64::from(count) / f64::from(total);
        assert!((share - weight / 10.0).abs() < 0.02, "{share} instead of {weight} tenths");
    }
    // Only terminals are left where the depth ends.
    assert!(at_the_bottom[..2] == [0, 0] && at_the_bottom[2] > at_the_bottom[3] && at_the_bottom[3] > 0);
}

#[test]
fn invalid_primitives_are_rejected() {
    let endless = vec![primitive("+", NUMBER, &[NUMBER], 1.0), primitive("zero", NUMBER, &[], 0.0)];
    assert_eq!(Primitives::new(endless).unwrap_err(), PrimitivesError::NoFiniteTree { name: "+".to_owned() });
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = Primitives::new(vec![primitive("x", NUMBER, &[], weight)]);
        assert!(matches!(refused, Err(PrimitivesError::InvalidWeight { .. })), "{weight}");
    }
    for numbers in [vec![], vec![1.0, f64::NAN]] {
        let constant = Primitive { constants: Some(Constants::OneOf(numbers)), ..primitive("c", NUMBER, &[], 1.0) };
        assert_eq!(
            Primitives::new(vec![constant]).unwrap_err(),
            PrimitivesError::InvalidConstant { name: "c".to_owned() }
        );
    }
    let many = vec![primitive("x", NUMBER, &[], 1.0); 65_536];
    assert_eq!(Primitives::new(many).unwrap_err(), PrimitivesError::TooMany(65_536));
}

#[test]
fn invalid_layouts_are_rejected() {
    let problem = pieces();
    let check = |change: fn(&mut GenomeLayout)| {
        let mut layout = problem.representation.layout.clone();
        change(&mut layout);
        layout.check(&problem.representation.primitives)
    };
    assert_eq!(check(|_| {}), Ok(()));
    assert_eq!(check(|layout| layout.roots.clear()), Err(GenomeLayoutError::NoTrees));
    assert_eq!(check(|layout| layout.groups.push(4..6)), Err(GenomeLayoutError::InvalidGroup(4..6)));
    assert_eq!(check(|layout| layout.groups.push(1..2)), Err(GenomeLayoutError::InvalidGroup(1..2)));
    assert_eq!(check(|layout| layout.groups.push(4..4)), Err(GenomeLayoutError::InvalidGroup(4..4)));
    let too_small = |size, depth| Err(GenomeLayoutError::TooSmall { root: CONDITION, size, depth });
    assert_eq!(check(|layout| layout.depth = 1), too_small(11, 1));
    assert_eq!(check(|layout| layout.size = 2), too_small(2, 4));
    assert_eq!(
        check(|layout| layout.size = usize::MAX),
        Err(GenomeLayoutError::TooLarge { size: usize::MAX, depth: 4 })
    );
}

#[test]
fn invalid_trees_are_rejected_with_a_reason() {
    let problem = pieces();
    let check = |tree: &Tree| tree.check(&problem.representation.primitives, NUMBER, &problem.representation.layout);
    assert_eq!(check(&tree(&[MINUS, X, X])), Ok(()), "a primitive of weight 0 may stand in a tree");
    assert_eq!(check(&tree(&[])), Err(TreeError::Unfinished(0)));
    assert_eq!(check(&tree(&[PLUS, X])), Err(TreeError::Unfinished(2)));
    assert_eq!(check(&tree(&[X, X])), Err(TreeError::ExtraNodes(1)));
    assert_eq!(check(&tree(&[PLUS, X, 99])), Err(TreeError::Unknown { at: 2, primitive: 99 }));
    assert_eq!(check(&tree(&[PLUS, X, LESS, X, X])), Err(TreeError::WrongType { at: 2, name: "<".to_owned() }));
    let deep = tree(&[PLUS, PLUS, PLUS, PLUS, X, X, X, X, X]);
    assert_eq!(check(&deep), Err(TreeError::TooLarge { size: 9, depth: 5, max_size: 11, max_depth: 4 }));
    let constant = |primitive, value| Tree { nodes: vec![Node { primitive, value }] };
    assert_eq!(check(&constant(DIGIT, 0.25)), Ok(()), "tuned constants leave the list");
    assert!(matches!(check(&constant(DIGIT, f64::INFINITY)), Err(TreeError::InvalidValue { at: 0, .. })));
    assert!(matches!(check(&constant(X, 1.0)), Err(TreeError::InvalidValue { at: 0, .. })));

    let genome = Genome { trees: vec![tree(&[X])] };
    let error = genome.check(&problem.representation.primitives, &problem.representation.layout).unwrap_err();
    assert_eq!(error, GenomeError::WrongTreeCount { found: 1, expected: 5 });
    let genome = Genome { trees: vec![tree(&[X]); 5] };
    let error = genome.check(&problem.representation.primitives, &problem.representation.layout).unwrap_err();
    assert_eq!(error.to_string(), "tree 0: node 0: x has the wrong type here");
}

#[test]
fn trees_report_levels_subtrees_and_types() {
    let primitives = pieces().representation.primitives;
    let tree = tree(&[LESS, TIMES, X, PLUS, X, X, X]);
    assert_eq!(tree.display(&primitives).to_string(), "(< (* x (+ x x)) x)");
    assert_eq!(tree.levels(&primitives), [1, 2, 3, 3, 4, 4, 2]);
    assert_eq!(tree.subtree(&primitives, 1), 1..6);
    assert_eq!(tree.types(&primitives).next(), Some(CONDITION));
    let shorter = tree.with(1..6, &[Node { primitive: DIGIT, value: 2.5 }]);
    assert_eq!(shorter.display(&primitives).to_string(), "(< 2.5 x)");
}

#[test]
fn hashes_depend_on_constants_and_on_the_boundaries_of_trees() {
    let constant = |value| Tree { nodes: vec![Node { primitive: DIGIT, value }] };
    assert_eq!(constant(0.0).hash(), constant(-0.0).hash());
    assert_ne!(constant(0.5).hash(), constant(0.25).hash());
    let genome = |trees: &[&[u16]]| Genome { trees: trees.iter().map(|nodes| tree(nodes)).collect() };
    assert_ne!(genome(&[&[X, X], &[X]]).hash(), genome(&[&[X], &[X, X]]).hash());
    // Files hold such hashes: they must not change.
    assert_eq!(tree(&[PLUS, X, X]).hash(), 17_726_743_151_848_875_220);
}

#[test]
fn nodes_are_compact_in_files_and_round_trip() {
    let mut tree = tree(&[PLUS, X, DIGIT]);
    tree.nodes[2].value = 0.1 + 0.2;
    let text = serde_json::to_string(&tree).unwrap();
    assert_eq!(text, "[1,3,[4,0.30000000000000004]]");
    assert_eq!(serde_json::from_str::<Tree>(&text).unwrap(), tree);
    assert!(serde_json::from_str::<Tree>("[70000]").is_err());
}
