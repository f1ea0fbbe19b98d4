//! Properties of the exact solver on crowded random boards: it agrees with a simple reference, in both metrics and under all
//! symmetries.

use crate::common;
use crate::common::crowded::crowded;
use crate::common::reference::{assert_agrees, component};
use crate::common::symmetry;
use clearway_rush::heuristics::RelaxedPlanner;
use clearway_rush::{Board, Metric, Move, RushDomain, Solver, formats, labels, replay};
use clearway_search::{Domain, Limits, Verdict};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::HashSet;

const BOTH: [Metric; 2] = [Metric::Moves, Metric::Steps];

/// Asserts that the solver agrees with the reference on a board, in both metrics.
fn assert_agrees_in_both_metrics(board: &Board, max_states: usize) {
    let mut solver = Solver::new();
    for metric in BOTH {
        let reference = component(board, metric, max_states).expect("a component that the reference can visit");
        assert_agrees(&mut solver, board, metric, &reference);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn up_to_8x8_the_solver_agrees_with_the_reference(board in prop_oneof![1 => crowded(2..=5, 20_000), 3 => crowded(4..=8, 20_000)]) {
        assert_agrees_in_both_metrics(&board, 20_000);
    }

    #[test]
    fn on_6x6_the_solver_agrees_with_the_reference(board in crowded(6..=6, 10_000)) {
        assert_agrees_in_both_metrics(&board, 10_000);
    }

    #[test]
    fn moves_are_reversible_and_all_implementations_agree_on_their_legality(board in common::boards(16)) {
        let legal: HashSet<Move> = board.legal_moves().into_iter().collect();
        prop_assert_eq!(legal.len(), board.legal_moves().len());
        let unused = labels().iter().copied().find(|&label| board.vehicle_labelled(label).is_none());
        for label in board.vehicles().iter().map(|vehicle| vehicle.label).chain(unused) {
            for cells in -15..=15 {
                let mv = Move { label, cells };
                let mut after = board.clone();
                let applied = after.apply(mv);
                let replayed = replay(&board, &[mv]);
                prop_assert_eq!(applied.is_ok(), legal.contains(&mv), "{}", mv);
                prop_assert_eq!(replayed.is_ok(), legal.contains(&mv), "{}", mv);
                if let Ok(replayed) = replayed {
                    prop_assert_eq!(replayed.solved, after.is_solved(), "{}", mv);
                    prop_assert_ne!(&after, &board);
                    prop_assert_eq!(after.undo(mv), Ok(()));
                }
                prop_assert_eq!(&after, &board, "{}", mv);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn up_to_16x16_the_solver_agrees_with_the_reference(board in crowded(6..=16, 5_000)) {
        assert_agrees_in_both_metrics(&board, 5_000);
    }

    #[test]
    fn mirrored_rotated_and_transposed_boards_have_the_same_facts(
        board in prop_oneof![crowded(2..=8, 5_000), crowded(9..=12, 3_000)],
    ) {
        let mut solver = Solver::new();
        for metric in BOTH {
            let mut facts = symmetry::views(&board).into_iter().map(|view| {
                let answer = solver.solve(&view, metric, &Limits::default());
                let component = solver.analyze(&view, metric, &Limits::default());
                let counts = (component.states, component.goals, component.optimal_solutions, component.histogram);
                (answer.verdict, answer.lower_bound, component.distance, component.depth, counts)
            });
            let first = facts.next().expect("the board itself");
            facts.for_each(|other| assert_eq!(other, first, "{} in {}", formats::line(&board), metric.as_str()));
        }
    }

    #[test]
    fn the_static_tests_are_sound(board in crowded(3..=9, 5_000)) {
        let answer = Solver::new().solve(&board, Metric::Moves, &Limits::default());
        if answer.algorithm == "static" {
            let reference = component(&board, Metric::Steps, 5_000).expect("a component that the reference can visit");
            prop_assert_eq!(answer.verdict, Verdict::Unsolvable);
            prop_assert_eq!(reference.facts(&board).goals, 0, "{}", formats::line(&board));
        }
    }
}

fn has_relaxed_plan(board: &Board) -> bool {
    let domain = RushDomain::<8>::new(board, Metric::Moves).expect("at most 128 vehicles");
    RelaxedPlanner::new(&domain).slides(&domain.start()).is_some()
}

proptest! {
    #[test]
    fn boards_without_a_relaxed_plan_have_no_solution(board in crowded(4..=8, 5_000)) {
        let reference = component(&board, Metric::Steps, 5_000).expect("a component that the reference can visit");
        if reference.facts(&board).goals > 0 {
            prop_assert!(has_relaxed_plan(&board), "{}", formats::line(&board));
        }
        // On small boards the test runs after the first batch of states; it must not change the verdict.
        let answer = Solver::new().solve(&board, Metric::Moves, &Limits::default());
        prop_assert_eq!(answer.verdict == Verdict::Solved, reference.facts(&board).distance.is_some());
    }
}

/// Random 10x10 boards with 80 to 85 % of their cells occupied, on which the search alone would reach any limit.
const NO_RELAXED_PLAN: [&str; 2] = [
    "U.LLL.NCkkUE.iiPNCb.XEcccPN.bTXMMSS.N.bTaaaZZhhGH.OOddeejGHgV.AA..j.HgV.JJKKjIIRDffQ.FFFFRDYYQBBBWWW",
    "kON.YY.bHHkONFF.LbTTkON.QQL....ZUXXggiii.ZUDDdCCSSAAUJhdj...EE.JhIjBBBffVVcIPK..ee.GcIPKWWMMMGaa.KRR",
];

#[test]
fn large_boards_without_a_relaxed_plan_are_proven_unsolvable_without_search() {
    for text in NO_RELAXED_PLAN {
        let board = formats::read_one(text, None).unwrap().board;
        let few = Limits { nodes: Some(10), ..Limits::default() };
        for metric in BOTH {
            let answer = Solver::new().solve(&board, metric, &few);
            assert_eq!(
                (answer.verdict, answer.algorithm, answer.statistics.expanded),
                (Verdict::Unsolvable, "static", 0)
            );
            assert_eq!(Solver::new().hardest(&board, metric, &few), None);
        }
    }
}

/// Random boards, the same in every run.
fn sample(boards: &impl Strategy<Value = Board>, count: usize) -> Vec<Board> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| boards.new_tree(&mut runner).expect("a board").current()).collect()
}

/// The properties above would mean little if most of the boards were trivial.
#[test]
fn the_random_boards_are_not_trivial() {
    let mut solver = Solver::new();
    let (mut unsolvable, mut ruled_out, mut long, mut far, mut for_any) = (0, 0, 0, 0, 0);
    let boards = sample(&crowded(4..=8, 20_000), 200);
    for board in &boards {
        let answer = solver.solve(board, Metric::Moves, &Limits::default());
        let facts = solver.analyze(board, Metric::Moves, &Limits::default());
        unsolvable += usize::from(answer.verdict == Verdict::Unsolvable);
        ruled_out += usize::from(answer.algorithm == "static");
        long += usize::from(answer.lower_bound >= 5);
        far += usize::from(facts.depth >= Some(10));
        for_any += usize::from(matches!(board.exit(), clearway_rush::Exit::Any(..)));
    }
    assert!((40..=140).contains(&unsolvable), "{unsolvable} unsolvable");
    assert!(unsolvable - ruled_out >= 5, "{ruled_out} of {unsolvable} by the static test");
    assert!(ruled_out >= 20, "{ruled_out} by the static test");
    assert!(long >= 20, "{long} of 5 moves or more");
    assert!(far >= 8, "{far} components of a depth of 10 or more");
    assert!(for_any >= 30, "{for_any} exits for any vehicle");
}
