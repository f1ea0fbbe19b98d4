//! Golden values: the optima of the embedded suites, and the components of boards with published measurements.

use crate::common::reference::{assert_agrees, component};
use clearway_rush::formats::{self, KnownLength, Puzzle};
use clearway_rush::suites::{self, Suite};
use clearway_rush::{Board, Metric, Solver, replay};
use clearway_search::{Limits, Verdict};

const BOTH: [Metric; 2] = [Metric::Moves, Metric::Steps];

fn board(line: &str) -> Board {
    formats::read_one(line, None).expect("a board").board
}

/// Solves a puzzle in one metric and asserts that the solution has the known length.
fn assert_optimum(solver: &mut Solver, puzzle: &Puzzle, metric: Metric) {
    let name = puzzle.name.as_deref().unwrap_or_default();
    let answer = solver.solve(&puzzle.board, metric, &Limits::default());
    let known = if metric == Metric::Moves { puzzle.moves } else { puzzle.steps };
    assert_eq!(answer.verdict, Verdict::Solved, "{name}");
    assert_eq!(Some(KnownLength::Exactly(answer.lower_bound)), known, "{name} in {}", metric.as_str());
    let solution = answer.solution.expect("a solution");
    let check = replay(&puzzle.board, &solution.0).expect("legal moves");
    assert!(check.solved, "{name}: {solution}");
    let length = if metric == Metric::Moves { check.moves } else { check.steps };
    assert_eq!(length, answer.lower_bound, "{name}: {solution}");
}

/// Boards that take seconds or need the portfolio; they have their own tests, which run in parallel.
const LARGE: [&str; 3] = ["9x9_5", "9x9_6", "12x12_7"];

/// Suites whose boards need the portfolio.
const LARGE_SUITES: [&str; 4] = ["large", "test-10x10", "test-12x12", "test-14x14"];

#[test]
fn the_optima_of_all_suites_are_found() {
    let mut solver = Solver::new();
    let (mut proven, mut open) = (0, Vec::new());
    let suites = || suites::all().iter().filter(|suite| !LARGE_SUITES.contains(&suite.name));
    for puzzle in suites().flat_map(Suite::puzzles) {
        let name = puzzle.name.as_deref().expect("a name");
        for (metric, known) in BOTH.into_iter().zip([puzzle.moves, puzzle.steps]) {
            match known {
                Some(KnownLength::Exactly(_)) if LARGE.contains(&name) => {}
                Some(KnownLength::Exactly(_)) => {
                    assert_optimum(&mut solver, &puzzle, metric);
                    proven += 1;
                }
                _ => open.push(format!("{name} in {}", metric.as_str())),
            }
        }
    }
    let boards: usize = suites().map(|suite| suite.puzzles().len()).sum();
    assert_eq!(proven, 2 * (boards - 3), "two metrics, all boards but three");
    assert_eq!(open, ["12x12_7 in steps"]);
}

fn assert_large_board_optimum(name: &str, metric: Metric) {
    let puzzles = Suite::find("course").expect("the suite").puzzles();
    let puzzle = puzzles.iter().find(|puzzle| puzzle.name.as_deref() == Some(name)).expect("the board");
    assert_optimum(&mut Solver::new(), puzzle, metric);
}

#[test]
fn large_board_9x9_5_in_moves() {
    assert_large_board_optimum(LARGE[0], Metric::Moves);
}

#[test]
fn large_board_9x9_5_in_steps() {
    assert_large_board_optimum(LARGE[0], Metric::Steps);
}

#[test]
fn large_board_9x9_6_in_moves() {
    assert_large_board_optimum(LARGE[1], Metric::Moves);
}

#[test]
fn large_board_9x9_6_in_steps() {
    assert_large_board_optimum(LARGE[1], Metric::Steps);
}

#[test]
fn traffic_jams_have_the_published_lengths_and_components() {
    let mut solver = Solver::new();
    for (puzzle, (moves, states)) in
        Suite::find("traffic-jam").expect("the suite").puzzles().iter().zip([(8, 1_794), (24, 3_256), (11, 404)])
    {
        let [by_moves, by_steps] = BOTH.map(|metric| {
            let reference = component(&puzzle.board, metric, 5_000).expect("few states");
            assert_agrees(&mut solver, &puzzle.board, metric, &reference).0
        });
        assert_eq!((by_moves.distance, by_moves.states), (Some(moves), states), "{:?}", puzzle.name);
        assert_eq!(by_steps.distance.map(KnownLength::Exactly), puzzle.steps, "{:?}", puzzle.name);
    }
}

#[test]
fn the_hardest_6x6_boards_have_the_published_components() {
    let mut solver = Solver::new();
    let hardest = board("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.");
    let servais = Suite::find("servais").expect("the suite").puzzles().remove(0).board;
    for (board, moves, states) in [(hardest, 51, 4_780), (servais, 49, 24_132)] {
        for metric in BOTH {
            let reference = component(&board, metric, 30_000).expect("a component that the reference can visit");
            let (facts, _) = assert_agrees(&mut solver, &board, metric, &reference);
            assert_eq!(facts.states, states);
            assert!(metric == Metric::Steps || facts.distance == Some(moves));
        }
    }
}

#[test]
fn a_large_component_is_enumerated_completely() {
    let wide_open = board("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...");
    let facts = Solver::new().analyze(&wide_open, Metric::Moves, &Limits::default());
    assert_eq!((facts.states, facts.distance), (541_934, Some(15)));
    assert_eq!(facts.histogram.iter().sum::<u64>(), facts.states);
    assert_eq!(facts.histogram[0], facts.goals);
    let answer = Solver::new().solve(&wide_open, Metric::Moves, &Limits::default());
    assert_eq!(answer.solution.map(|solution| solution.moves()), Some(15));
}
