//! The observations of J. van Dijk's thesis about searches over paths.

use clearway_rush::suites::Suite;
use clearway_rush::{Metric, RushDomain};
use clearway_search::bfs::{Bfs, BfsOptions};
use clearway_search::dfs::{TreeDfs, TreeDfsOptions};
use clearway_search::hybrid::{Hybrid, HybridOptions};
use clearway_search::tree_bfs::{Prune, TreeBfs, TreeBfsOptions};
use clearway_search::{Domain, Limits, MoveOrder, Outcome, Search, SearchStatistics, run};

type Rush = RushDomain<8>;

/// Sections 4.4, 5.1 and 5.2 of the thesis, on the cards a few moves before they are solved, in both metrics.
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
            let tree = |prune, early| TreeBfs::new(&domain, TreeBfsOptions { prune, early, depth: 20, threads: 1 });
            let plain = solve(&mut tree(Prune::None, false));
            assert_eq!(plain.solution.unwrap().len(), LEFT);
            let nodes = plain.statistics.expanded;
            assert_eq!(
                solve(&mut TreeDfs::new(&domain, TreeDfsOptions { depth: LEFT as u32 })).statistics.expanded,
                nodes
            );
            let mut early = tree(Prune::None, true);
            assert_eq!(solve(&mut early).statistics.expanded + early.queue_len().unwrap() + 1, nodes);
            let pre = solve(&mut tree(Prune::Pre, false)).statistics.expanded;
            let post = solve(&mut tree(Prune::Post, false)).statistics.expanded;
            assert!(post == pre && pre < nodes, "{post} {pre} {nodes}");
        }
    }
}

/// The future work of the thesis: without equal states in its queue, the hybrid search finds solutions of the same length.
#[test]
fn pruning_the_queue_of_the_hybrid_search_saves_nodes() {
    let boards = Suite::find("vandijk").unwrap().puzzles();
    for (place, optimum) in [(0, 4), (1, 6)] {
        let domain = Rush::new(&boards[place].board, Metric::Moves).unwrap();
        let solve = |prune| {
            let options = HybridOptions { cutoff: 3, depth: optimum, prune };
            let mut search = Hybrid::new(&domain, options);
            let outcome = run(&mut search, &Limits::default());
            assert_eq!(outcome.solution.unwrap().len(), optimum as usize);
            (outcome.statistics.expanded, search.queue_len().unwrap(), search.lower_bound(true))
        };
        let (nodes, queue, bound) = solve(Prune::None);
        let pre = solve(Prune::Pre);
        let post = solve(Prune::Post);
        assert_eq!(pre, post, "each state is in the queue once");
        assert!(post.0 < nodes && post.1 < queue && post.2 == bound && bound == optimum, "{post:?} {nodes} {queue}");
    }
}

#[test]
fn several_threads_give_the_result_of_one() {
    let (course, cards) = (Suite::find("course").unwrap().puzzles(), Suite::find("cards").unwrap().puzzles());
    let large = course.iter().find(|puzzle| puzzle.name.as_deref() == Some("9x9_4")).unwrap();
    // A board that is solved, and one that the node limit stops.
    for (board, nodes) in [(&cards[39].board, 20_000), (&large.board, 9_000)] {
        let domain = Rush::new(board, Metric::Moves).unwrap();
        let outcome = |search: &mut dyn Search<Rush>| {
            let Outcome { verdict, solution, statistics } =
                run(search, &Limits { nodes: Some(nodes), ..Limits::default() });
            let statistics = SearchStatistics { peak_memory: 0, ..statistics };
            (verdict, solution, statistics, search.queue_len(), search.lower_bound(true))
        };
        let outcomes = |threads| {
            let tree = |prune, early, depth| TreeBfs::new(&domain, TreeBfsOptions { prune, early, depth, threads });
            [
                outcome(&mut Bfs::with_options(&domain, BfsOptions { order: MoveOrder::It3105, threads })),
                outcome(&mut tree(Prune::None, false, u32::MAX)),
                outcome(&mut tree(Prune::None, true, 4)),
                outcome(&mut tree(Prune::Pre, true, u32::MAX)),
                outcome(&mut tree(Prune::Post, false, u32::MAX)),
            ]
        };
        let one = outcomes(1);
        for threads in [2, 5] {
            assert_eq!(outcomes(threads), one, "{threads} threads");
        }
    }
}
