//! Tests of the evaluation of policies.

use clearway_lab::compare::{Contestant, NamedBoard};
use clearway_lab::evaluation::{
    EvaluationSearch, EvaluationTable, HARD_NODES, HardBoards, TestResult, csv, html, measure, standard, suite,
};
use clearway_rush::formats;
use clearway_search::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn column(name: &str, text: &str) -> Contestant {
    Contestant { label: name.to_owned(), algorithm: text.parse().unwrap() }
}

fn entry(name: &str, board: &str) -> NamedBoard {
    NamedBoard { name: Some(name.to_owned()), board: formats::read_one(board, None).unwrap().board }
}

fn cards(count: usize) -> Vec<NamedBoard> {
    suite("cards").unwrap()[..count].to_vec()
}

fn without_time(mut table: EvaluationTable) -> EvaluationTable {
    for column in &mut table.columns {
        (column.seconds, column.seconds_percent) = (None, None);
    }
    for run in &mut table.runs {
        run.seconds = 0.0;
    }
    table
}

#[test]
fn columns_summarise_their_runs() {
    let columns = vec![column("None", "id(increment=5)"), column("GP", &EvaluationSearch::Prune.expression("h1"))];
    let table = measure(cards(4), columns, 2, &Limits::default(), |_| {});
    assert_eq!((table.boards, table.left_out, table.runs.len()), (4, 0, 8));
    let (none, gp) = (table.column("None").unwrap(), table.column("GP").unwrap());
    assert_eq!((none.solved, none.solvable, none.nodes_percent, none.total_percent), (4, 4, Some(100.0), Some(100.0)));
    let nodes = |name: &str| -> Vec<f64> { table.runs_of(name).map(|run| run.statistics.expanded as f64).collect() };
    let (base, ours) = (nodes("None"), nodes("GP"));
    let mean = ours.iter().zip(&base).map(|(ours, base)| 100.0 * ours / base).sum::<f64>() / 4.0;
    let total = 100.0 * ours.iter().sum::<f64>() / base.iter().sum::<f64>();
    let (by_board, of_totals) = (gp.nodes_percent.unwrap(), gp.total_percent.unwrap());
    assert!((by_board - mean).abs() < 1e-9 && (of_totals - total).abs() < 1e-9);
    assert!((by_board - of_totals).abs() > 0.1, "the two numbers differ");
    assert!(gp.evaluated > Some(0.0) && none.evaluated == Some(0.0));
    let lengths = table.runs_of("GP").map(|run| f64::from(run.moves.unwrap()) / f64::from(run.optimum.unwrap()));
    assert!((gp.length_ratio.unwrap() - lengths.sum::<f64>() / 4.0).abs() < 1e-9);
    assert_eq!(gp.beyond, HardBoards::default());
}

#[test]
fn results_are_the_same_on_any_number_of_threads() {
    let run = |threads| without_time(measure(cards(3), standard(), threads, &Limits::default(), |_| {}));
    let one = run(1);
    assert_eq!(one, run(4));
    let solved: Vec<usize> = one.columns.iter().map(|column| column.solved).collect();
    assert_eq!(solved, [3; 9]);
    let perfect = one.column("perfect ordering").unwrap();
    assert!(
        one.columns[5..].iter().all(|column| column.nodes_percent > Some(0.0)) && perfect.nodes_percent < Some(100.0)
    );
}

#[test]
fn boards_above_the_node_limit_of_the_paper_are_counted() {
    // Iterative deepening needs 1,760,832 nodes.
    let boards: Vec<NamedBoard> =
        suite("test-8x8").unwrap().into_iter().filter(|entry| entry.name.as_deref() == Some("Q21")).collect();
    let columns =
        vec![column("None", "id(increment=5)"), column("BFS", "bfs"), column("walk", "random-walk(seed=1, steps=10)")];
    let table = measure(boards, columns, 1, &Limits::default(), |_| {});
    assert!(table.runs[0].statistics.expanded > HARD_NODES && table.runs[0].solved(), "the baseline has no limit");
    let beyond: Vec<HardBoards> = table.columns.iter().map(|column| column.beyond).collect();
    assert_eq!(beyond, [(1, 0), (1, 1), (1, 0)].map(|(boards, solved)| HardBoards { boards, solved }));
    assert_eq!((table.columns[2].solved, table.columns[2].length_ratio), (0, None));
}

#[test]
fn an_unsolvable_board_is_not_counted_as_solvable() {
    let boards = vec![entry("unsolvable", "4x3:..B.AAB...B."), entry("solvable", "4x4:...BAA.B........")];
    let table = measure(boards, standard(), 1, &Limits::default(), |_| {});
    assert_eq!(table.boards, 2);
    for column in &table.columns {
        assert_eq!((column.solved, column.solvable, column.beyond), (1, 1, HardBoards::default()), "{}", column.name);
        assert!(column.length_ratio.is_some_and(|ratio| ratio >= 1.0));
    }
}

#[test]
fn a_cancelled_measurement_returns_the_boards_measured_so_far() {
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancel: Some(cancel.clone()), ..Limits::default() };
    let calls = AtomicUsize::new(0);
    let columns = vec![column("None", "id(increment=5)"), column("BFS", "bfs")];
    let table = measure(cards(8), columns, 1, &limits, |progress| {
        assert_eq!(progress.total, 24, "three runs per board, including the optimum");
        calls.fetch_add(1, Ordering::Relaxed);
        cancel.store(progress.done >= 5, Ordering::Relaxed);
    });
    assert!(table.boards >= 1 && table.boards < 8 && table.boards + table.left_out == 8);
    assert_eq!(table.runs.len(), table.boards * 2);
    let title = format!("cards ({} boards not measured): per cent of None", table.left_out);
    assert!(table.table("cards").to_text().starts_with(&title), "{}", table.table("cards").to_text());
    let one = EvaluationTable { left_out: 1, ..table };
    assert!(one.table("cards").title.starts_with("cards (1 board not measured): "));
    assert!(calls.load(Ordering::Relaxed) >= 5);
}

#[test]
fn a_table_is_written_as_text_json_csv_and_html() {
    let columns = vec![column("None", "id(increment=5)"), column("a, \"b\"", "bfs")];
    let table = measure(cards(2), columns, 1, &Limits::default(), |_| {});
    let text = table.table("cards").to_text();
    assert!(text.starts_with("cards: per cent of None"), "{text}");
    assert_eq!(text.lines().count(), 4);
    let row: Vec<&str> = text.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(row[..5], ["None", "100", "%", "100", "%"]);
    let json = serde_json::to_string(&table).unwrap();
    assert_eq!(serde_json::from_str::<EvaluationTable>(&json).unwrap(), table);
    let tested = TestResult { boards: "<cards>".to_owned(), table, policy: "a, \"b\"".to_owned() };
    let csv = csv(std::slice::from_ref(&tested));
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0].split(',').count(), lines[1].split(',').count()), (3, 15, 15));
    assert!(lines[2].starts_with("<cards>,\"a, \"\"b\"\"\",bfs,2,2,2,"), "{}", lines[2]);
    let page = html("cards & more", &[tested.clone(), tested]);
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&page, options).unwrap();
    let count = |tag: &str| document.descendants().filter(|node| node.tag_name().name() == tag).count();
    assert_eq!((count("table"), count("svg"), count("circle")), (2, 2, 4));
}

#[test]
fn means_over_no_boards_are_unknown() {
    let limits = Limits { cancel: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    let table = measure(cards(2), standard(), 1, &limits, |_| {});
    assert_eq!((table.boards, table.left_out), (0, 2));
    for column in &table.columns {
        assert_eq!((column.nodes_percent, column.total_percent, column.nodes), (None, None, None));
        assert_eq!((column.evaluated, column.seconds, column.seconds_percent), (None, None, None));
    }
    let text = table.table("cards").to_text();
    assert!(!text.contains("0.0") && !text.contains("NaN"), "{text}");
    let tested = [TestResult { boards: "cards".to_owned(), table, policy: "Hc".to_owned() }];
    assert!(csv(&tested).lines().nth(1).unwrap().ends_with(",0,0,0,,,,,,,,0,0"), "{}", csv(&tested));
}
