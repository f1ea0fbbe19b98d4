//! The cost of searches guided by policies, on one thread: with and without the table that caches values of states, and with and
//! without the final shortcut.

use clearway_benches::measure::Clock;
use clearway_benches::report;
use clearway_policy::{Policy, PolicyHeuristic};
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, RushDomain};
use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::deepening::{DeepeningOptions, IterativeDeepening};
use clearway_search::{Limits, Search, SearchStatistics, run};
use std::time::Duration;

const ROUNDS: usize = 5;
/// Size of the table in bytes, as in the laboratory.
const CACHE: usize = 16 << 20;
/// Policies from cheap to expensive; the value of the first depends on the state alone.
const POLICIES: [(&str, &str); 4] = [
    ("h1", "DEFAULT 2*h1"),
    ("plan", "DEFAULT 2*relaxed-plan + 0.3*displacement"),
    ("phases", "IF phase-by-blockers <= 0.3 THEN 2*relaxed-plan + 0.3*displacement DEFAULT 2*h1"),
    (
        "many",
        "IF g <= 0.1 AND relaxed-turns >= 0.1 THEN 1.5*relaxed-plan + 0.2*relaxed-cells
         IF phase-by-distance >= 0.6 THEN h1 + landmarks
         DEFAULT 2*h1 + 0.3*relaxed-vehicles - 0.1*settled-displacement",
    ),
];

/// Search to measure.
#[derive(Clone, Copy)]
enum SearchKind {
    /// IDA* with pruning, an increment of 5, and a table of this number of bytes.
    IterativeDeepening(Option<usize>),
    /// Weighted A* without reopening.
    BestFirst { shortcut: bool },
}

const SEARCHES: [(&str, SearchKind); 4] = [
    ("ida", SearchKind::IterativeDeepening(None)),
    ("ida, table", SearchKind::IterativeDeepening(Some(CACHE))),
    ("wastar", SearchKind::BestFirst { shortcut: false }),
    ("wastar, shortcut", SearchKind::BestFirst { shortcut: true }),
];

fn main() {
    if !report::is_bench_run() {
        return;
    }
    println!("one thread, CPU time: median of {ROUNDS} rounds over all boards\n");
    println!(
        "{:<12} {:<8} {:<18} {:>10} {:>8} {:>9} {:>9}",
        "suite", "policy", "search", "nodes", "length", "seconds", "ns/node"
    );
    for suite in ["cards", "sample-8x8"] {
        let boards: Vec<Board> =
            Suite::find(suite).expect("the suite is embedded").puzzles().into_iter().map(|p| p.board).collect();
        for (name, text) in POLICIES {
            let policy: Policy = text.parse().expect("the policy is valid");
            for (search, kind) in SEARCHES {
                let mut rounds: Vec<(u64, usize, Duration)> =
                    (0..ROUNDS).map(|_| round(&boards, &policy, kind)).collect();
                assert!(rounds.iter().all(|round| round.0 == rounds[0].0), "the node count changed between rounds");
                rounds.sort_by_key(|round| round.2);
                let (nodes, length, time) = rounds[ROUNDS / 2];
                let seconds = time.as_secs_f64();
                let each = seconds * 1e9 / nodes as f64;
                println!("{suite:<12} {name:<8} {search:<18} {nodes:>10} {length:>8} {seconds:>9.4} {each:>9.0}");
            }
        }
    }
}

/// Searches all boards, and returns the total of nodes, lengths of solutions, and time.
fn round(boards: &[Board], policy: &Policy, kind: SearchKind) -> (u64, usize, Duration) {
    let mut sum = (0, 0, Duration::ZERO);
    for board in boards {
        let ((statistics, length), time) = Clock::Cpu.time(|| match board.vehicles().len() {
            0..=16 => search::<1>(board, policy, kind),
            _ => search::<2>(board, policy, kind),
        });
        sum = (sum.0 + statistics.expanded, sum.1 + length, sum.2 + time);
    }
    sum
}

fn search<const N: usize>(board: &Board, policy: &Policy, kind: SearchKind) -> (SearchStatistics, usize) {
    let domain = RushDomain::<N>::new(board, Metric::Moves).expect("the board is small");
    let heuristic =
        PolicyHeuristic::new(policy, &domain, &HeuristicContext::default()).expect("the policy needs no table");
    let mut search: Box<dyn Search<RushDomain<N>> + '_> = match kind {
        SearchKind::IterativeDeepening(cache) => {
            let heuristic = match cache {
                Some(bytes) => heuristic.with_cache(bytes),
                None => heuristic,
            };
            let options = DeepeningOptions { increment: 5, ..DeepeningOptions::default() };
            Box::new(IterativeDeepening::new(&domain, Some(heuristic), options))
        }
        SearchKind::BestFirst { shortcut } => {
            let options = AStarOptions { weight: 2.0, reopen: false, shortcut, ..AStarOptions::default() };
            Box::new(AStar::new(&domain, heuristic, options))
        }
    };
    let outcome = run(search.as_mut(), &Limits { nodes: Some(1_500_000), ..Limits::default() });
    (outcome.statistics, outcome.solution.map_or(0, |solution| solution.len()))
}
