//! The algorithms of the search crate on Rush Hour, beside the exact solver.

mod common;

use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, RushDomain, Solver, replay};
use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::bfs::Bfs;
use clearway_search::deepening::{Deepening, DeepeningOptions, Guide, Memo};
use clearway_search::dfs::TreeDfs;
use clearway_search::ibex::Ibex;
use clearway_search::tree_bfs::{Prune, TreeBfs, TreeBfsOptions};
use clearway_search::{Domain, Limits, Search, Verdict, Zero, run};
use proptest::prelude::*;

type Rush = RushDomain<8>;

/// Every optimal algorithm gives the exact solver's verdict and length, and its solution replays.
fn agree(board: &Board, metric: Metric) {
    let answer = Solver::new().solve(board, metric, &Limits::default());
    let expected = (answer.verdict == Verdict::Solved).then_some(answer.lower_bound as usize);
    let domain = Rush::new(board, metric).unwrap();
    let id =
        |memo| Deepening::new(&domain, None::<Zero>, DeepeningOptions { increment: 1, guide: Guide::default(), memo });
    let searches: [(&str, Box<dyn Search<Rush> + '_>); 5] = [
        ("bfs", Box::new(Bfs::new(&domain))),
        ("astar", Box::new(AStar::new(&domain, Zero, AStarOptions::default()))),
        ("id", Box::new(id(Memo::Cleared))),
        ("id kept", Box::new(id(Memo::Kept))),
        ("ibex", Box::new(Ibex::new(&domain, Zero))),
    ];
    for (name, mut search) in searches {
        let outcome = run(&mut *search, &Limits { nodes: Some(30_000), ..Limits::default() });
        if matches!(outcome.verdict, Verdict::Limit(_)) {
            continue;
        }
        assert_eq!(outcome.solution.as_ref().map(Vec::len), expected, "{name} on {board:?}");
        if let Some(moves) = outcome.solution {
            assert!(replay(board, &domain.solution(&moves).0).is_ok_and(|replay| replay.solved), "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn optimal_searches_agree_with_the_exact_solver(board in common::boards(5)) {
        agree(&board, Metric::Moves);
        agree(&board, Metric::Steps);
    }
}

/// The observations of van Dijk's thesis (sections 4.4, 5.1 and 5.2), on the cards a few moves before their end, in both
/// metrics.
#[test]
fn the_observations_about_searches_over_paths_hold() {
    const LEFT: usize = 4;
    for puzzle in Suite::find("cards").unwrap().puzzles().iter().step_by(3) {
        for metric in [Metric::Moves, Metric::Steps] {
            let domain = Rush::new(&puzzle.board, metric).unwrap();
            let moves = run(&mut Bfs::new(&domain), &Limits::default()).solution.unwrap();
            let mut state = domain.start();
            moves[..moves.len() - LEFT].iter().for_each(|&mv| domain.apply(&mut state, mv));
            let domain = Rush::new(&domain.board_at(&state), metric).unwrap();

            let solve = |search: &mut dyn Search<Rush>| run(search, &Limits::default());
            let tree = |prune, early| TreeBfs::new(&domain, TreeBfsOptions { prune, early, depth: 20 });
            let plain = solve(&mut tree(Prune::None, false));
            assert_eq!(plain.solution.unwrap().len(), LEFT);
            let nodes = plain.counters.expanded;
            assert_eq!(solve(&mut TreeDfs::new(&domain, LEFT as u32)).counters.expanded, nodes);
            let mut early = tree(Prune::None, true);
            assert_eq!(solve(&mut early).counters.expanded + early.queue_len() + 1, nodes);
            let pre = solve(&mut tree(Prune::Pre, false)).counters.expanded;
            let post = solve(&mut tree(Prune::Post, false)).counters.expanded;
            assert!(post == pre && pre < nodes, "{post} {pre} {nodes}");
        }
    }
}
