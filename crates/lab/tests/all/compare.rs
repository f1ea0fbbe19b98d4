//! Tests of comparisons.

use clearway_lab::compare::{self, Comparison, ComparisonLog, ComparisonRecord, Contestant, NamedBoard};
use clearway_policy::NamedPolicy;
use clearway_rush::suites::Suite;
use clearway_rush::{Metric, formats};
use clearway_search::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const ALGORITHMS: [&str; 6] =
    ["bfs", "astar(blockers)", "wastar(h1, weight=3)", "bfs(tree)", "ida(h1, increment=5)", "greedy(difficulty-level)"];

fn comparison(threads: usize) -> Comparison {
    let mut boards: Vec<NamedBoard> = Suite::find("cards").unwrap().puzzles().into_iter().take(5).map(entry).collect();
    boards.push(entry(formats::read_one("4x3:...BAA.B....", None).unwrap()));
    let contestant = |text: &str| Contestant { label: text.to_owned(), algorithm: text.parse().unwrap() };
    Comparison {
        boards,
        algorithms: ALGORITHMS.into_iter().map(contestant).collect(),
        metric: Metric::Moves,
        limits: Limits { nodes: Some(20_000), memory: Some(8 << 20), ..Limits::default() },
        threads,
    }
}

fn entry(puzzle: formats::Puzzle) -> NamedBoard {
    NamedBoard { name: puzzle.name, board: puzzle.board }
}

fn run(comparison: &Comparison, log: &mut ComparisonLog) -> Vec<ComparisonRecord> {
    let mut records = Vec::new();
    let result = comparison.run(
        log,
        |_| {},
        |record| {
            records.push(record);
            Ok(())
        },
    );
    result.unwrap();
    records
}

fn without_times(records: &[ComparisonRecord]) -> Vec<ComparisonRecord> {
    records.iter().map(|record| ComparisonRecord { seconds: 0.0, ..record.clone() }).collect()
}

#[test]
fn distributed_runs_give_the_same_records() {
    let mut here = comparison(2);
    let mut policy = here.algorithms[0].clone();
    policy.label = "a policy of our own".to_owned();
    let named = NamedPolicy::parse("no-such-file.policy", "IF h1 >= 3 THEN 2*h1 DEFAULT h1").unwrap();
    policy.algorithm = clearway_lab::ConfiguredAlgorithm::from_policy(&named, None).unwrap();
    here.algorithms.push(policy);
    let elsewhere = Comparison::from_text(&here.to_text()).unwrap();
    let parts = [0..1, 1..4, 4..6].map(|boards| elsewhere.part(boards).unwrap().unwrap());
    let runs = parts.iter().flat_map(|part| here.read_part(part).unwrap());
    let mut log = ComparisonLog::from_runs(runs);
    assert_eq!(log.known(), 6 * 8);
    // All runs are known, so the cancellation has no effect.
    here.limits.cancel = Some(Arc::new(AtomicBool::new(true)));
    let records = run(&here, &mut log);
    here.limits.cancel = None;
    assert_eq!(without_times(&records), without_times(&run(&here, &mut ComparisonLog::default())));

    here.limits.nodes = Some(1);
    let error = here.read_part(&parts[0]).unwrap_err().to_string();
    assert!(error.starts_with("it was made with other settings"), "{error}");
    assert!(elsewhere.read_part(&parts[0][..100]).unwrap_err().to_string().starts_with("the file is damaged"));
}

#[test]
fn records_are_the_same_on_any_number_of_threads() {
    let alone = run(&comparison(1), &mut ComparisonLog::default());
    assert_eq!(alone.len(), 36);
    assert_eq!(alone[1].algorithm, "astar(blockers)");
    assert_eq!((alone[0].name.as_deref(), alone[0].moves, alone[0].optimum), (Some("JAM01"), Some(8), Some(8)));
    assert_eq!(alone[35].status, "unsolvable");
    for threads in [2, 8] {
        assert_eq!(without_times(&run(&comparison(threads), &mut ComparisonLog::default())), without_times(&alone));
    }
}

#[test]
fn a_memory_limit_ends_a_run_at_the_same_node_on_any_number_of_threads() {
    let limited = |threads| {
        let mut comparison = comparison(threads);
        comparison.limits = Limits { memory: Some(1 << 20), ..Limits::default() };
        comparison.algorithms.retain(|one| one.label == "bfs(tree)");
        comparison.boards.truncate(5);
        without_times(&run(&comparison, &mut ComparisonLog::default()))
    };
    let alone = limited(1);
    assert!(alone.iter().any(|record| record.limit.as_deref() == Some("memory")));
    assert_eq!(limited(4), alone);
}

#[test]
fn the_exact_solver_runs_once_per_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.log");
    let exact = Contestant { label: "the solver".to_owned(), algorithm: "exact".parse().unwrap() };
    let comparison = Comparison { algorithms: vec![exact], ..comparison(2) };
    let records = run(&comparison, &mut ComparisonLog::open(&path, &comparison).unwrap());
    assert_eq!(records.len(), 6);
    for record in &records {
        assert_eq!((record.algorithm.as_str(), record.canonical.as_str()), ("the solver", "exact"));
        assert_eq!(record.length(), record.optimum);
    }
    // A header, and one run for each board.
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1 + 6);
    let parts = [0..2, 2..6].map(|boards| comparison.part(boards).unwrap().unwrap());
    let mut log = ComparisonLog::from_runs(parts.iter().flat_map(|part| comparison.read_part(part).unwrap()));
    assert_eq!(without_times(&run(&comparison, &mut log)), without_times(&records));
}

#[test]
fn an_interrupted_comparison_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.log");
    let whole = run(&comparison(2), &mut ComparisonLog::default());

    let cancel = Arc::new(AtomicBool::new(false));
    let mut cancelled = comparison(1);
    cancelled.limits.cancel = Some(cancel.clone());
    let mut log = ComparisonLog::open(&path, &cancelled).unwrap();
    assert_eq!(log.known(), 0);
    let mut taken = Vec::new();
    let result = cancelled.run(
        &mut log,
        |progress| cancel.store(progress.done >= 10, Ordering::Relaxed),
        |record| {
            taken.push(record);
            Ok(())
        },
    );
    result.unwrap();
    assert!(taken.len() < whole.len());
    drop(log);

    // The run of an incomplete line is repeated.
    let text = std::fs::read_to_string(&path).unwrap();
    let kept = text.lines().count() - 1;
    assert!((10..42).contains(&kept), "{kept}");
    std::fs::write(&path, format!("{text}{{\"number\":1,\"ru")).unwrap();
    let mut log = ComparisonLog::open(&path, &comparison(2)).unwrap();
    assert_eq!(log.known(), kept);
    let resumed = run(&comparison(2), &mut log);
    assert_eq!(without_times(&resumed), without_times(&whole));
    drop(log);

    // All runs are known now, so that even the times are the same.
    let mut log = ComparisonLog::open(&path, &comparison(8)).unwrap();
    assert_eq!(log.known(), 42);
    assert_eq!(run(&comparison(8), &mut log), resumed);
}

#[test]
fn a_damaged_line_affects_only_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.log");
    let whole = run(&comparison(1), &mut ComparisonLog::open(&path, &comparison(1)).unwrap());
    let sound = std::fs::read_to_string(&path).unwrap();
    let line = sound.lines().nth(4).unwrap();
    let (before, count) = line.split_once("\"expanded\":").unwrap();
    let changed = sound.replacen(line, &format!("{before}\"expanded\":1{count}"), 1);
    std::fs::write(&path, changed).unwrap();
    let mut log = ComparisonLog::open(&path, &comparison(1)).unwrap();
    assert!(log.corrupt().message("").unwrap().contains("in line 5;"));
    assert_eq!(log.known(), sound.lines().count() - 2);
    assert_eq!(without_times(&run(&comparison(1), &mut log)), without_times(&whole));
    assert!(
        ComparisonLog::open(&path, &comparison(1)).unwrap_err().to_string().contains("is in use by another process")
    );
    drop(log);
    let log = ComparisonLog::open(&path, &comparison(1)).unwrap();
    assert_eq!((log.known(), log.corrupt().message("")), (sound.lines().count() - 1, None), "the log was repaired");
}

#[test]
fn a_log_of_another_comparison_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.log");
    let open = |comparison: &Comparison| {
        ComparisonLog::open(&path, comparison).map(|log| log.known()).map_err(|e| e.to_string())
    };
    run(&comparison(1), &mut ComparisonLog::open(&path, &comparison(1)).unwrap());
    let mut other = comparison(1);
    other.metric = Metric::Steps;
    assert!(open(&other).unwrap_err().contains("it was made with other settings"));
    let mut other = comparison(1);
    other.boards.swap(0, 1);
    assert!(open(&other).unwrap_err().contains("line 2 is a run of another board than the one at its number"));
    let text = std::fs::read_to_string(&path).unwrap();
    let bare: Vec<&str> = text.lines().map(|line| &line[..line.len() - 18]).collect();
    let earlier = bare.join("}\n") + "}\n";
    std::fs::write(&path, earlier).unwrap();
    assert!(open(&comparison(1)).unwrap_err().contains("an earlier version of clearway wrote it"));
    for junk in ["a file of mine\n", "a file of mine", "\u{0}\n", "{}\n"] {
        std::fs::write(&path, junk).unwrap();
        assert!(open(&comparison(1)).unwrap_err().contains("it is not a log of a comparison"), "{junk:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), junk, "the file is unchanged");
    }
    assert!(ComparisonLog::open(folder.path(), &comparison(1)).unwrap_err().to_string().contains("cannot open"));
}

#[test]
fn tables_summarise_the_records() {
    let records = run(&comparison(2), &mut ComparisonLog::default());
    let sums = compare::summaries(&records);
    let sum_of = |name: &str| sums.iter().find(|sum| sum.algorithm == name).unwrap();
    let bfs: Vec<&ComparisonRecord> = records.iter().filter(|record| record.algorithm == "bfs").collect();
    assert_eq!(sum_of("bfs").total, bfs.iter().map(|record| record.statistics.expanded).sum::<u64>());
    assert_eq!((sum_of("bfs").solved, sum_of("bfs").unsolvable, sum_of("bfs").boards), (5, 1, 6));
    assert_eq!(sum_of("bfs").length_ratio, Some(1.0));
    assert!(sum_of("bfs(tree)").solved < 5);
    let (ours, first) = sum_of("astar(blockers)").expanded_with_first;
    assert!(ours < first && first == sum_of("bfs").total);

    let (table, legend) = compare::board_table(&records);
    assert!(legend.starts_with("[1] bfs\n[2] astar(blockers)\n"));
    assert_eq!(table.rows.len(), 6);
    assert_eq!(table.rows[0][..2], ["JAM01", "8"]);
    assert_eq!(table.rows[5][..2], ["#6", "none"]);
    assert!(table.rows[0][5].contains("nodes!"), "{:?}", table.rows[0]);
    let summary = compare::summary_table(&sums);
    assert_eq!(summary.rows[1][..2], ["astar(blockers)", "5/5"]);
    assert_eq!(summary.rows[0][5], "100.0 %");
}

#[test]
fn csv_has_a_line_per_run() {
    let records = run(&comparison(2), &mut ComparisonLog::default());
    let csv = compare::csv(&records);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 37);
    let fields = lines[0].split(',').count();
    assert_eq!(lines[1].split(',').count(), fields, "{}", lines[1]);
    assert!(lines[3].contains(",\"wastar(h1, weight=3)\","), "{}", lines[3]);
}

#[test]
fn the_page_is_well_formed_and_self_contained() {
    let mut records = run(&comparison(2), &mut ComparisonLog::default());
    records[0].name = Some("<b>&\"".to_owned());
    let html = compare::html(&records);
    let options = || roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&html, options()).unwrap();
    let count = |tag: &str| document.descendants().filter(|node| node.tag_name().name() == tag).count();
    // A bar chart, the curves, and a scatter plot for each pair of six algorithms.
    assert_eq!(count("svg"), 2 + 15);
    assert_eq!(count("table"), 2);
    assert_eq!(count("script") + count("link") + count("img"), 0);
    let empty = compare::html(&[]);
    assert!(roxmltree::Document::parse_with_options(&empty, options()).is_ok());
}
