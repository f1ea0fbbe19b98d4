//! The table of all distances: published values, and agreement with the searches.

use clearway_gp::rng;
use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::bfs::Bfs;
use clearway_search::deepening::{DeepeningOptions, HeuristicUse, IterativeDeepening, Memo};
use clearway_search::ibex::Ibex;
use clearway_search::{Limits, Search, Verdict, Zero, run};
use clearway_tiles::exact::DistanceTable;
use clearway_tiles::heuristics::{LinearConflict, Manhattan, Misplaced, Patterns};
use clearway_tiles::optimal::Solver;
use clearway_tiles::{Board, Puzzle, Size, moves};
use proptest::prelude::*;

/// Number of boards at each distance in the 8-puzzle.
const EIGHT: [usize; 32] = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110,
    23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
];

fn exact(rows: usize, columns: usize) -> DistanceTable {
    DistanceTable::new(&Board::ordered(Size::new(rows, columns).unwrap())).unwrap()
}

#[test]
fn the_distances_of_the_8_puzzle_match_the_published_ones() {
    let exact = exact(3, 3);
    let histogram = exact.histogram();
    assert_eq!(histogram, EIGHT);
    assert_eq!(histogram.iter().sum::<usize>(), 181_440);
    let sum: usize = histogram.iter().enumerate().map(|(distance, boards)| distance * boards).sum();
    assert_eq!(format!("{:.2}", sum as f64 / 181_440.0), "21.97");
    let farthest = exact.boards().filter(|board| exact.distance(board) == Some(31));
    let farthest: Vec<String> = farthest.map(|board| board.to_string()).collect();
    assert_eq!(farthest, ["647850321", "867254301"]);
}

#[test]
fn tables_of_small_sizes_are_complete() {
    // Half of all permutations, and the known maximum distances.
    for (rows, columns, boards, farthest) in [(2, 2, 12, 6), (2, 3, 360, 21), (3, 2, 360, 21), (2, 4, 20_160, 36)] {
        let exact = exact(rows, columns);
        assert_eq!((exact.boards().count(), exact.histogram().len() - 1), (boards, farthest), "{rows} {columns}");
    }
    assert!(DistanceTable::new(&Board::ordered(Size::new(2, 5).unwrap())).is_none());
}

#[test]
fn unsolvable_boards_have_no_distance() {
    let exact = exact(3, 3);
    assert_eq!(exact.distance(&Board::parse("213456780").unwrap()), None);
    assert_eq!(exact.distance(&Board::parse("1230").unwrap()), None);
    assert_eq!(exact.distance(exact.goal()), Some(0));
    let odd = DistanceTable::new(&Board::parse("213456780").unwrap()).unwrap();
    assert!(exact.boards().all(|board| odd.distance(&board).is_none()));
    assert_eq!(odd.histogram(), EIGHT);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn all_searches_agree_with_the_table(seed: u64, wide: bool, custom: bool) {
        let size = if wide { Size::new(2, 4).unwrap() } else { Size::new(3, 3).unwrap() };
        let random = &mut rng::stream(seed, 0, 0);
        let goal = if custom { Board::random(&Board::ordered(size), random) } else { Board::ordered(size) };
        let puzzle = Puzzle::with_goal(Board::random(&goal, random), goal).unwrap();
        let distance = usize::from(DistanceTable::new(&goal).unwrap().distance(puzzle.board()).unwrap());
        let patterns = Patterns::new(&puzzle, &[&[1, 3, 5, 7], &[2, 4, 6]]).unwrap();
        let pruning = DeepeningOptions { guide: HeuristicUse::Prune, ..DeepeningOptions::default() };
        let ordering = DeepeningOptions { guide: HeuristicUse::Both, memo: Memo::Kept, shortcut: true, ..DeepeningOptions::default() };
        let options = AStarOptions::default();
        let searches: [Box<dyn Search<Puzzle>>; 9] = [
            Box::new(Bfs::new(&puzzle)),
            Box::new(AStar::new(&puzzle, Zero, options)),
            Box::new(AStar::new(&puzzle, Misplaced, options)),
            Box::new(AStar::new(&puzzle, Manhattan, options)),
            Box::new(AStar::new(&puzzle, LinearConflict, options)),
            Box::new(AStar::new(&puzzle, patterns.clone(), options)),
            Box::new(IterativeDeepening::new(&puzzle, Some(LinearConflict), pruning)),
            Box::new(IterativeDeepening::new(&puzzle, Some(patterns), ordering)),
            Box::new(Ibex::new(&puzzle, Manhattan)),
        ];
        for (number, mut search) in searches.into_iter().enumerate() {
            let found = run(&mut *search, &Limits::default());
            prop_assert_eq!(found.verdict, Verdict::Solved);
            let solution = found.solution.unwrap();
            prop_assert_eq!(solution.len(), distance, "{}", number);
            prop_assert_eq!(moves::replay(puzzle.board(), &solution), Ok(goal));
        }
        let answer = Solver::new().solve(&puzzle, &Limits::default());
        prop_assert_eq!((answer.solution.unwrap().len(), answer.lower_bound as usize), (distance, distance));
    }
}
