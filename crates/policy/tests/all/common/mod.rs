//! Strategies for random policies.

use clearway_gp::{Node, Tree};
use clearway_policy::terminals::TERMINALS;
use clearway_policy::terminals::primitive::{
    AND, AT_LEAST, AT_MOST, FIRST_TERMINAL, OR, PLUS, SHARE_CONSTANT, TIMES, VALUE_CONSTANT,
};
use clearway_policy::{Policy, Rule};
use proptest::prelude::*;
use proptest::sample::select;

type NodeList = Vec<Node>;

fn leaf(primitive: u16, value: f64) -> NodeList {
    vec![Node { primitive, value }]
}

fn function(primitive: u16, left: NodeList, right: NodeList) -> NodeList {
    leaf(primitive, 0.0).into_iter().chain(left).chain(right).collect()
}

fn numbers() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        (0..=10u8).prop_map(|tenths| f64::from(tenths) / 10.0),
        (1..=9u8).prop_map(f64::from),
        -3.0..3.0,
        Just(-0.0),
        Just(-1.0),
        Just(1e9),
        Just(1e-300),
    ]
}

/// Returns the indices of the terminals that satisfy a predicate.
fn terminals(wanted: impl Fn(&clearway_policy::terminals::Terminal) -> bool) -> Vec<u16> {
    (0..).zip(TERMINALS).filter(|(_, terminal)| wanted(terminal)).map(|(number, _)| number).collect()
}

fn shares() -> impl Strategy<Value = NodeList> {
    let heuristics = terminals(|terminal| !terminal.flag);
    prop_oneof![
        numbers().prop_map(|number| leaf(SHARE_CONSTANT, number)),
        select(heuristics).prop_map(|number| leaf(FIRST_TERMINAL + 2 * number, 0.0)),
    ]
}

fn conditions() -> impl Strategy<Value = NodeList> {
    let flags = terminals(|terminal| terminal.flag);
    let check = prop_oneof![
        3 => (select(vec![AT_MOST, AT_LEAST]), shares(), shares()).prop_map(|(f, left, right)| function(f, left, right)),
        1 => select(flags).prop_map(|number| leaf(FIRST_TERMINAL + 2 * number, 0.0)),
    ];
    check.prop_recursive(6, 40, 2, |inner| {
        (select(vec![AND, OR]), inner.clone(), inner).prop_map(|(f, left, right)| function(f, left, right))
    })
}

fn values() -> impl Strategy<Value = NodeList> {
    let heuristics = terminals(|terminal| terminal.value);
    let leaf = prop_oneof![
        numbers().prop_map(|number| leaf(VALUE_CONSTANT, number)),
        select(heuristics).prop_map(|number| leaf(FIRST_TERMINAL + 2 * number + 1, 0.0)),
    ];
    leaf.prop_recursive(6, 40, 2, |inner| {
        (select(vec![PLUS, TIMES]), inner.clone(), inner).prop_map(|(f, left, right)| function(f, left, right))
    })
}

/// Policies of a few rules.
pub fn policies() -> impl Strategy<Value = Policy> {
    let rule = (conditions(), values())
        .prop_map(|(condition, value)| Rule { condition: Tree { nodes: condition }, value: Tree { nodes: value } });
    (proptest::collection::vec(rule, 0..5), values()).prop_map(|(rules, default)| Policy {
        rules,
        default: Tree { nodes: default },
        ..Policy::default()
    })
}
