//! The observations of J. van Dijk's thesis about searches over paths.

use clearway_rush::suites::Suite;
use clearway_rush::{Metric, RushDomain};
use clearway_search::bfs::Bfs;
use clearway_search::dfs::{TreeDfs, TreeDfsOptions};
use clearway_search::tree_bfs::{Prune, TreeBfs, TreeBfsOptions};
use clearway_search::{Domain, Limits, Search, run};

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
            let tree = |prune, early| TreeBfs::new(&domain, TreeBfsOptions { prune, early, depth: 20 });
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
