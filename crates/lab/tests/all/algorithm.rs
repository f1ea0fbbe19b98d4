//! Tests of algorithm expressions: parsing, printing, errors, and every algorithm on a few boards.

use clearway_lab::ConfiguredAlgorithm;
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::{self, Suite};
use clearway_rush::{Board, Metric, formats};
use clearway_search::spec::ALGORITHMS;
use clearway_search::{Limit, Limits, Verdict};
use std::time::Duration;

fn parse(text: &str) -> ConfiguredAlgorithm {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error_of(text: &str) -> String {
    text.parse::<ConfiguredAlgorithm>().expect_err(text).to_string()
}

fn card(number: usize) -> Board {
    Suite::find("cards").unwrap().puzzles()[number - 1].board.clone()
}

#[test]
fn expressions_print_canonically_and_parse_back() {
    for (text, expected) in [
        ("bfs", "bfs"),
        ("BFS()", "bfs"),
        ("exact", "exact"),
        ("bfs(tree, early, prune=post)", "bfs(tree, early, prune=post)"),
        ("bfs( prune = pre , tree )", "bfs(tree, prune=pre)"),
        ("bfs(tree, depth=7, prune=none)", "bfs(tree, depth=7)"),
        ("dfs", "dfs"),
        ("dfs(depth=20)", "dfs(depth=20)"),
        ("hybrid(cutoff=6)", "hybrid(cutoff=6, depth=20)"),
        ("astar(blockers)", "astar(blockers)"),
        ("astar(max(blockers, 2*h1))", "astar(max(blockers, 2*blockers-lower-bound))"),
        ("astar(h1, reopen=no)", "astar(blockers-lower-bound, reopen=no)"),
        ("greedy(h1, shortcut=yes, reopen=yes)", "greedy(blockers-lower-bound, shortcut=yes)"),
        ("wastar(h1, weight=3)", "wastar(blockers-lower-bound, weight=3)"),
        ("wastar(weight=0.5, h1)", "wastar(blockers-lower-bound, weight=0.5)"),
        ("greedy(h1)", "greedy(blockers-lower-bound)"),
        ("id", "id(increment=1)"),
        ("id(increment=5, memo=kept)", "id(increment=5, memo=kept)"),
        (
            "ida(h1, shortcut=yes, reopen=no, growth=1.5)",
            "ida(blockers-lower-bound, prune, increment=1, growth=1.5, reopen=no, shortcut=yes)",
        ),
        ("id(growth=1, reopen=yes)", "id(increment=1)"),
        ("id(shortcut=no)", "id(increment=1)"),
        ("ida(h1, prune, increment=5, memo=kept)", "ida(blockers-lower-bound, prune, increment=5, memo=kept)"),
        ("ida(h2)", "ida(goal-distance, prune, increment=1)"),
        ("ida(order, h3)", "ida(hybrid, order, increment=1)"),
        ("ida(hybrid, both)", "ida(hybrid, both, increment=1)"),
        ("ibex(landmarks)", "ibex(landmarks)"),
        ("beam(h1, width=7)", "beam(blockers-lower-bound, width=7)"),
        ("random-walk(seed=3)", "random-walk(seed=3, steps=1000000)"),
        ("random-walk(steps=1_000)", "random-walk(seed=1, steps=1000)"),
    ] {
        assert_eq!(parse(text).to_string(), expected);
        assert_eq!(parse(expected), parse(text));
    }
}

#[test]
fn errors_describe_the_fault_and_its_position() {
    let unknown = error_of("astra(h1)");
    assert!(
        unknown.starts_with(
            "unknown algorithm 'astra'; did you mean 'astar'? expected one of exact, portfolio, layers, bfs, dfs, "
        ),
        "{unknown}"
    );
    assert!(unknown.ends_with("\n  astra(h1)\n  ^"), "{unknown}");
    assert_eq!(
        error_of("astar(blokcers)"),
        "unknown heuristic 'blokcers'; did you mean 'blockers'?\n  astar(blokcers)\n        ^"
    );
    assert_eq!(
        error_of("astar(h1, weight=3)"),
        "astar has no option 'weight'; it is an option of wastar; astar takes HEURISTIC|policy=FILE, reopen=yes|no, \
         shortcut=yes|no, ties=h|first|last, order=standard|it3105|traffic-jam, deferred=yes|no, preferred=yes|no, novelty=N, ranked=yes|no, neighbourhood=N\n  astar(h1, weight=3)\n            ^"
    );
    for (text, expected) in [
        ("", "missing algorithm; expected one of exact, portfolio, layers, bfs"),
        ("h1", "'h1' is a heuristic, not an algorithm; an algorithm that uses it is astar(blockers-lower-bound)"),
        ("bfs(blockers)", "bfs takes no heuristic"),
        ("id(h1)", "id takes no heuristic"),
        ("astar", "astar needs a heuristic, as in astar(blockers)"),
        ("astar()", "astar needs a heuristic"),
        ("astar(h1, h2)", "only one heuristic is allowed; combine several with max(a, b)"),
        ("bfs(early)", "bfs has no option 'early'; it is an option of bfs(tree)"),
        ("bfs(prune=pre)", "it is an option of bfs(tree)"),
        ("bfs(tree, prune=maybe)", "invalid prune 'maybe'; expected one of none, pre, post"),
        ("bfs(tree, prune)", "missing value; expected prune=none|pre|post"),
        ("bfs(tree, tree)", "tree is given twice"),
        ("bfs(tree=yes)", "bfs has no option 'tree'"),
        ("bfs(tree, early=yes)", "early takes no value"),
        ("bfs(tree,)", "missing argument"),
        ("bfs(tree", "missing ')'"),
        ("bfs tree", "unexpected character; expected '(' or the end"),
        ("bfs(", "missing ')'"),
        ("dfs(depth=0)", "invalid depth '0'; expected an integer from 1"),
        ("dfs(depth=-1)", "invalid depth '-1'; expected an integer from 1"),
        ("dfs(depth)", "missing value; expected depth=N"),
        ("hybrid(dephts=3)", "did you mean 'depth'?"),
        ("exact(tree)", "exact has no option 'tree'; exact takes no arguments"),
        ("wastar(h1, weight=-1)", "invalid weight '-1'; expected a number from 0 to 1000000"),
        ("wastar(h1, weight=nan)", "invalid weight 'nan'"),
        ("wastar(h1, weight=inf)", "invalid weight 'inf'"),
        ("ida(h1, order, prune)", "only one of order|prune|both is allowed"),
        ("ida(h1, increment=0)", "invalid increment '0'; expected an integer from 1"),
        ("ida(h1, memo=lost)", "invalid memo 'lost'; expected one of cleared, kept"),
        ("ida(h1, order, reopn)", "(or did you mean the option 'reopen'?)"),
        ("beam(h1, width=99999999999)", "invalid width '99999999999'; expected an integer from 1 to 4294967295"),
        ("quux", "unknown algorithm 'quux'; expected one of exact"),
    ] {
        let found = error_of(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn very_long_expressions_are_rejected_quickly() {
    for text in ["(".repeat(100_000), "bfs(".repeat(50_000), format!("astar({})", "(".repeat(4000)), "x".repeat(5000)] {
        assert!(error_of(&text).len() < 1000);
    }
}

#[test]
fn every_algorithm_solves_a_board_and_optimal_ones_find_the_optimum() {
    let context = HeuristicContext::default();
    for info in ALGORITHMS {
        let algorithm = parse(info.example);
        for metric in [Metric::Moves, Metric::Steps] {
            let board = formats::read_one("..B.....B.CC..AAD.....D.EEEFF.......", None).unwrap().board;
            let limits = Limits { nodes: Some(400_000), ..Limits::default() };
            let outcome = algorithm.solve(&board, metric, &limits, &context);
            if matches!(outcome.verdict, Verdict::Limit(_)) {
                assert!(["bfs", "dfs", "hybrid"].contains(&info.name) && metric == Metric::Steps, "{algorithm}");
                continue;
            }
            let solution = outcome.solution.unwrap();
            let (length, optimum) =
                if metric == Metric::Moves { (solution.moves(), 6) } else { (solution.steps(), 16) };
            assert!(length >= optimum, "{algorithm}");
            assert!(
                !algorithm.is_optimal(metric) || length == optimum,
                "{algorithm} found {length} {}",
                metric.as_str()
            );
        }
    }
}

#[test]
fn anytime_solvers_stop_as_their_options_say() {
    let puzzles = Suite::find("course").unwrap().puzzles();
    let board = &puzzles.iter().find(|puzzle| puzzle.name.as_deref() == Some("12x12_7")).unwrap().board;
    for (text, factor) in [
        ("portfolio(first)", None),
        ("layers(first)", None),
        ("portfolio(within=1.5)", Some(1.5)),
        ("layers(within=1.5)", Some(1.5)),
    ] {
        let outcome = parse(text).solve(board, Metric::Moves, &Limits::default(), &HeuristicContext::default());
        let (moves, bound) = (outcome.solution.expect("a plan").moves(), outcome.lower_bound);
        assert_eq!(outcome.verdict, Verdict::Solved, "{text}");
        assert!(bound < moves, "{text} goes on until {moves} moves are proven optimal");
        assert!(factor.is_none_or(|factor| f64::from(moves) <= factor * f64::from(bound)), "{text}: {moves}, {bound}");
    }
}

#[test]
fn optimality_depends_on_the_heuristic_and_the_options() {
    for (text, moves, steps) in [
        ("astar(blockers)", true, true),
        ("astar(distance-blockers)", false, true),
        ("astar(h1)", false, false),
        ("astar(blockers, reopen=no)", false, false),
        ("wastar(blockers, weight=1)", true, true),
        ("wastar(blockers, weight=1.5)", false, false),
        ("greedy(blockers)", false, false),
        ("id", true, true),
        ("id(increment=2)", false, false),
        ("ida(h1, order)", true, true),
        ("ida(h1, prune)", false, false),
        ("ibex(two-level)", true, true),
        ("beam(blockers)", false, false),
        ("dfs", false, false),
        ("dfs(depth=9)", true, true),
        ("id(growth=2)", false, false),
        ("id(reopen=no)", false, false),
        ("ida(h1, order, reopen=no)", false, false),
        ("ida(blockers)", true, true),
        ("ida(blockers, growth=1.5)", false, false),
        ("ida(distance-blockers, both)", false, true),
    ] {
        assert_eq!(
            [Metric::Moves, Metric::Steps].map(|metric| parse(text).is_optimal(metric)),
            [moves, steps],
            "{text}"
        );
    }
}

#[test]
fn iterative_deepening_has_the_node_limit_of_its_paper_by_default() {
    let board = Suite::find("servais").unwrap().puzzles().remove(0).board;
    let run = |limits: &Limits| parse("id").solve(&board, Metric::Moves, limits, &HeuristicContext::default());
    let outcome = run(&Limits::default());
    assert_eq!((outcome.verdict, outcome.statistics.expanded), (Verdict::Limit(Limit::Nodes), 1_500_000));
    let outcome = run(&Limits { nodes: Some(1000), ..Limits::default() });
    assert_eq!((outcome.verdict, outcome.statistics.expanded), (Verdict::Limit(Limit::Nodes), 1000));
}

#[test]
fn a_table_that_exceeds_a_limit_stops_the_search_with_a_note() {
    let limits = Limits { memory: Some(1000), ..Limits::default() };
    let outcome = parse("astar(perfect)").solve(&card(40), Metric::Moves, &limits, &HeuristicContext::default());
    assert_eq!(outcome.verdict, Verdict::Limit(Limit::Memory));
    assert!(outcome.note.unwrap().contains("perfect needs a table"));
    assert_eq!(outcome.lower_bound, 1, "the board is not solved");
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let outcome = parse("bfs").solve(&card(40), Metric::Moves, &limits, &HeuristicContext::default());
    assert_eq!(outcome.verdict, Verdict::Limit(Limit::Time));
}

#[test]
fn boards_with_many_vehicles_are_solved() {
    let course = Suite::find("course").unwrap().puzzles();
    let nine = course.iter().find(|puzzle| puzzle.name.as_deref() == Some("9x9_4")).unwrap();
    assert!(nine.board.vehicles().len() > 16);
    let outcome =
        parse("astar(landmarks)").solve(&nine.board, Metric::Moves, &Limits::default(), &HeuristicContext::default());
    assert_eq!(outcome.solution.unwrap().moves(), 27);
    let twelve = &course[6].board;
    assert!(twelve.vehicles().len() > 32);
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let outcome = parse("greedy(blockers)").solve(twelve, Metric::Moves, &limits, &HeuristicContext::default());
    assert_eq!(outcome.statistics.expanded, 100);
}

#[test]
fn iterative_deepening_expands_the_nodes_given_in_the_suites() {
    let plain = parse("id(increment=5)");
    let mut counted = 0;
    for suite in suites::all().iter().filter(|suite| suite.text().contains("steps\tnodes\n")) {
        let rows = suite.text().lines().filter(|line| !line.starts_with('#'));
        for (row, puzzle) in rows.zip(suite.puzzles()) {
            let expected: u64 = row.split('\t').nth(6).unwrap().parse().unwrap();
            if expected <= 40_000 {
                let outcome =
                    plain.solve(&puzzle.board, Metric::Moves, &Limits::default(), &HeuristicContext::default());
                assert_eq!(outcome.statistics.expanded, expected, "{} of {}", puzzle.name.unwrap(), suite.name);
                counted += 1;
            }
        }
    }
    assert!(counted > 150, "{counted} of 398 boards");
}
