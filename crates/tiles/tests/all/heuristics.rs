//! Properties of the heuristics on all boards of 3x3 and on samples of other sizes.

use clearway_gp::rng;
use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::{Limits, run};
use clearway_tiles::exact::DistanceTable;
use clearway_tiles::heuristics::{LinearConflict, Manhattan, Misplaced, PaperMeasure, Patterns};
use clearway_tiles::{Board, Move, Puzzle, Size};

fn ordered(rows: usize, columns: usize) -> Board {
    Board::ordered(Size::new(rows, columns).unwrap())
}

/// Returns all admissible estimates of a board, in ascending order where they are ordered.
fn estimates(puzzle: &Puzzle, board: &Board, patterns: &Patterns) -> [usize; 4] {
    [
        Misplaced::evaluate(puzzle, board),
        Manhattan::evaluate(puzzle, board),
        LinearConflict::evaluate(puzzle, board),
        patterns.evaluate(puzzle, board),
    ]
}

#[test]
fn heuristics_are_admissible_on_all_small_boards() {
    // The standard goal, one with the blank in the middle, and irregular ones.
    for goal in ["123456780", "123804765", "867254301", "1 0 2 / 3 4 5", "21 43 65 07".replace(' ', "").as_str()] {
        let goal = Board::parse(goal).unwrap();
        let (puzzle, exact) = (Puzzle::with_goal(goal, goal).unwrap(), DistanceTable::new(&goal).unwrap());
        let tiles: Vec<u8> = (1..goal.size().cells() as u8).collect();
        let (some, others) = tiles.split_at(tiles.len() / 2);
        let patterns = Patterns::new(&puzzle, &[some, others]).unwrap();
        let mut sums = [0; 4];
        for board in exact.boards() {
            let distance = usize::from(exact.distance(&board).unwrap());
            let [misplaced, manhattan, conflict, pattern] = estimates(&puzzle, &board, &patterns);
            assert!(misplaced <= manhattan && manhattan <= conflict && manhattan <= pattern, "{board}");
            assert!(conflict <= distance && pattern <= distance, "{board}");
            assert_eq!((distance - conflict) % 2 + (distance - pattern) % 2, 0, "{board}");
            for (sum, one) in sums.iter_mut().zip([misplaced, manhattan, conflict, pattern]) {
                *sum += one;
            }
        }
        assert!(sums.is_sorted() && sums[0] < sums[3], "{goal} {sums:?}");
    }
}

/// 402 in the paper, which counts opposite corners of a 3x3 board as six steps apart.
#[test]
fn the_maximum_of_the_paper_measure_is_364() {
    let goal = ordered(3, 3);
    let puzzle = Puzzle::new(goal).unwrap();
    let exact = DistanceTable::new(&goal).unwrap();
    let worst = exact.boards().max_by_key(|board| PaperMeasure::evaluate(&puzzle, board)).unwrap();
    assert_eq!(PaperMeasure::evaluate(&puzzle, &worst), 36 * 8 + 18 * 4 + 4);
    assert_eq!((worst.cells()[0], worst.cells()[8], Misplaced::evaluate(&puzzle, &worst)), (0, 1, 8));
    assert_eq!(exact.boards().filter(|board| PaperMeasure::evaluate(&puzzle, board) == 0).count(), 1);
}

#[test]
fn a_pattern_database_of_all_tiles_is_exact() {
    // With all tiles of 2x3 in one database, it counts all moves.
    let goal = ordered(2, 3);
    let puzzle = Puzzle::new(goal).unwrap();
    let all = Patterns::new(&puzzle, &[&[1, 2, 3, 4, 5]]).unwrap();
    let exact = DistanceTable::new(&goal).unwrap();
    for board in exact.boards() {
        assert_eq!(all.evaluate(&puzzle, &board), usize::from(exact.distance(&board).unwrap()), "{board}");
    }
}

#[test]
fn a_move_changes_distances_and_conflicts_by_one_and_patterns_by_an_odd_number() {
    for (rows, columns) in [(4, 4), (5, 5), (3, 5)] {
        let goal = ordered(rows, columns);
        let puzzle = Puzzle::new(goal).unwrap();
        let patterns = Patterns::new(&puzzle, &[&[1, 2, 3], &[4, 5, 6, 7]]).unwrap();
        for index in 0..40 {
            let board = Board::random(&goal, &mut rng::stream(3, 0, index));
            let before = estimates(&puzzle, &board, &patterns);
            for mv in Move::ALL {
                let mut next = board;
                if next.make(mv) {
                    let after = estimates(&puzzle, &next, &patterns);
                    let changes: Vec<usize> = (1..4).map(|h| before[h].abs_diff(after[h])).collect();
                    assert!(changes[..2] == [1, 1] && changes[2] % 2 == 1, "{board} {mv} {before:?} {after:?}");
                }
            }
        }
    }
}

#[test]
fn invalid_groups_of_tiles_are_rejected() {
    let puzzle = Puzzle::new(ordered(4, 4)).unwrap();
    for groups in [&[&[1, 2][..], &[2, 3]][..], &[&[0, 1]], &[&[16]], &[&[1, 2, 3, 4, 5, 6, 7]]] {
        assert!(Patterns::new(&puzzle, groups).is_none(), "{groups:?}");
    }
}

#[test]
fn a_better_heuristic_expands_fewer_nodes() {
    let goal = ordered(3, 3);
    let puzzle = Puzzle::new(Board::parse("867254301").unwrap()).unwrap();
    let patterns = Patterns::new(&Puzzle::new(goal).unwrap(), &[&[1, 2, 3, 4], &[5, 6, 7, 8]]).unwrap();
    let options = AStarOptions::default();
    let limits = Limits::default();
    let expanded = [
        run(&mut AStar::new(&puzzle, Misplaced, options), &limits),
        run(&mut AStar::new(&puzzle, Manhattan, options), &limits),
        run(&mut AStar::new(&puzzle, LinearConflict, options), &limits),
        run(&mut AStar::new(&puzzle, patterns, options), &limits),
    ]
    .map(|found| found.statistics.expanded);
    assert!(expanded.is_sorted_by(|a, b| a > b), "{expanded:?}");
}
