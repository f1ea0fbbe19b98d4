//! The cheap experiments, and the observations of the works, as tests.

use clearway_lab::repro::{self, Experiment, Section, Setting};
use clearway_lab::{Algorithm, LabOutcome, Table};
use clearway_rush::formats::Known;
use clearway_rush::heuristics::Context;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric};
use clearway_search::{Limits, Verdict};
use std::sync::Arc;

fn setting() -> Setting {
    Setting { threads: 2, cancel: Arc::default(), memory: 1 << 30, six_by_six: Vec::new(), champion: None }
}

fn section(name: &str) -> Section {
    Experiment::find(name).unwrap().run(&setting())
}

fn column(table: &Table, number: usize) -> Vec<&str> {
    table.rows.iter().map(|row| row[number].as_str()).collect()
}

#[test]
fn the_lengths_of_the_it3105_report_are_ours() {
    let section = section("it3105");
    let table = &section.tables[0];
    let (published, ours) = (column(table, 4), column(table, 5));
    for rows in [0..4, 8..12] {
        assert_eq!(ours[rows.clone()], ["16", "24", "33", "73"]);
        assert_eq!(published[rows.clone()], ours[rows]);
    }
    // Breadth-first search meets as many states as the report says, but for the last layer.
    for ratio in &column(table, 3)[..4] {
        assert!((0.95..1.05).contains(&ratio.parse::<f64>().unwrap()), "{ratio}");
    }
}

#[test]
fn the_lengths_of_the_traffic_jam_report_are_ours() {
    let section = section("traffic-jam");
    let table = &section.tables[0];
    assert_eq!(column(table, 5)[..6], ["8", "24", "11", "8", "24", "11"]);
    for ratio in &column(table, 3)[..6] {
        assert!((0.7..1.3).contains(&ratio.parse::<f64>().unwrap()), "{ratio}");
    }
    // The mistake that the report describes costs moves on some of the cards.
    let longer = column(&section.tables[1], 2)[0].parse::<u32>().unwrap();
    assert!(longer > 0);
}

#[test]
fn a_report_is_well_formed() {
    let sections = [section("it3105"), section("traffic-jam")];
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let html = repro::report(&sections);
    let document = roxmltree::Document::parse_with_options(&html, options).unwrap();
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("table")).count(), 3);
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("h2")).count(), 2);
    assert!(sections[0].to_text().contains("Section 3"));
    assert_eq!(sections[1].files()[1].0, "traffic-jam-2.csv");
}

fn thesis() -> Vec<(Board, u32)> {
    let puzzles = Suite::find("vandijk").unwrap().puzzles().into_iter();
    let optimum = |known| if let Some(Known::Exactly(moves)) = known { moves } else { panic!("an optimum") };
    puzzles.map(|puzzle| (puzzle.board, optimum(puzzle.moves))).collect()
}

fn run(text: &str, board: &Board) -> LabOutcome {
    let algorithm: Algorithm = text.parse().unwrap();
    algorithm.solve(board, Metric::Moves, &Limits::default(), &Context::default())
}

#[test]
fn the_boards_are_like_those_of_the_thesis() {
    let counts: Vec<(u32, usize, usize)> = thesis()
        .iter()
        .map(|(board, optimum)| {
            let cars = board.vehicles().iter().filter(|vehicle| vehicle.length == 2).count();
            (*optimum, cars, board.vehicles().len() - cars)
        })
        .collect();
    let expected = [(4, 7, 3), (6, 7, 4), (8, 4, 4), (10, 7, 3), (12, 9, 3), (16, 11, 2), (20, 8, 3)];
    assert_eq!(counts, expected);
}

#[test]
fn the_observations_of_the_thesis_hold() {
    for (board, optimum) in &thesis()[..2] {
        let plain = run("bfs(tree)", board);
        let nodes = plain.counters.expanded;
        assert_eq!(plain.solution.unwrap().moves(), *optimum);
        assert_eq!(run(&format!("dfs(depth={optimum})"), board).counters.expanded, nodes);
        let early = run("bfs(tree, early)", board);
        assert_eq!(early.counters.expanded + early.queue.unwrap() + 1, nodes);
        assert!(early.counters.expanded * 2 < nodes);
        assert!(plain.queue.unwrap() > nodes);
        let [pre, post] = ["pre", "post"].map(|when| run(&format!("bfs(tree, prune={when})"), board).counters.expanded);
        assert!(post <= pre && pre < nodes);
        assert!(run("dfs(depth=8)", board).counters.expanded > nodes);
    }
}

#[test]
fn the_boards_that_the_thesis_could_not_solve_are_solved() {
    for (board, optimum) in &thesis()[5..] {
        for search in ["exact", "bfs", "astar(landmarks)"] {
            let outcome = run(search, board);
            assert_eq!((outcome.verdict, outcome.solution.unwrap().moves()), (Verdict::Solved, *optimum));
        }
    }
}
