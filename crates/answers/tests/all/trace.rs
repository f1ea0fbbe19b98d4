//! Tests of traces: counts equal those of the plain search, and successors are one move away.

use crate::common;
use clearway_answers::{Trace, TraceError, trace};
use clearway_lab::ConfiguredAlgorithm;
use clearway_lab::compare::Contestant;
use clearway_rush::{Board, Metric, Move, replay};
use clearway_search::{Limits, Verdict};
use std::collections::HashSet;

const ALGORITHMS: [&str; 22] = [
    "bfs",
    "bfs(tree, prune=post)",
    "bfs(tree, prune=pre, early)",
    "bfs(tree, early, depth=4)",
    "bfs(tree, depth=4)",
    "dfs",
    "dfs(depth=4)",
    "hybrid(cutoff=2, depth=4)",
    "hybrid(cutoff=0, depth=3)",
    "astar(blockers)",
    "astar(h1, reopen=no, shortcut=yes)",
    "wastar(h1, weight=3)",
    "greedy(h1)",
    "greedy(policy=hand)",
    "id",
    "id(increment=5, memo=kept)",
    "ida(h1)",
    "ida(h1, order)",
    "ida(policy=hand, both)",
    "ibex(blockers)",
    "beam(h1, width=5)",
    "random-walk(seed=3, steps=100)",
];

fn trace_of(board: &Board, text: &str, metric: Metric, max: u64) -> Trace {
    let contestant = Contestant { label: text.to_owned(), algorithm: text.parse().unwrap() };
    trace(board, &contestant, metric, max, &Limits::default()).unwrap()
}

fn board_of(board: &Board, positions: &str) -> Board {
    let positions: Vec<u8> = positions.chars().map(|digit| digit.to_digit(36).unwrap() as u8).collect();
    board.with_positions(&positions).unwrap()
}

/// Positions of all boards that are one move away.
fn neighbours(board: &Board, metric: Metric) -> HashSet<String> {
    let moves = board.legal_moves().into_iter().filter(|mv| metric == Metric::Moves || mv.cells.abs() == 1);
    let after = moves.map(|mv| {
        let mut after = board.clone();
        after.apply(mv).unwrap();
        after.vehicles().iter().map(|v| char::from_digit(v.position().into(), 36).unwrap()).collect()
    });
    after.collect()
}

#[test]
fn the_trace_of_every_algorithm_matches_the_plain_search() {
    let mut solved = 0;
    for board in common::random_boards(36).iter().chain(&common::cards(20)) {
        for text in ALGORITHMS {
            for metric in [Metric::Moves, Metric::Steps] {
                let trace = trace_of(board, text, metric, 300);
                let algorithm: ConfiguredAlgorithm = text.parse().unwrap();
                let limits = Limits { nodes: Some(300), ..Limits::default() };
                let plain =
                    algorithm.solve(board, metric, &limits, &clearway_rush::heuristics::HeuristicContext::default());
                // Tracing does not change the counts.
                assert_eq!(trace.expansions.len() as u64, trace.statistics.expanded, "{text} {}", trace.board);
                let statistics = plain.statistics;
                assert_eq!(
                    (trace.statistics.expanded, trace.statistics.generated),
                    (statistics.expanded, statistics.generated),
                    "{text}"
                );
                assert_eq!(
                    (trace.statistics.evaluated, trace.statistics.duplicates),
                    (statistics.evaluated, statistics.duplicates),
                    "{text}"
                );
                assert_eq!((trace.status, trace.canonical), (plain.verdict.as_str(), algorithm.to_string()));
                let moves: Option<Vec<String>> =
                    plain.solution.map(|solution| solution.0.iter().map(Move::to_string).collect());
                assert_eq!(trace.solution, moves, "{text}");
                assert_eq!(trace.cut, plain.verdict != Verdict::Solved && trace.limit == Some("nodes"), "{text}");
                solved += usize::from(trace.status == "solved");
                let mut known: HashSet<&str> = HashSet::new();
                for (at, expansion) in trace.expansions.iter().enumerate() {
                    // Only the start and states generated before are expanded.
                    assert!(
                        at == 0 || known.contains(expansion.state.as_str()) || {
                            expansion.state == trace.expansions[0].state
                        }
                    );
                    let legal = neighbours(&board_of(board, &expansion.state), metric);
                    assert!(expansion.found.iter().all(|found| legal.contains(found)), "{text}");
                    known.extend(expansion.found.iter().map(String::as_str));
                }
            }
        }
    }
    assert!(solved > 300, "{solved}");
}

#[test]
fn searches_over_states_generate_all_successors() {
    for board in common::cards(13) {
        for text in ["bfs", "dfs", "astar(h1)", "greedy(h1)"] {
            let trace = trace_of(&board, text, Metric::Moves, 500);
            let generated: usize = trace.expansions.iter().map(|expansion| expansion.found.len()).sum();
            assert_eq!(generated as u64 + 1, trace.statistics.generated, "{text}: with the start");
            let all = |positions: &str| neighbours(&board_of(&board, positions), Metric::Moves);
            assert!(
                trace.expansions.iter().all(|one| one.found.iter().cloned().collect::<HashSet<_>>() == all(&one.state))
            );
        }
        // A search over paths skips redundant moves.
        for text in ["bfs(tree)", "bfs(tree, prune=pre)", "bfs(tree, prune=post, early)"] {
            let trace = trace_of(&board, text, Metric::Moves, 500);
            let generated: usize = trace.expansions.iter().map(|expansion| expansion.found.len()).sum();
            assert_eq!(generated as u64 + 1, trace.statistics.generated, "{text}: with the start");
        }
    }
}

#[test]
fn a_trace_reports_that_a_limit_stopped_it() {
    let card = &common::cards(1)[0];
    let cut = trace_of(card, "bfs", Metric::Moves, 10);
    assert_eq!((cut.cut, cut.status, cut.limit, cut.expansions.len()), (true, "limit", Some("nodes"), 10));
    let whole = trace_of(card, "bfs", Metric::Moves, 2_000);
    assert_eq!((whole.cut, whole.status), (false, "solved"));
    assert_eq!(whole.expansions[..10], cut.expansions);
    let moves: Vec<Move> = whole.solution.unwrap().iter().map(|text| text.parse().unwrap()).collect();
    assert!(moves.len() == 8 && replay(card, &moves).unwrap().solved);
    let gave_up = trace_of(card, "random-walk(steps=5)", Metric::Moves, 2_000);
    assert_eq!((gave_up.cut, gave_up.limit, gave_up.expansions.len()), (false, Some("incomplete"), 5));
}

#[test]
fn solvers_cannot_be_traced() {
    for name in ["exact", "portfolio", "layers"] {
        let solver = Contestant { label: name.to_owned(), algorithm: name.parse().unwrap() };
        let result = trace(&common::cards(1)[0], &solver, Metric::Moves, 10, &Limits::default());
        assert_eq!(result, Err(TraceError::NotTraceable { name }));
        assert!(result.unwrap_err().to_string().starts_with(&format!("{name} is a solver")));
    }
}
