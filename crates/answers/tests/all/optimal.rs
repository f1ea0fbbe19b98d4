//! Tests of the optimality that is reported with a solution.

use clearway_answers::{SolveMethod, solve};
use clearway_lab::ConfiguredAlgorithm;
use clearway_rush::suites::Suite;
use clearway_rush::{Metric, Solver};
use clearway_search::Limits;

#[test]
fn a_solution_is_optimal_if_its_length_equals_the_lower_bound_of_the_run() {
    let board = &Suite::find("cards").unwrap().puzzles()[0].board;
    let solved_by = |text: &str| {
        let algorithm: ConfiguredAlgorithm = text.parse().unwrap();
        let limits = Limits::default();
        let outcome =
            solve(&SolveMethod::from(algorithm), &mut Solver::new(), board, Metric::Moves, &limits, &mut |_| {});
        (outcome.answer.solution.unwrap().moves(), outcome.answer.lower_bound, outcome.optimal)
    };
    assert_eq!(solved_by("id(increment=7, shortcut=yes)"), (8, 8, true));
    assert_eq!(solved_by("astar(blockers)"), (8, 8, true));
    assert_eq!(solved_by("id(increment=7)"), (14, 8, false));
    // An earlier version reported 86 moves as optimal.
    let (moves, bound, optimal) = solved_by("id(growth=4, reopen=no)");
    assert!(moves > 8 && bound <= 8 && !optimal, "{moves}, {bound}");
    let (moves, bound, optimal) = solved_by("id(growth=3)");
    assert!(moves >= 8 && bound <= 8 && optimal == (moves == 8 && bound == 8), "{moves}, {bound}");
}
