//! Every optimal search with every admissible heuristic agrees with the exact solver and with the reference on crowded random
//! boards of 4x4 to 8x8 with walls, in both metrics.
//!
//! `CLEARWAY_BOARDS=10000 cargo test --release -p clearway-rush agreement` tests 10,000 boards.

use crate::common::crowded::crowded;
use crate::common::reference;
use crate::common::reference::component;
use clearway_rush::heuristics::{ALL, HeuristicContext, HeuristicInfo};
use clearway_rush::{Board, Metric, RushDomain, Solver, replay};
use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::bfs::Bfs;
use clearway_search::deepening::{DeepeningOptions, HeuristicUse, IterativeDeepening, Memo};
use clearway_search::ibex::Ibex;
use clearway_search::{Limits, Search, Verdict, Zero, run};
use proptest::prelude::*;

type Rush = RushDomain<8>;

/// More nodes than any search needs on a board with at most [`MAX_STATES`] states.
const ENOUGH_NODES: u64 = 2_000_000;
const MAX_STATES: usize = 800;

/// Runs a search to its end and compares it with the optimum of the exact solver.
fn compare(name: &str, search: &mut dyn Search<Rush>, domain: &Rush, expected: Option<u32>) {
    let board = domain.board();
    let outcome = run(search, &Limits { nodes: Some(ENOUGH_NODES), ..Limits::default() });
    let verdict = if expected.is_some() { Verdict::Solved } else { Verdict::Unsolvable };
    assert_eq!(outcome.verdict, verdict, "{name} in {:?} on {board:?}", domain.metric());
    assert_eq!(outcome.solution.as_ref().map(|moves| moves.len() as u32), expected, "{name} on {board:?}");
    if let Some(moves) = outcome.solution {
        assert!(replay(board, &domain.solution(&moves).0).is_ok_and(|replay| replay.solved), "{name} on {board:?}");
    }
}

fn deepening(guide: HeuristicUse, memo: Memo) -> DeepeningOptions {
    DeepeningOptions { guide, memo, ..DeepeningOptions::default() }
}

fn with_heuristic(info: &HeuristicInfo, domain: &Rush, expected: Option<u32>) {
    let build = || info.build(domain, &HeuristicContext::default()).expect("a small board");
    let name = info.name;
    compare(&format!("astar({name})"), &mut AStar::new(domain, build(), AStarOptions::default()), domain, expected);
    compare(&format!("ibex({name})"), &mut Ibex::new(domain, build()), domain, expected);
    for (guide, memo) in
        [(HeuristicUse::Prune, Memo::Cleared), (HeuristicUse::Both, Memo::Kept), (HeuristicUse::Order, Memo::Cleared)]
    {
        let mut search = IterativeDeepening::new(domain, Some(build()), deepening(guide, memo));
        compare(&format!("ida({name}, {guide:?}, {memo:?})"), &mut search, domain, expected);
    }
}

fn agree(board: &Board, metric: Metric) {
    let all_states = component(board, metric, 20 * MAX_STATES).expect("few states");
    let expected = reference::assert_agrees(&mut Solver::new(), board, metric, &all_states).0.distance;
    let domain = Rush::new(board, metric).expect("at most 128 vehicles");
    compare("bfs", &mut Bfs::new(&domain), &domain, expected);
    for memo in [Memo::Cleared, Memo::Kept] {
        let mut search = IterativeDeepening::new(&domain, None::<Zero>, deepening(HeuristicUse::default(), memo));
        compare("id", &mut search, &domain, expected);
    }
    for info in ALL.iter().filter(|info| info.admissible.in_metric(metric)) {
        with_heuristic(info, &domain, expected);
    }
}

fn boards_to_try() -> u32 {
    std::env::var("CLEARWAY_BOARDS").map_or(24, |text| text.parse().expect("CLEARWAY_BOARDS is a number"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: boards_to_try(), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn optimal_searches_agree_with_the_exact_solver(board in crowded(4..=8, MAX_STATES)) {
        agree(&board, Metric::Moves);
        agree(&board, Metric::Steps);
    }
}
