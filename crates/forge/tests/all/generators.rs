//! Generators: their boards have the requested properties and are reproducible.

use clearway_forge::generate::{Attempt, Request, puzzle};
use clearway_forge::minimal::removable;
use clearway_forge::random::{self, Fleet, PlacementError};
use clearway_forge::{GeneratedPuzzle, Shape, rng};
use clearway_rush::{Board, Metric, Orientation, Side, Solver};
use clearway_search::{Limit, Limits, Verdict};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn shape(width: u8, height: u8, side: Side, line: Option<u8>, walls: u8) -> Shape {
    Shape::new(width, height, side, line, walls).unwrap()
}

/// Returns shapes of various sizes, exits and numbers of walls.
fn shapes() -> Vec<Shape> {
    vec![
        shape(6, 6, Side::Right, None, 0),
        shape(4, 4, Side::Left, Some(0), 0),
        shape(5, 7, Side::Top, None, 2),
        shape(7, 5, Side::Bottom, Some(6), 3),
        shape(8, 8, Side::Right, None, 4),
        shape(16, 16, Side::Left, Some(15), 20),
    ]
}

fn assert_has_shape(board: &Board, shape: Shape) {
    assert_eq!((board.width(), board.height()), (shape.width(), shape.height()));
    assert_eq!(board.exit(), shape.exit());
    assert_eq!(board.target().line(), shape.line());
    assert_eq!(board.walls().len(), usize::from(shape.walls()));
    let in_exit_line = |x: u8, y: u8| {
        let line = if shape.side().orientation() == Orientation::Horizontal { y } else { x };
        line == shape.line()
    };
    assert!(!board.walls().iter().any(|(x, y)| in_exit_line(x, y)), "a wall in the line of the exit");
}

#[test]
fn random_boards_have_the_requested_shape_and_vehicles() {
    for shape in shapes() {
        let fleet = Fleet { cars: 3, trucks: 1 };
        for index in 0..20 {
            let board = random::board(shape, fleet, &mut rng::stream(1, index)).unwrap();
            assert_has_shape(&board, shape);
            let of_length = |length| board.vehicles().iter().filter(|v| v.length == length).count();
            assert_eq!((of_length(2), of_length(3)), (3, 1));
            assert!(!board.is_solved());
            let target = board.target();
            let ahead = board.vehicles().iter().skip(1).any(|v| {
                v.orientation == target.orientation
                    && v.line() == target.line()
                    && (v.position() > target.position()) == shape.side().is_forward()
            });
            assert!(!ahead, "{board:?}");
        }
    }
}

#[test]
fn random_boards_depend_on_seed_and_index_alone() {
    let shape = shape(6, 6, Side::Right, None, 2);
    let make = |seed, index| random::board(shape, Fleet { cars: 7, trucks: 3 }, &mut rng::stream(seed, index)).unwrap();
    assert_eq!(make(1, 5), make(1, 5));
    let different: HashSet<Board> = (0..50).map(|index| make(1, index)).chain([make(2, 0)]).collect();
    assert_eq!(different.len(), 51);
}

#[test]
fn dense_boards_are_generated_by_backtracking() {
    let shape = shape(6, 6, Side::Right, None, 0);
    for index in 0..20 {
        let board = random::board(shape, Fleet { cars: 12, trucks: 3 }, &mut rng::stream(3, index)).unwrap();
        assert_eq!(board.vehicles().len(), 15);
    }
}

#[test]
fn too_many_vehicles_are_rejected_or_given_up() {
    let shape = shape(4, 4, Side::Right, None, 1);
    let make = |cars, trucks| random::board(shape, Fleet { cars, trucks }, &mut rng::stream(1, 0)).unwrap_err();
    assert_eq!(make(0, 3), PlacementError::NoTarget);
    assert_eq!(make(8, 0), PlacementError::TooFewCells { needed: 16, free: 15 });
    // All cells would have to be covered.
    let full = random::board(shapes()[0], Fleet { cars: 3, trucks: 10 }, &mut rng::stream(1, 0));
    assert!(matches!(full, Err(PlacementError::NoPlacementFound { .. })), "{full:?}");
}

fn attempts(shape: Shape, request: &Request, count: u64) -> Vec<Attempt> {
    let mut solver = Solver::new();
    (0..count).map(|index| puzzle(shape, request, 7, index, &mut solver, &Limits::default())).collect()
}

/// Checks a puzzle with functions that the generator does not use.
fn assert_is_minimal_and_hardest(puzzle: &GeneratedPuzzle) {
    let (mut solver, limits) = (Solver::new(), Limits::default());
    // Larger boards have too many states.
    if puzzle.board.width() <= 8 {
        let facts = solver.analyze(&puzzle.board, Metric::Moves, &limits);
        assert_eq!((facts.distance, facts.depth), (Some(puzzle.moves), Some(puzzle.moves)), "{puzzle:?}");
        assert_eq!(Some(facts.states), puzzle.states);
    }
    assert_eq!(removable(&mut solver, &puzzle.board, &limits), Ok(vec![]), "{puzzle:?}");
    for index in 1..puzzle.board.vehicles().len() {
        let smaller = clearway_forge::minimal::without(&puzzle.board, index).unwrap();
        let answer = solver.solve(&smaller, Metric::Moves, &limits);
        assert_eq!(answer.verdict, Verdict::Solved);
        assert!(answer.lower_bound < puzzle.moves, "{puzzle:?} does not need vehicle {index}");
    }
}

#[test]
fn generated_puzzles_are_minimal_and_small_ones_the_hardest_of_their_component() {
    for shape in shapes() {
        let request = Request::new(if shape.is_large() { 2..=6 } else { 2..=30 });
        let puzzles: Vec<GeneratedPuzzle> =
            attempts(shape, &request, 3).into_iter().filter_map(|made| made.puzzle).collect();
        assert!(!puzzles.is_empty(), "{shape:?}");
        for puzzle in puzzles {
            assert_has_shape(&puzzle.board, shape);
            assert!(request.moves.contains(&puzzle.moves));
            assert_is_minimal_and_hardest(&puzzle);
        }
    }
}

#[test]
fn attempts_reach_their_target_length_or_return_a_shorter_puzzle() {
    let shape = shape(6, 6, Side::Right, None, 0);
    let request = Request { aims: 15..=15, ..Request::new(4..=20) };
    let made = attempts(shape, &request, 10);
    let lengths: Vec<u32> = made.iter().filter_map(|made| made.puzzle.as_ref()).map(|puzzle| puzzle.moves).collect();
    assert!(lengths.iter().all(|length| (4..=20).contains(length)), "{lengths:?}");
    assert!(lengths.iter().any(|length| (15..=20).contains(length)), "{lengths:?}");
    assert!(made.iter().all(|made| made.puzzle.as_ref().is_none_or(|puzzle| puzzle.moves == made.longest)));
}

#[test]
fn attempts_do_not_depend_on_earlier_uses_of_the_solver() {
    let shape = shape(6, 6, Side::Right, None, 0);
    let request = Request::new(5..=25);
    let mut in_order = attempts(shape, &request, 4);
    let mut solver = Solver::new();
    let backwards = (0..4).rev().map(|index| puzzle(shape, &request, 7, index, &mut solver, &Limits::default()));
    in_order.reverse();
    assert_eq!(backwards.collect::<Vec<_>>(), in_order);
}

#[test]
fn attempts_at_impossible_lengths_end() {
    let shape = shape(4, 4, Side::Right, None, 0);
    for made in attempts(shape, &Request::new(30..=40), 20) {
        assert_eq!((made.puzzle, made.limit), (None, None));
        assert!(made.longest < 30);
    }
    let few = Request { max_components: 5, ..Request::new(30..=40) };
    assert!(
        attempts(shape, &few, 5).iter().all(|attempt| attempt.components <= 5 + 10),
        "only a reduction may exceed it"
    );
}

#[test]
fn a_cancelled_attempt_reports_its_limit() {
    let limits = Limits { cancel: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    let shape = shape(6, 6, Side::Right, None, 0);
    let made = puzzle(shape, &Request::new(20..=40), 7, 0, &mut Solver::new(), &limits);
    assert_eq!(made, Attempt { limit: Some(Limit::Cancelled), ..Attempt::default() }, "nothing was walked");
}
