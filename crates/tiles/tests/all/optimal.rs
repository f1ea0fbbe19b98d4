//! The optimal solver: agreement with other searches, limits, and reproducible counts.

use clearway_gp::rng;
use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::{Limit, Limits, Verdict, run};
use clearway_tiles::heuristics::LinearConflict;
use clearway_tiles::optimal::{OptimalAnswer, Solver};
use clearway_tiles::{Board, Move, Puzzle, Size, moves};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn solve(puzzle: &Puzzle, limits: &Limits) -> OptimalAnswer {
    Solver::new().solve(puzzle, limits)
}

/// Returns a board after a number of random moves from a goal.
fn near(goal: Board, moves: u32, index: u32) -> Board {
    use rand::RngExt;
    let (mut board, mut random) = (goal, rng::stream(5, 0, index));
    for _ in 0..moves {
        board.make(Move::ALL[random.random_range(0..4)]);
    }
    board
}

/// The first five of Korf's 100 random boards (1985), with their optimal lengths. The goal has the blank first.
const KORF: [(&str, usize); 5] = [
    ("14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3", 57),
    ("13 5 4 10 / 9 12 8 14 / 2 3 7 1 / 0 15 11 6", 55),
    ("14 7 8 2 / 13 11 10 4 / 9 12 5 0 / 3 6 1 15", 59),
    ("5 12 10 7 / 15 11 14 0 / 8 2 1 13 / 3 4 9 6", 56),
    ("4 7 14 13 / 10 3 9 12 / 11 5 6 15 / 1 2 8 0", 56),
];

#[test]
fn published_boards_of_the_15_puzzle_have_their_published_lengths() {
    let goal = Board::parse("0123456789abcdef").unwrap();
    let mut solver = Solver::new();
    for (board, moves) in KORF {
        let puzzle = Puzzle::with_goal(Board::parse(board).unwrap(), goal).unwrap();
        let answer = solver.solve(&puzzle, &Limits::default());
        assert_eq!((answer.solution.unwrap().len(), answer.algorithm), (moves, "ida(patterns)"), "{board}");
        assert!(answer.statistics.peak_memory > 0);
        // A node limit is exact, and the lower bound is valid.
        for nodes in [0, 1, 1_000, 20_000, 20_001, 30_000] {
            let limited = solver.solve(&puzzle, &Limits { nodes: Some(nodes), ..Limits::default() });
            if limited.verdict == Verdict::Limit(Limit::Nodes) {
                assert_eq!(limited.statistics.expanded, nodes);
                assert!(limited.lower_bound as usize <= moves && limited.lower_bound > 30);
            } else {
                assert_eq!(limited.statistics, answer.statistics);
            }
        }
    }
}

/// The same board reflected into all four corners: the databases are used for all of them.
#[test]
fn the_goal_may_have_the_blank_in_any_corner() {
    let board = Board::parse(KORF[1].0).unwrap();
    let goal = Board::parse("0123456789abcdef").unwrap();
    let turned = |board: &Board, mask: usize| {
        let cells: Vec<u8> = (0..16).map(|cell| board.cells()[cell ^ mask]).collect();
        Board::new(board.size(), &cells).unwrap()
    };
    let mut statistics = Vec::new();
    for mask in [0, 3, 12, 15] {
        let puzzle = Puzzle::with_goal(turned(&board, mask), turned(&goal, mask)).unwrap();
        let answer = solve(&puzzle, &Limits::default());
        assert_eq!(answer.solution.unwrap().len(), 55);
        statistics.push(answer.statistics.generated);
    }
    assert!(statistics.iter().all(|&count| count > 20_000));
}

#[test]
fn easy_boards_agree_with_a_star() {
    let custom = Board::parse("1 2 3 4 / 5 6 7 8 / 9 0 a b / c d e f".replace(' ', "").as_str()).unwrap();
    let frames = [(4, 4), (2, 5), (5, 2), (3, 4), (5, 5), (4, 5)];
    let goals = frames.map(|(rows, columns)| Board::ordered(Size::new(rows, columns).unwrap()));
    for (number, goal) in goals.into_iter().chain([custom]).enumerate() {
        for index in 0..12 {
            let puzzle = Puzzle::with_goal(near(goal, 30 + index, index), goal).unwrap();
            let other = run(&mut AStar::new(&puzzle, LinearConflict, AStarOptions::default()), &Limits::default());
            let answer = solve(&puzzle, &Limits::default());
            let solution = answer.solution.unwrap();
            assert_eq!(solution.len(), other.solution.unwrap().len(), "{number} {index}");
            assert_eq!(moves::replay(puzzle.board(), &solution), Ok(goal));
            assert_eq!(answer.lower_bound as usize, solution.len());
        }
    }
}

/// The databases and linear conflicts give the same lengths; with little memory, no databases are used.
#[test]
fn both_estimates_find_the_same_lengths() {
    let goal = Board::ordered(Size::new(4, 4).unwrap());
    let little = Limits { memory: Some(1 << 20), ..Limits::default() };
    let mut by_patterns = 0;
    for index in 0..12 {
        let puzzle = Puzzle::new(near(goal, 120, index)).unwrap();
        let (free, limited) = (solve(&puzzle, &Limits::default()), solve(&puzzle, &little));
        assert_eq!(limited.algorithm, "ida(linear-conflict)");
        assert_eq!(free.solution.unwrap().len(), limited.solution.unwrap().len());
        by_patterns += usize::from(free.algorithm == "ida(patterns)");
    }
    assert!(by_patterns > 0);
}

#[test]
fn a_solved_board_needs_no_move() {
    for (rows, columns) in [(2, 2), (3, 3), (4, 4), (5, 5)] {
        let answer =
            solve(&Puzzle::new(Board::ordered(Size::new(rows, columns).unwrap())).unwrap(), &Limits::default());
        assert_eq!((answer.verdict, answer.solution, answer.lower_bound), (Verdict::Solved, Some(Vec::new()), 0));
    }
}

#[test]
fn a_limit_stops_the_24_puzzle_with_a_lower_bound() {
    let goal = Board::ordered(Size::new(5, 5).unwrap());
    let puzzle = Puzzle::new(Board::random(&goal, &mut rng::stream(1, 0, 0))).unwrap();
    let least = LinearConflict::evaluate(&puzzle, puzzle.board()) as u32;
    let answer = solve(&puzzle, &Limits { nodes: Some(50_000), ..Limits::default() });
    assert_eq!((answer.verdict, answer.solution), (Verdict::Limit(Limit::Nodes), None));
    assert!(answer.lower_bound >= least && answer.statistics.expanded == 50_000);
    let brief = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    assert_eq!(solve(&puzzle, &brief).verdict, Verdict::Limit(Limit::Time));
}

#[test]
fn all_methods_can_be_cancelled() {
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let limits = Limits { cancel, ..Limits::default() };
    for text in ["867254301", KORF[0].0] {
        let board = Board::parse(text).unwrap();
        let goal = Board::random(&board, &mut rng::stream(0, 0, 0));
        let answer = solve(&Puzzle::with_goal(board, goal).unwrap(), &limits);
        assert_eq!(answer.verdict, Verdict::Limit(Limit::Cancelled), "{text}");
    }
    let none = Limits { nodes: Some(3), ..Limits::default() };
    let answer = solve(&Puzzle::new(Board::parse("867254301").unwrap()).unwrap(), &none);
    assert_eq!((answer.verdict, answer.lower_bound), (Verdict::Limit(Limit::Nodes), 31));
}

#[test]
fn half_of_all_boards_are_unsolvable() {
    for text in ["213456780", "2130", "2 1 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0"] {
        let board = Board::parse(text).unwrap();
        let puzzle = Puzzle::unchecked(board, Board::ordered(board.size())).unwrap();
        let answer = solve(&puzzle, &Limits::default());
        assert_eq!((answer.verdict, answer.solution), (Verdict::Unsolvable, None), "{text}");
    }
}
