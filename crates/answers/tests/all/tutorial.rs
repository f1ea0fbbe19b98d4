//! Tests of the tutorial: every board is solvable, and needs the idea that it teaches.

use clearway_answers::{Lesson, level_puzzles, tutorial};
use clearway_forge::collection;
use clearway_forge::grade::Level;
use clearway_forge::minimal::removable;
use clearway_rush::{Board, Metric, Move, Solver, formats};
use clearway_search::Limits;
use std::collections::{HashSet, VecDeque};

/// Returns the number of moves of a shortest solution of which every move is allowed, found by plain breadth-first search.
fn shortest(start: &Board, allowed: impl Fn(&Board, Move) -> bool) -> Option<u32> {
    let (mut known, mut queue) = (HashSet::from([start.clone()]), VecDeque::from([(start.clone(), 0)]));
    while let Some((board, moves)) = queue.pop_front() {
        if board.is_solved() {
            return Some(moves);
        }
        for mv in board.legal_moves().into_iter().filter(|mv| allowed(&board, *mv)) {
            let mut next = board.clone();
            next.apply(mv).unwrap();
            if known.insert(next.clone()) {
                queue.push_back((next, moves + 1));
            }
        }
    }
    None
}

/// Returns the labels of the vehicles between the target and the exit on the right.
fn blockers(board: &Board) -> HashSet<char> {
    let target = board.target();
    let ahead = target.x + target.length..board.width();
    ahead.filter_map(|x| board.vehicle_at(x, target.y)).map(|index| board.vehicles()[index].label).collect()
}

fn after(board: &Board, mv: Move) -> Board {
    let mut next = board.clone();
    next.apply(mv).unwrap();
    next
}

fn lessons() -> Vec<Board> {
    tutorial().iter().map(Lesson::board).collect()
}

/// Whether a move takes the target away from the exit on the right.
fn is_back(board: &Board, mv: Move) -> bool {
    mv.label == board.target().label && after(board, mv).target().x < board.target().x
}

#[test]
fn every_board_is_solvable_and_minimal() {
    let mut solver = Solver::new();
    for (lesson, board) in tutorial().iter().zip(lessons()) {
        let answer = solver.solve(&board, Metric::Moves, &Limits::default());
        assert_eq!(answer.solution.map(|solution| solution.moves()), Some(lesson.moves), "{}", lesson.name);
        assert_eq!(shortest(&board, |_, _| true), Some(lesson.moves), "{}", lesson.name);
        assert_eq!(removable(&mut solver, &board, &Limits::default()), Ok(Vec::new()), "{}", lesson.name);
        assert_eq!(formats::line(&board), lesson.board);
    }
}

#[test]
fn the_first_board_needs_only_a_slide_of_the_target() {
    let board = &lessons()[0];
    assert!(blockers(board).is_empty());
    assert_eq!(shortest(board, |board, mv| mv.label == board.target().label), Some(1));
}

#[test]
fn the_second_board_needs_every_blocker_to_leave_and_nothing_else() {
    let board = &lessons()[1];
    let in_the_way = blockers(board);
    assert_eq!(in_the_way.len(), 2);
    let target = board.target().label;
    for &left_out in &in_the_way {
        assert_eq!(shortest(board, |_, mv| mv.label != left_out), None, "{left_out} must move");
    }
    let only_these = shortest(board, |_, mv| mv.label == target || in_the_way.contains(&mv.label));
    assert_eq!(only_these, Some(tutorial()[1].moves));
    assert!(board.legal_moves().into_iter().any(|mv| blockers(&after(board, mv)).len() < 2), "one can leave at once");
}

#[test]
fn the_third_board_needs_room_for_the_blocker() {
    let board = &lessons()[2];
    let in_the_way = blockers(board);
    assert_eq!(in_the_way.len(), 1);
    let target = board.target().label;
    assert_eq!(shortest(board, |_, mv| mv.label == target || in_the_way.contains(&mv.label)), None);
    assert!(board.legal_moves().into_iter().all(|mv| blockers(&after(board, mv)) == in_the_way));
    // It does not need the next idea.
    assert_eq!(shortest(board, |board, mv| !is_back(board, mv)), Some(tutorial()[2].moves));
}

#[test]
fn the_last_two_boards_need_the_target_to_move_back() {
    for board in &lessons()[3..] {
        assert_eq!(shortest(board, |board, mv| !is_back(board, mv)), None);
    }
    // In the first of them it can do so at once; in the other one, another vehicle has to make room for it.
    let goes_back = |board: &Board| board.legal_moves().into_iter().any(|mv| is_back(board, mv));
    assert_eq!(lessons()[3..].iter().map(goes_back).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn no_board_of_the_tutorial_is_a_puzzle_of_a_level_or_a_day() {
    let lessons: HashSet<&str> = tutorial().iter().map(|lesson| lesson.board).collect();
    assert!(collection::puzzles().iter().all(|puzzle| !lessons.contains(&*formats::line(&puzzle.board))));
}

#[test]
fn levels_have_numbered_puzzles_from_easy_to_hard() {
    for level in Level::ALL {
        let puzzles = level_puzzles(level);
        assert!(puzzles.len() >= 20, "{level}: {}", puzzles.len());
        for (number, puzzle) in (1..).zip(&puzzles) {
            assert_eq!(puzzle.name.to_lowercase(), format!("{level} {number}"));
            assert_eq!((puzzle.level, Level::from_seconds(puzzle.human.seconds)), (level, level));
            assert!(puzzle.moves >= 4);
        }
        assert!(puzzles.is_sorted_by(|a, b| a.human.seconds <= b.human.seconds));
    }
}
