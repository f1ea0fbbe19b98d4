//! The two encoders agree on random boards, and the formula agrees with a brute-force search.

use crate::boards::boards;
use crate::common::{Certificate, optimum};
use cadical_sys::{CaDiCal, Status};
use clearway_proof::formula;
use clearway_rush::{Board, Metric};
use clearway_search::Limits;
use proptest::prelude::*;
use std::collections::HashSet;

/// Length of a shortest solution of at most `most`, by trying all moves.
fn brute_force(board: &Board, metric: Metric, most: u32) -> Option<u32> {
    let mut seen = HashSet::from([board.clone()]);
    let mut boards = vec![board.clone()];
    for length in 0..=most {
        if boards.iter().any(Board::is_solved) {
            return Some(length);
        }
        let mut next = Vec::new();
        for board in &boards {
            let moves = board.legal_moves().into_iter();
            for mv in moves.filter(|mv| metric == Metric::Moves || mv.cells.abs() == 1) {
                let mut moved = board.clone();
                moved.apply(mv).unwrap();
                if seen.insert(moved.clone()) {
                    next.push(moved);
                }
            }
        }
        boards = next;
    }
    None
}

/// Whether the second encoder's formula is satisfiable.
fn is_satisfiable(board: &Board, metric: Metric, bound: u32) -> bool {
    let formula = formula(board, metric, bound, &Limits::default()).unwrap();
    if formula.clauses.iter().any(Vec::is_empty) {
        return false;
    }
    let mut solver = CaDiCal::new();
    for clause in &formula.clauses {
        solver.clause6(clause);
    }
    solver.solve() == Status::SATISFIABLE
}

fn metrics() -> impl Strategy<Value = Metric> {
    prop_oneof![Just(Metric::Moves), Just(Metric::Steps)]
}

proptest! {
    #[test]
    fn certificates_of_random_boards_are_accepted(board in boards(6), metric in metrics(), less in 1u32..4) {
        // Without a solution, any bound is proven.
        let bound = optimum(&board, metric).map_or(Some(less), |optimum| optimum.checked_sub(less));
        if let Some(bound) = bound.filter(|&bound| bound <= 12) {
            let checked = Certificate::new(&board, metric, bound).check();
            prop_assert!(checked.is_ok(), "{:?}", checked.unwrap_err());
        }
    }

    #[test]
    fn a_formula_is_satisfiable_if_and_only_if_a_plan_exists(board in boards(5), metric in metrics()) {
        const MOST: u32 = 7;
        let shortest = brute_force(&board, metric, MOST);
        for bound in 0..=shortest.map_or(MOST, |length| (length + 1).min(MOST)) {
            let expected = shortest.is_some_and(|length| length <= bound);
            prop_assert_eq!(is_satisfiable(&board, metric, bound), expected, "bound {}", bound);
        }
    }
}
