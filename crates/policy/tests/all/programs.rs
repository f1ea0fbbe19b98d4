//! Compiled programs: the same values as a direct evaluation of the trees, and only the necessary heuristics.

use crate::common::policies;
use clearway_gp::Tree;
use clearway_policy::terminals::TERMINALS;
use clearway_policy::terminals::primitive::{AND, AT_LEAST, AT_MOST, FIRST_TERMINAL, OR, PLUS, SHARE_CONSTANT};
use clearway_policy::{CompiledPolicy, NamedPolicy, Policy, PolicyHeuristic, explain};
use clearway_rush::heuristics::{HeuristicContext, HeuristicInfo};
use clearway_rush::suites::Suite;
use clearway_rush::{Metric, RushDomain};
use clearway_search::{Domain, Heuristic, Node};
use proptest::prelude::*;

/// Returns the first rule whose condition holds and its value, by direct evaluation of the trees. Conditions are 1 or 0.
fn direct(policy: &Policy, numbers: &[f64]) -> (Option<usize>, Sum) {
    let walk = |tree: &Tree| walk(tree, &mut 0, numbers);
    let fired = policy.rules.iter().position(|rule| walk(&rule.condition).value != 0.0);
    let sum = walk(fired.map_or(&policy.default, |rule| &policy.rules[rule].value));
    (fired, Sum { value: sum.value.max(0.0), ..sum })
}

/// A value, and the same with all its terms made positive, which bounds the error of adding in a different order.
struct Sum {
    value: f64,
    size: f64,
}

impl From<f64> for Sum {
    fn from(value: f64) -> Sum {
        Sum { value, size: value.abs() }
    }
}

fn walk(tree: &Tree, at: &mut usize, numbers: &[f64]) -> Sum {
    let node = tree.nodes[*at];
    *at += 1;
    if let Some(place) = node.primitive.checked_sub(FIRST_TERMINAL) {
        let (terminal, number) = (&TERMINALS[usize::from(place / 2)], numbers[usize::from(place / 2)]);
        let value = match place % 2 {
            0 if terminal.flag => f64::from(number != 0.0),
            0 => (number / terminal.most).clamp(0.0, 1.0),
            _ => number,
        };
        return value.into();
    }
    if node.primitive >= SHARE_CONSTANT {
        return node.value.into();
    }
    let (left, right) = (walk(tree, at, numbers), walk(tree, at, numbers));
    match node.primitive {
        AND => left.value.min(right.value).into(),
        OR => left.value.max(right.value).into(),
        AT_MOST => f64::from(left.value <= right.value).into(),
        AT_LEAST => f64::from(left.value >= right.value).into(),
        PLUS => Sum { value: left.value + right.value, size: left.size + right.size },
        _ => Sum { value: left.value * right.value, size: left.size * right.size },
    }
}

fn numbers() -> impl Strategy<Value = Vec<f64>> {
    let number = prop_oneof![4 => (0..100u8).prop_map(f64::from), 1 => Just(0.5), 1 => Just(0.0)];
    proptest::collection::vec(number, TERMINALS.len())
}

proptest! {
    #[test]
    fn a_program_has_the_value_of_its_trees(policy in policies(), numbers in numbers()) {
        let program = CompiledPolicy::new(&policy);
        let mut read = Vec::new();
        let mut source = |terminal: usize| {
            read.push(terminal);
            numbers[terminal]
        };
        let (fired, Sum { value, size }) = direct(&policy, &numbers);
        prop_assert_eq!(program.firing_rule(&mut source), fired);
        let ours = program.value(&mut source);
        // Sums are added in a different order.
        prop_assert!((ours - value).abs() <= 1e-9 * size.max(1.0) || size == f64::INFINITY, "{} {}", ours, value);
        prop_assert!(read.iter().all(|terminal| program.terminals().contains(terminal)));
    }

    #[test]
    fn folding_changes_no_value_and_leaves_no_constant_rule(policy in policies(), numbers in numbers()) {
        let folded = policy.folded();
        let value = |policy: &Policy| CompiledPolicy::new(policy).value(&mut |terminal: usize| numbers[terminal]);
        // Adding 0 turns a negative zero into a positive one.
        prop_assert_eq!((value(&policy) + 0.0).to_bits(), (value(&folded) + 0.0).to_bits());
        prop_assert!(folded.to_genome().size() <= policy.to_genome().size());
        prop_assert!(explain(&folded).iter().all(|rule| rule.always.is_none()));
        prop_assert_eq!(&folded.folded(), &folded);
        prop_assert_eq!(&folded.to_string().parse::<Policy>().unwrap().folded(), &folded);
    }

    #[test]
    fn values_are_never_negative_and_infinite_only_if_a_heuristic_is(policy in policies(), mut numbers in numbers(), infinite in 0..TERMINALS.len()) {
        numbers[infinite] = f64::INFINITY;
        let program = CompiledPolicy::new(&policy);
        let mut read = Vec::new();
        let value = program.value(&mut |terminal: usize| {
            read.push(terminal);
            numbers[terminal]
        });
        prop_assert!(value >= 0.0);
        prop_assert!(value < f64::INFINITY || read.contains(&infinite));
    }
}

fn program(text: &str) -> CompiledPolicy {
    CompiledPolicy::new(&text.parse().unwrap())
}

fn number(name: &str) -> usize {
    TERMINALS.iter().position(|terminal| terminal.name == name).unwrap()
}

#[test]
fn constant_conditions_and_terms_need_no_heuristics() {
    let terminals = |text: &str| program(text).terminals().iter().map(|&t| TERMINALS[t].name).collect::<Vec<_>>();
    assert_eq!(terminals("IF g <= 1.5 THEN h2 DEFAULT h1"), ["goal-distance"]);
    assert_eq!(terminals("IF g >= 2 OR h1 <= -1 THEN h2 DEFAULT hybrid"), ["hybrid"]);
    assert_eq!(terminals("IF 1 <= 2 AND g <= 0.5 THEN 0*h2 DEFAULT 1"), ["g"]);
    assert_eq!(terminals("IF g >= g OR h1 <= 0.1 THEN h2 - h2 DEFAULT hybrid"), [""; 0]);
    assert!(program("IF h2 <= 0.3 THEN h1 DEFAULT relaxed-plan").depends_on_state_only());
    assert!(!program("IF phase-by-blockers <= 0.3 THEN h1 DEFAULT relaxed-plan").depends_on_state_only());
}

#[test]
fn thresholds_are_exact() {
    let fires = |text: &str, value: f64| program(text).firing_rule(&mut |_: usize| value).is_some();
    for tenths in 0..=10u8 {
        // The usual maximum of h1 is 40, so a tenth is 4.
        let (share, exact) = (f64::from(tenths) / 10.0, 4.0 * f64::from(tenths));
        let (most, least) =
            (format!("IF h1 <= {share} THEN 1 DEFAULT 2"), format!("IF {share} <= h1 THEN 1 DEFAULT 2"));
        assert!(fires(&most, exact) && fires(&least, exact), "{share}");
        assert_eq!(fires(&most, exact + 1.0), tenths == 10, "{share}");
        assert_eq!(fires(&least, exact - 1.0), tenths == 0, "{share}");
    }
    assert!(!fires("IF h1 <= 0.9 THEN 1 DEFAULT 2", f64::INFINITY));
    assert!(fires("IF h1 <= h2 THEN 1 DEFAULT 2", f64::INFINITY));
}

#[test]
fn a_dead_end_is_infinite_only_if_the_value_depends_on_it() {
    let is = |text: &str, expected: f64| {
        let plan = number("relaxed-plan");
        let value = program(text).value(&mut |terminal: usize| if terminal == plan { f64::INFINITY } else { 3.0 });
        assert!(value.total_cmp(&expected).is_eq(), "{text}: {value}");
    };
    is("DEFAULT relaxed-plan", f64::INFINITY);
    is("DEFAULT h1 - 2*relaxed-plan", f64::INFINITY);
    is("DEFAULT (relaxed-plan - relaxed-plan*h1)*(h2 - 3)", f64::INFINITY);
    is("DEFAULT 0*relaxed-plan + h1", 3.0);
    is("IF relaxed-plan >= 1 THEN h1 DEFAULT relaxed-plan", 3.0);
    is("DEFAULT 2 - h1", 0.0);
    is(&format!("DEFAULT {}1", "1000000000*".repeat(40)), f64::MAX);
    is(&format!("DEFAULT -{}h1", "1000000000*".repeat(40)), 0.0);
}

/// Compares a policy, with and without a cache, with the direct evaluation of its trees on a random walk.
fn assert_same_on_walk<const N: usize>(policy: &Policy, domain: &RushDomain<N>, steps: u32) {
    let context = HeuristicContext { difficulty: 0.25, ..HeuristicContext::default() };
    let mut bare = PolicyHeuristic::new(policy, domain, &context).unwrap();
    let mut small = PolicyHeuristic::new(policy, domain, &context).unwrap().with_cache(64);
    let mut large = PolicyHeuristic::new(policy, domain, &context).unwrap().with_cache(1 << 20);
    let mut all: Vec<_> =
        TERMINALS.iter().map(|t| HeuristicInfo::find(t.name).unwrap().build(domain, &context).unwrap()).collect();
    let (mut state, mut random, mut moves) = (domain.start(), 99u64, Vec::new());
    let (mut last, mut siblings) = (None, 0);
    for g in 0..steps {
        let node = Node { state: &state, g, last, siblings };
        let numbers: Vec<f64> = all.iter_mut().map(|heuristic| heuristic.estimate(domain, &node)).collect();
        let expected = if domain.is_goal(&state) { 0.0 } else { direct(policy, &numbers).1.value };
        for heuristic in [&mut bare, &mut small, &mut large] {
            // Twice: the cached value must be the same.
            for _ in 0..2 {
                let ours = heuristic.estimate(domain, &node);
                assert!((ours - expected).abs() < 1e-9, "{ours} {expected} {policy}");
            }
        }
        moves.clear();
        domain.moves(&state, &mut moves);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = moves[(random >> 33) as usize % moves.len()];
        domain.apply(&mut state, mv);
        (last, siblings) = (Some(mv), moves.len() as u32);
    }
}

#[test]
fn a_policy_heuristic_agrees_with_the_heuristics_of_the_board() {
    let policies = [
        "IF is-releasing-move AND phase-by-blockers <= 0.6 THEN 2*h1 + 0.4*relaxed-plan
         IF displacement >= 0.1 OR g <= 0.1 AND phase-by-distance >= 0.3 THEN 1.7*(h1 + 3)
         IF number-of-siblings >= 0.3 OR difficulty-level >= 0.3 THEN landmarks*two-level
         DEFAULT h2 + h3 + blockers",
        "IF h1 <= 0.2 THEN h2 DEFAULT 2*relaxed-plan - displacement",
        "IF phase-by-blockers >= 0.5 THEN 1 DEFAULT 2",
        "IF g >= 0.1 AND relaxed-turns >= 0.1 THEN relaxed-cells - settled-displacement + h1
         DEFAULT 2*relaxed-plan + start-plan-cells + relaxed-vehicles*relaxed-conflicts + mobility",
        "IF relaxed-turns >= 0.1 THEN relaxed-cells DEFAULT 2*relaxed-plan",
        "DEFAULT 3",
    ];
    for puzzle in Suite::find("cards").unwrap().puzzles().into_iter().step_by(7) {
        let domain = RushDomain::<1>::new(&puzzle.board, Metric::Moves).unwrap();
        for policy in policies {
            assert_same_on_walk(&policy.parse().unwrap(), &domain, 40);
        }
        assert_same_on_walk(&NamedPolicy::open("hand").unwrap().policy, &domain, 40);
    }
}
