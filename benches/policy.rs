//! The cost of searches that a policy guides, on one thread: with and without the table in which it keeps what it knows of
//! states, and with and without the shortcut at the end.

use clearway_benches::measure::Clock;
use clearway_benches::report;
use clearway_policy::{Policy, PolicyHeuristic};
use clearway_rush::heuristics::Context;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, RushDomain};
use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::deepening::{Deepening, DeepeningOptions};
use clearway_search::{Counters, Limits, Search, run};
use std::time::Duration;

const ROUNDS: usize = 5;
/// The bytes of the table in the laboratory.
const CACHE: usize = 16 << 20;
/// Policies from cheap to dear; the value of the first depends on the state alone.
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

/// A search and how it is made.
#[derive(Clone, Copy)]
enum Way {
    /// IDA* that prunes, with the increment 5, and a table of so many bytes.
    Deepening(Option<usize>),
    /// Weighted A* without reopening.
    BestFirst { shortcut: bool },
}

const WAYS: [(&str, Way); 4] = [
    ("ida", Way::Deepening(None)),
    ("ida, table", Way::Deepening(Some(CACHE))),
    ("wastar", Way::BestFirst { shortcut: false }),
    ("wastar, shortcut", Way::BestFirst { shortcut: true }),
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
            let policy: Policy = text.parse().expect("it is a policy");
            for (search, way) in WAYS {
                let mut rounds: Vec<(u64, usize, Duration)> =
                    (0..ROUNDS).map(|_| round(&boards, &policy, way)).collect();
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

/// Searches all boards: the nodes, the lengths of the solutions and the time.
fn round(boards: &[Board], policy: &Policy, way: Way) -> (u64, usize, Duration) {
    let mut sum = (0, 0, Duration::ZERO);
    for board in boards {
        let ((counters, length), time) = Clock::Cpu.time(|| match board.vehicles().len() {
            0..=16 => search::<1>(board, policy, way),
            _ => search::<2>(board, policy, way),
        });
        sum = (sum.0 + counters.expanded, sum.1 + length, sum.2 + time);
    }
    sum
}

fn search<const N: usize>(board: &Board, policy: &Policy, way: Way) -> (Counters, usize) {
    let domain = RushDomain::<N>::new(board, Metric::Moves).expect("the board is small");
    let heuristic = PolicyHeuristic::new(policy, &domain, &Context::default()).expect("it needs no table of states");
    let mut search: Box<dyn Search<RushDomain<N>> + '_> = match way {
        Way::Deepening(cache) => {
            let heuristic = match cache {
                Some(bytes) => heuristic.with_cache(bytes),
                None => heuristic,
            };
            let options = DeepeningOptions { increment: 5, ..DeepeningOptions::default() };
            Box::new(Deepening::new(&domain, Some(heuristic), options))
        }
        Way::BestFirst { shortcut } => {
            let options = AStarOptions { weight: 2.0, greedy: false, reopen: false, shortcut };
            Box::new(AStar::new(&domain, heuristic, options))
        }
    };
    let outcome = run(search.as_mut(), &Limits { nodes: Some(1_500_000), ..Limits::default() });
    (outcome.counters, outcome.solution.map_or(0, |solution| solution.len()))
}
