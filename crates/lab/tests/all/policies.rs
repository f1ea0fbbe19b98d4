//! Tests of algorithms that a policy guides: parsing, printing, errors and solutions.

use clearway_lab::compare::{Comparison, ComparisonLog, Contestant, NamedBoard};
use clearway_lab::{ConfiguredAlgorithm, Estimator};
use clearway_policy::{FiringCounts, NamedPolicy};
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Solver, formats};
use clearway_search::spec::HeuristicSpec;
use clearway_search::{Limit, Limits, SearchStatistics, Verdict};
use std::path::Path;
use std::sync::Arc;

const POLICY: &str = "IF is-releasing-move AND phase-by-blockers <= 0.3 THEN 2*h1 + 0.4*relaxed-plan
IF displacement >= 0.3 OR g <= 0.1 THEN 1.7*(h1 + 3)
DEFAULT 2*relaxed-plan";

fn named(text: &str) -> NamedPolicy {
    NamedPolicy { name: "test".to_owned(), policy: Arc::new(text.parse().unwrap()) }
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn error_of(text: &str) -> String {
    text.parse::<ConfiguredAlgorithm>().expect_err(text).to_string()
}

/// Boards from every tenth state of random walks over the cards.
fn boards() -> Vec<Board> {
    let mut boards = Vec::new();
    for (number, puzzle) in Suite::find("cards").unwrap().puzzles().into_iter().enumerate().step_by(4) {
        let (mut board, mut random) = (puzzle.board, number as u64);
        for step in 0..20 {
            let moves = board.legal_moves();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            board.apply(moves[(random >> 33) as usize % moves.len()]).unwrap();
            if step % 10 == 9 {
                boards.push(board.clone());
            }
        }
    }
    boards
}

#[test]
fn expressions_with_policies_print_canonically_and_parse_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "my.policy", POLICY);
    let odd = file(folder.path(), "odd, (name).policy", POLICY);
    for (text, expected) in [
        ("ida(policy=FILE, prune, increment=5)", "ida(policy=FILE, prune, increment=5)"),
        ("IDA( Policy = FILE , increment=5)", "ida(policy=FILE, prune, increment=5)"),
        ("astar(policy=\"FILE\")", "astar(policy=FILE)"),
        ("wastar(policy=FILE, weight=3, reopen=no)", "wastar(policy=FILE, weight=3)"),
        ("greedy(policy=FILE, reopen=yes, shortcut=no)", "greedy(policy=FILE, reopen=yes, shortcut=no)"),
        ("ibex(policy=FILE)", "ibex(policy=FILE)"),
        ("beam(width=7, policy=FILE)", "beam(policy=FILE, width=7)"),
        ("ida(policy=hand, order)", "ida(policy=hand, order, increment=1)"),
        ("greedy(policy=\"ODD\", reopen=yes)", "greedy(policy=\"ODD\", reopen=yes)"),
    ] {
        let [text, expected] = [text, expected].map(|text| text.replace("FILE", &path).replace("ODD", &odd));
        let algorithm: ConfiguredAlgorithm = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(algorithm.to_string(), expected);
        assert_eq!(expected.parse::<ConfiguredAlgorithm>().unwrap(), algorithm);
        assert!(algorithm.heuristic().is_some_and(Estimator::is_learned));
    }
}

#[test]
fn invalid_policies_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let broken = file(folder.path(), "broken.policy", "# comment\nDEFAULT 3*blokcers\n");
    for (text, expected) in [
        ("astar(policy)", "missing policy; expected policy=NAME or policy=FILE\n  astar(policy)\n              ^"),
        (
            "astar(policy=)",
            "invalid policy; expected the name of a policy or a file, without quotes\n  astar(policy=)\n               ^",
        ),
        ("astar(policy=\"a\"b\")", "without quotes"),
        ("astar(h1, policy=hand)", "only one heuristic is allowed"),
        ("bfs(policy=hand)", "bfs has no option 'policy'"),
        ("astar(policy=quux)", "cannot read quux: "),
        ("astar(policy=quux)", "the policies that come with clearway are hand"),
        ("astar(policy=.)", "cannot read .: "),
    ] {
        let found = error_of(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
    let error = format!("ida(policy={broken})").parse::<ConfiguredAlgorithm>().unwrap_err();
    assert!(error.message.ends_with("broken.policy: unknown heuristic 'blokcers' (line 2, column 11)"), "{error}");
    assert!(error.in_file && !"astar(policy)".parse::<ConfiguredAlgorithm>().unwrap_err().in_file);
}

#[test]
fn a_policy_names_its_search() {
    let search_of = |text: &str| ConfiguredAlgorithm::from_policy(&named(text), None);
    let canonical = |text: &str| search_of(text).unwrap().to_string();
    assert_eq!(canonical("DEFAULT h1"), "wastar(policy=test, weight=1)");
    assert_eq!(canonical("search: ida(policy, both)\nDEFAULT h1"), "ida(policy=test, both, increment=1)");
    for (text, expected) in [
        ("search: bfs\nDEFAULT h1", "the search of a policy must be guided by the policy"),
        ("search: astar(h1)\nDEFAULT h1", "the search of a policy must be guided by the policy"),
        ("search: astar(policy=hand)\nDEFAULT h1", "the search of a policy must be guided by the policy"),
        ("search: quux\nDEFAULT h1", "unknown algorithm 'quux'"),
    ] {
        let found = search_of(text).unwrap_err().to_string();
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn the_hand_written_rules_equal_an_expression() {
    let expression = "if(h1 <= 2, h1, if(phase-by-blockers <= 0.5, 3*h1, 2*h1))";
    for guide in ["order", "prune"] {
        let guided_by =
            |heuristic: &str| format!("ida({heuristic}, {guide}, increment=5)").parse::<ConfiguredAlgorithm>().unwrap();
        for puzzle in Suite::find("cards").unwrap().puzzles().into_iter().take(12) {
            let solve = |algorithm: &ConfiguredAlgorithm| {
                let outcome =
                    algorithm.solve(&puzzle.board, Metric::Moves, &Limits::default(), &HeuristicContext::default());
                (outcome.statistics.expanded, outcome.statistics.evaluated, outcome.solution.map(|found| found.moves()))
            };
            assert_eq!(solve(&guided_by("policy=hand")), solve(&guided_by(expression)));
        }
    }
}

#[test]
fn searches_guided_by_policies_solve_every_solvable_board() {
    let policy = named(POLICY);
    let unsolvable = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
    for search in [
        "ida(policy, prune, increment=5)",
        "ida(policy, both, memo=kept)",
        "ida(policy, order)",
        "astar(policy)",
        "astar(policy, reopen=yes)",
        "wastar(policy, weight=3)",
        "greedy(policy)",
        "ibex(policy)",
        "beam(policy, width=2000)",
    ] {
        let header = format!("search: {search}\n{POLICY}");
        let algorithm = ConfiguredAlgorithm::from_policy(&named(&header), None).unwrap();
        assert_eq!(algorithm.is_optimal(Metric::Moves), search == "ida(policy, order)");
        for board in boards() {
            // `solve` has replayed the solution.
            let outcome = algorithm.solve(&board, Metric::Moves, &Limits::default(), &HeuristicContext::default());
            let shortest = Solver::new().solve(&board, Metric::Moves, &Limits::default()).solution.unwrap().moves();
            let length = outcome.solution.unwrap_or_else(|| panic!("{search}: {:?}", outcome.verdict)).moves();
            assert!(length >= shortest, "{search}");
            assert!(length == shortest || !algorithm.is_optimal(Metric::Moves), "{search}");
        }
        let outcome = algorithm.solve(&unsolvable, Metric::Moves, &Limits::default(), &HeuristicContext::default());
        assert_eq!(outcome.verdict, Verdict::Unsolvable, "{search}");
    }
    // The memory limit applies.
    let board = &Suite::find("cards").unwrap().puzzles()[39].board;
    let algorithm = ConfiguredAlgorithm::from_policy(&policy, None).unwrap();
    let limits = Limits { memory: Some(10_000), ..Limits::default() };
    let outcome = algorithm.solve(board, Metric::Moves, &limits, &HeuristicContext::default());
    assert_eq!(outcome.verdict, Verdict::Limit(Limit::Memory));
}

#[test]
fn a_shortcut_changes_no_count_and_never_lengthens_a_solution() {
    let (mut saved, policy) = (0, named(POLICY));
    for board in boards() {
        let solve = |search: &str| {
            let text = format!("search: {search}\n{}", policy.policy);
            let algorithm = ConfiguredAlgorithm::from_policy(&named(&text), None).unwrap();
            let outcome = algorithm.solve(&board, Metric::Moves, &Limits::default(), &HeuristicContext::default());
            // The shortcut needs memory.
            (SearchStatistics { peak_memory: 0, ..outcome.statistics }, outcome.solution.unwrap().moves())
        };
        let (short, plain) = (solve("greedy(policy)"), solve("greedy(policy, shortcut=no)"));
        assert_eq!(short.0, plain.0);
        assert!(short.1 <= plain.1);
        saved += plain.1 - short.1;
    }
    assert!(saved > 0);
}

#[test]
fn firing_rules_are_counted_with_and_without_a_cache() {
    let board = &Suite::find("cards").unwrap().puzzles()[5].board;
    for text in [POLICY, "IF h1 <= 0.1 THEN h1 DEFAULT 2*h1"] {
        for search in ["ida(policy, increment=5)", "wastar(policy)"] {
            let policy = named(&format!("search: {search}\n{text}"));
            let firing = Arc::new(FiringCounts::new(&policy.policy));
            let algorithm = ConfiguredAlgorithm::from_policy(&policy, Some(&firing)).unwrap();
            let outcome = algorithm.solve(board, Metric::Moves, &Limits::default(), &HeuristicContext::default());
            // Rules are not evaluated in solved states, which iterative deepening never evaluates.
            let solved = outcome.statistics.evaluated - firing.counts().iter().sum::<u64>();
            assert!(
                if search.starts_with("ida") { solved == 0 } else { (1..20).contains(&solved) },
                "{search}: {solved}"
            );
            assert_eq!(firing.counts().len(), policy.policy.rules.len() + 1);
            let uncounted = ConfiguredAlgorithm::from_policy(&policy, None).unwrap();
            let again = uncounted.solve(board, Metric::Moves, &Limits::default(), &HeuristicContext::default());
            assert_eq!(outcome.statistics, again.statistics);
        }
    }
}

#[test]
fn a_log_distinguishes_policies_of_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("runs.log");
    let logged_run = |text: &str| {
        let path = file(folder.path(), "my.policy", text);
        let algorithm: ConfiguredAlgorithm = format!("wastar(policy={path})").parse().unwrap();
        let board = Suite::find("cards").unwrap().puzzles()[0].board.clone();
        let comparison = Comparison {
            boards: vec![NamedBoard { name: None, board }],
            algorithms: vec![Contestant { label: "mine".to_owned(), algorithm }],
            metric: Metric::Moves,
            limits: Limits::default(),
            threads: 1,
        };
        let (mut records, mut log) = (Vec::new(), ComparisonLog::open(&log, &comparison).unwrap());
        let take = |record| {
            records.push(record);
            Ok(())
        };
        comparison.run(&mut log, |_| {}, take).unwrap();
        (records[0].statistics.expanded, records[0].policy.clone().unwrap())
    };
    let first = logged_run("DEFAULT h1");
    let second = logged_run("DEFAULT 100*h2");
    assert_ne!(first.0, second.0);
    assert_eq!(second.1, "DEFAULT 100*goal-distance\n");
    assert_eq!(logged_run("DEFAULT h1 # the same"), first);
}
