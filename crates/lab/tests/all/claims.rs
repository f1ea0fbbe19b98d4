//! Tests of the claims of searches against the exact solver: random search expressions on random boards.
//!
//! Each case draws a board and four expressions, so `PROPTEST_CASES=50000` tests 200,000 expressions.

use crate::boards::boards_between;
use clearway_forge::rng::{self, Rng};
use clearway_lab::compare::{Comparison, ComparisonLog, Contestant, NamedBoard};
use clearway_lab::{ConfiguredAlgorithm, LabOutcome};
use clearway_policy::SHIPPED;
use clearway_rush::heuristics::{self, HeuristicContext};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Solver, formats};
use clearway_search::spec::{ALGORITHMS, AlgorithmInfo, OptionInfo, OptionKind};
use clearway_search::{Limit, Limits, Verdict};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::fmt::Write as _;

/// Node limit of searches without a tighter one: searches over paths might not end without.
const MANY_NODES: u64 = 60_000;
/// Number of states of a component in which searches over states run without limits.
const FEW_STATES: u64 = 3_000;

fn one_of<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    *all.choose(rng).unwrap()
}

/// Draws an expression over heuristics: names, numbers from tiny to huge, and all operators.
fn heuristic(rng: &mut Rng, depth: u32) -> String {
    let huge = format!("1{}", "0".repeat(308));
    let number = |rng: &mut Rng| {
        one_of(rng, &["0", "1", "0.3", "0.999", "2", "3.7", "100", "4000000000", huge.as_str()]).to_owned()
    };
    let inner = |rng: &mut Rng| heuristic(rng, depth.saturating_sub(1));
    match if depth == 0 { 0 } else { rng.random_range(0..12) } {
        0..=4 => one_of(rng, &heuristics::ALL.iter().map(|info| info.name).collect::<Vec<_>>()).to_owned(),
        5 => number(rng),
        6 => format!("{}*{}", number(rng), parenthesised(&inner(rng))),
        7 => format!("max({}, {})", inner(rng), inner(rng)),
        8 => format!("min({}, {})", inner(rng), inner(rng)),
        9 => format!("({} + {})", inner(rng), inner(rng)),
        10 => format!("({} - {})", inner(rng), parenthesised(&inner(rng))),
        _ => format!("if({} <= {}, {}, {})", inner(rng), inner(rng), inner(rng), inner(rng)),
    }
}

fn parenthesised(text: &str) -> String {
    format!("({text})")
}

/// Draws a value of an option: mostly small, sometimes at the ends of its range.
fn argument(rng: &mut Rng, info: &AlgorithmInfo, option: &OptionInfo) -> String {
    let name = option.name;
    let flip = rng.random_bool(0.5);
    match option.kind {
        OptionKind::Flag => name.to_owned(),
        OptionKind::YesNo => format!("{name}={}", if flip { "yes" } else { "no" }),
        // The length of a random walk is limited only by its options.
        OptionKind::Integer(..) if info.name == "random-walk" => format!("{name}={}", rng.random_range(1..3000)),
        OptionKind::Integer(least, most) => match rng.random_range(0..10) {
            0 => format!("{name}={least}"),
            1 => format!("{name}={most}"),
            _ => format!("{name}={}", rng.random_range(least..=most.min(least + 11))),
        },
        OptionKind::Real(least, most) => match rng.random_range(0..10) {
            0 => format!("{name}={least}"),
            1 => format!("{name}={most}"),
            _ => format!("{name}={:.2}", least + rng.random_range(0.0..3.0)),
        },
        OptionKind::Word(words) => format!("{name}={}", one_of(rng, words)),
        OptionKind::BareWord(words) => one_of(rng, words).to_owned(),
        kind => unimplemented!("a random value of {kind:?}"),
    }
}

/// Draws a search: an algorithm with some of its options, and a heuristic if it takes one.
fn expression(rng: &mut Rng) -> String {
    let info = one_of(rng, ALGORITHMS);
    let mut arguments = Vec::new();
    if info.guided {
        let policies: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.name).collect();
        arguments.push(match rng.random_range(0..5) {
            0 => format!("policy={}", one_of(rng, &policies)),
            // Searches with admissible heuristics claim the most.
            1 | 2 => one_of(
                rng,
                &["blockers", "two-level", "landmarks", "pdb", "perfect", "distance-blockers", "0.7*landmarks", "zero"],
            )
            .to_owned(),
            _ => heuristic(rng, 3),
        });
    }
    let is_option = |name: &&str| info.option(name).is_some();
    arguments.extend(info.selector.filter(|name| !is_option(name)).map(str::to_owned));
    for option in info.options {
        if info.selector == Some(option.name) || rng.random_bool(0.5) {
            arguments.push(argument(rng, info, option));
        }
    }
    format!("{}({})", info.name, arguments.join(", "))
}

/// Draws a search, without those whose numbers have a product that is too large for an expression.
fn valid_expression(rng: &mut Rng) -> String {
    loop {
        let text = expression(rng);
        match text.parse::<ConfiguredAlgorithm>() {
            Err(error) if error.message == "the number is too large" => {}
            _ => return text,
        }
    }
}

/// Returns whether a search ends soon without limits: it expands every state once, or again only along a shorter path, and there
/// are few states.
fn ends_soon(text: &str, board: &Board) -> bool {
    let searches_states = text.parse::<ConfiguredAlgorithm>().is_ok_and(|algorithm| {
        use clearway_search::spec::Algorithm::{AStar, Beam, Bfs, Exact, GraphDfs, WeightedAStar};
        matches!(algorithm.spec(), AStar(_) | Beam(_) | Bfs(_) | Exact | GraphDfs(_) | WeightedAStar(_))
    });
    let within = Limits { nodes: Some(FEW_STATES), ..Limits::default() };
    searches_states && {
        let component = Solver::new().analyze(board, Metric::Moves, &within);
        component.limit.is_none() && component.states <= FEW_STATES
    }
}

/// Draws the limits of a search: none if it ends soon without, otherwise often tight ones.
fn limits(rng: &mut Rng, text: &str, board: &Board) -> Limits {
    let nodes = match rng.random_range(0..6) {
        0 => rng.random_range(1..20),
        1 => rng.random_range(20..500),
        2 => rng.random_range(500..5_000),
        3 if ends_soon(text, board) => return Limits::default(),
        _ => MANY_NODES,
    };
    let memory = if rng.random_bool(0.1) { rng.random_range(1 << 12..1 << 20) } else { 64 << 20 };
    Limits { nodes: Some(nodes), memory: Some(memory), ..Limits::default() }
}

/// Checks all claims of a search.
fn check(text: &str, board: &Board, metric: Metric, limits: &Limits) -> TestCaseResult {
    let shown = || format!("{text} on {} in {} with {limits:?}", formats::line(board), metric.as_str());
    let algorithm: ConfiguredAlgorithm =
        text.parse().map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
    let reread = algorithm.to_string().parse::<ConfiguredAlgorithm>();
    prop_assert_eq!(reread.as_ref(), Ok(&algorithm), "{}", text);
    let outcome = algorithm.solve(board, metric, limits, &HeuristicContext::default());
    let LabOutcome { verdict, lower_bound, statistics, .. } = outcome;
    let length = outcome.solution.as_ref().map(|solution| solution.length(metric));
    let is_solved = verdict == Verdict::Solved;
    prop_assert!(!is_solved || length.is_some(), "{}", shown());
    prop_assert!(statistics.expanded <= statistics.generated, "{statistics:?}: {}", shown());
    // No board of 8x8 has 256 moves.
    prop_assert!(statistics.peak_open <= 1 + 256 * statistics.expanded, "{statistics:?}: {}", shown());
    prop_assert!(limits.nodes.is_none_or(|nodes| statistics.expanded <= nodes), "{statistics:?}: {}", shown());
    let is_limited = limits.nodes.is_some() || limits.memory.is_some();
    let is_stopped = matches!(verdict, Verdict::Limit(limit) if limit != Limit::Incomplete);
    prop_assert!(is_limited || !is_stopped, "stopped without a limit: {}", shown());
    prop_assert!(length.is_none_or(|length| lower_bound <= length), "{lower_bound} > {length:?}: {}", shown());
    let admissible = algorithm.is_admissible(metric);
    let claims = algorithm.spec().claims();
    let gave_up = verdict == Verdict::Limit(Limit::Incomplete);
    prop_assert!(!(gave_up && claims.complete.holds(admissible)), "gave up: {}", shown());
    if is_solved && claims.optimal.holds(admissible) {
        prop_assert_eq!(Some(lower_bound), length, "an optimal search proves its length: {}", shown());
    }
    let exact = Solver::new().solve(board, metric, &Limits { nodes: Some(300_000), ..Limits::default() });
    match exact.verdict {
        Verdict::Solved => {
            let optimum = exact.lower_bound;
            prop_assert!(verdict != Verdict::Unsolvable, "solvable in {optimum}: {}", shown());
            prop_assert!(lower_bound <= optimum, "bound {lower_bound}, optimum {optimum}: {}", shown());
            prop_assert!(length.is_none_or(|length| length >= optimum), "{length:?} < {optimum}: {}", shown());
        }
        Verdict::Unsolvable => prop_assert!(length.is_none(), "unsolvable: {}", shown()),
        Verdict::Limit(_) => {
            prop_assert!(length.is_none_or(|length| length >= exact.lower_bound), "{length:?}: {}", shown());
        }
    }
    Ok(())
}

/// Returns the records of all searches on all boards, without times.
fn compared(texts: &[String], boards: &[Board], metric: Metric, limits: &Limits, threads: usize) -> String {
    let contestant = |text: &String| Contestant { label: text.clone(), algorithm: text.parse().unwrap() };
    let entry = |board: &Board| NamedBoard { name: None, board: board.clone() };
    // The share of memory, and with it the peak, depends on the number of threads.
    let limits = Limits { memory: None, ..limits.clone() };
    let comparison = Comparison {
        boards: boards.iter().map(entry).collect(),
        algorithms: texts.iter().map(contestant).collect(),
        metric,
        limits,
        threads,
    };
    let mut found = String::new();
    let take = |mut record: clearway_lab::compare::ComparisonRecord| {
        record.seconds = 0.0;
        let _ = writeln!(found, "{record:?}");
        Ok(())
    };
    comparison.run(&mut ComparisonLog::default(), |_| {}, take).unwrap();
    found
}

fn small_suite_board(rng: &mut Rng) -> Board {
    let suite =
        Suite::find(one_of(rng, &["cards", "walls", "test-6x6", "test-8x8", "traffic-jam", "vandijk"])).unwrap();
    suite.puzzles().choose(rng).unwrap().board.clone()
}

proptest! {
    #[test]
    fn all_claims_of_searches_are_true(random in boards_between(4, 8), seed in any::<u64>()) {
        let rng = &mut rng::stream(seed, 0);
        let board = if rng.random_bool(0.3) { small_suite_board(rng) } else { random };
        let metric = one_of(rng, &[Metric::Moves, Metric::Steps]);
        let texts: Vec<String> = (0..4).map(|_| valid_expression(rng)).collect();
        for text in &texts {
            check(text, &board, metric, &limits(rng, text, &board))?;
        }
        if rng.random_bool(0.05) {
            let limits = Limits { nodes: Some(2_000), ..Limits::default() };
            let boards = [board, small_suite_board(rng)];
            let [one, many] = [1, 3].map(|threads| compared(&texts, &boards, metric, &limits, threads));
            prop_assert_eq!(one, many, "the same on any number of threads");
        }
    }
}

fn solve(text: &str, board: &Board, nodes: u64) -> LabOutcome {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    text.parse::<ConfiguredAlgorithm>().unwrap().solve(board, Metric::Moves, &limits, &HeuristicContext::default())
}

#[test]
fn a_stopped_search_returns_its_proven_lower_bound() {
    let board = Suite::find("course").unwrap().puzzles().into_iter().find(|one| one.name.as_deref() == Some("9x9_4"));
    let board = board.unwrap().board;
    // The perfect heuristic of the start is the optimum.
    let hardest = &Suite::find("cards").unwrap().puzzles()[39].board;
    let outcome = solve("astar(perfect)", hardest, 10);
    assert_eq!((outcome.verdict, outcome.lower_bound), (Verdict::Limit(Limit::Nodes), 51));
    for (text, least) in [
        ("astar(landmarks)", 14),
        ("wastar(landmarks, weight=3)", 8),
        ("greedy(landmarks)", 8),
        ("ida(pdb)", 8),
        ("ida(landmarks, both)", 8),
        ("ida(h1, order)", 4),
        ("id(increment=3)", 4),
        ("ibex(landmarks)", 8),
        ("bfs", 6),
        ("bfs(tree, early)", 4),
        ("hybrid(cutoff=3)", 4),
        ("beam(h1, width=1000000)", 6),
    ] {
        let outcome = solve(text, &board, 3_000);
        assert!((least..=27).contains(&outcome.lower_bound), "{text}: {}", outcome.lower_bound);
    }
    // Inadmissible heuristics and searches without reopening prove nothing.
    for text in ["astar(h1)", "ida(h1)", "ibex(h1)", "astar(h2, reopen=no)", "dfs", "greedy(policy=hand)"] {
        assert!(solve(text, &board, 1_000).lower_bound <= 1, "{text}");
    }
}

#[test]
fn numbers_that_overflow_prove_nothing() {
    let board = formats::read_one("4x4:...BAA.B........", None).unwrap().board;
    let huge = format!("1{}", "0".repeat(308));
    for text in [format!("astar({huge}*mobility)"), format!("astar({huge}*mobility - {huge}*mobility)")] {
        assert_eq!(solve(&text, &board, 10_000).verdict, Verdict::Solved, "{text}");
    }
}

#[test]
fn a_path_dependent_heuristic_may_readmit_a_dead_end() {
    let board = formats::read_one("..FF.CED...CEDBB.CG.....G.AA..G.HHHH@left", None).unwrap().board;
    let other = formats::read_one("6x6:CBB.EECAA...D.....D.....D...........@left:1", None).unwrap().board;
    let h = "mobility + if(is-move-to-secluded <= 0*(phase-by-blockers), \
        if(relaxed-cells <= is-releasing-move, relaxed-vehicles, phase-by-blockers), \
        if(relaxed-turns <= g, landmarks, number-of-siblings))";
    for board in [board, other] {
        let outcome = solve(&format!("astar({h})"), &board, 60_000);
        assert!(outcome.statistics.peak_open <= outcome.statistics.generated, "{:?}", outcome.statistics);
    }
}
