//! Tests of the inexpensive experiments, and of the observations of the published works.

use clearway_lab::repro::{self, EvolutionRuns, Experiment, Parts, ReproError, ReproSettings, Section};
use clearway_lab::{ConfiguredAlgorithm, LabOutcome, Table};
use clearway_rush::formats::KnownLength;
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric};
use clearway_search::{Limits, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn section(name: &str) -> Section {
    Experiment::find(name).unwrap().run(&ReproSettings::default()).unwrap()
}

fn column(table: &Table, number: usize) -> Vec<&str> {
    table.rows.iter().map(|row| row[number].as_str()).collect()
}

#[test]
fn the_table_of_the_it3105_report_is_reproduced_exactly() {
    let section = section("it3105");
    let table = &section.tables[0];
    assert_eq!(column(table, 1), column(table, 2), "nodes");
    assert_eq!(column(table, 4), column(table, 5), "lengths");
    assert_eq!(column(table, 5)[4..8], ["42", "278", "795", "2338"]);
    // The chapter on reproductions gives the lengths of depth-first search in the order of this program.
    let standard = column(&section.tables[1], 5);
    assert_eq!(standard[4..8], ["16", "66", "501", "635"]);
    for rows in [0..4, 8..12] {
        assert_eq!(standard[rows], ["16", "24", "33", "73"]);
    }
}

#[test]
fn the_traffic_jam_report_is_reproduced() {
    let section = section("traffic-jam");
    let table = &section.tables[0];
    assert_eq!(column(table, 0)[3], "BFS, average");
    // The report lists the vehicles of board C by column.
    assert_eq!(column(table, 1)[..4], ["917", "2,384", "385", "1,228.67"]);
    assert_eq!(column(table, 2)[..4], ["917", "2,384", "383", "1,228.00"]);
    assert_eq!(column(table, 5)[4..7], ["8", "24", "11"]);
    for ratio in &column(table, 3)[4..] {
        assert!((0.9..1.1).contains(&ratio.parse::<f64>().unwrap()), "{ratio}");
    }
    // The mistake that the report describes shows on one of its boards, if the last of several equal nodes comes first.
    let boards = &section.tables[1];
    assert_eq!((column(boards, 0), column(boards, 5)), (vec!["last", "h", "first"], vec!["1", "2", "0"]));
    assert_eq!(boards.rows[0][1..4], ["8, 8", "24, 25", "11, 11"]);
    let cards = &section.tables[2];
    for row in &cards.rows {
        assert_eq!(row[6].split_whitespace().count().to_string(), row[2], "the cards are listed");
    }
    assert_eq!(column(cards, 2), ["10", "0"]);
}

/// Runs the tiles experiment for a few generations.
fn tiles(threads: usize) -> Section {
    let evolution_runs = EvolutionRuns { seeds: 2, first: 5, generations: 4 };
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let progress = Arc::new(move |done, total| {
        assert!(done <= total && total == 5 * 2 + 4);
        counter.fetch_add(1, Ordering::Relaxed);
    });
    let setting = ReproSettings { threads, evolution_runs, progress, ..ReproSettings::default() };
    let section = Experiment::find("tiles").unwrap().run(&setting).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 5 * 2 + 4, "evolution runs and readings");
    section
}

#[test]
fn the_tiles_experiment_gives_the_same_tables_on_any_number_of_threads() {
    let [one, three] = [1, 3].map(tiles);
    assert_eq!(without_times(&one), without_times(&three));
    assert_eq!(one.files().last(), three.files().last());

    let table = |title: &str| one.tables.iter().find(|table| table.title.starts_with(title)).unwrap();
    let number = |title: &str, name: &str| {
        let row = table(title).rows.iter().find(|row| row[0] == name).unwrap();
        row[2].parse::<f64>().unwrap()
    };
    for title in ["A: ", "B: ", "C on the old boards: ", "C: ", "D: "] {
        let (first, last) = (number(title, "best fitness, first generation"), number(title, "mean fitness, last"));
        assert!(number(title, "h of the boards") > first && first > 0.0, "{title}");
        assert!(number(title, "mean fitness, first") > last, "{title}");
        assert_eq!(table(title).rows.len(), 14, "{title}");
    }
    assert_eq!(column(table("B: "), 1)[2], "353.9");
    let agrees = column(table("Observations of the paper"), 2);
    assert!(agrees.len() == 13 && agrees.iter().all(|answer| ["yes", "no"].contains(answer)), "{agrees:?}");
    let readings = table("Readings of the paper's maximum h");
    assert_eq!(column(readings, 1), ["364", "364", "400", "402"]);
    let curves = &one.files()[7];
    assert_eq!(curves.0, "tiles-8.csv");
    assert_eq!(curves.1.lines().count(), 1 + 5 * 4);
    assert!(curves.1.contains("\n\"C, old boards\",3,"), "{}", curves.1);
}

#[test]
fn a_cancelled_experiment_has_no_tables() {
    for experiment in repro::ALL {
        let setting = ReproSettings { cancel: Arc::new(AtomicBool::new(true)), ..ReproSettings::default() };
        assert!(matches!(experiment.run(&setting), Err(ReproError::Cancelled)), "{}", experiment.name);
    }
}

/// Tables without rows of times.
fn without_times(section: &Section) -> Vec<Table> {
    let mut tables = section.tables.clone();
    for table in &mut tables {
        table.rows.retain(|row| row[0] != "seconds on one thread");
    }
    tables
}

/// Runs an experiment to the end, then resumes it from logs of some of its parts, and compares the tables.
fn check_resumption(name: &str, threads: usize, setting: &ReproSettings) {
    let experiment = Experiment::find(name).unwrap();
    let total = experiment.parts(setting);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parts.jsonl");
    let run = |parts: Parts| experiment.run(&ReproSettings { threads, parts, ..setting.clone() }).unwrap();
    let whole = run(Parts::open(&path).unwrap().0);
    let log = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 1 + total, "{name}: a header and every part");
    for kept in [0, total / 3, total / 2, total] {
        std::fs::write(&path, lines[..=kept].join("\n") + "\n").unwrap();
        let (parts, corrupt) = Parts::open(&path).unwrap();
        assert!(corrupt.message("").is_none() && parts.count() == kept, "{name}: finished parts are kept");
        let resumed = run(parts);
        assert_eq!(without_times(&resumed), without_times(&whole), "{name} after {kept} parts");
        assert_eq!(resumed.files().len(), whole.files().len());
        let log = std::fs::read_to_string(&path).unwrap();
        assert_eq!(log.lines().count(), 1 + total, "{name}: only missing parts are executed");
    }
}

#[test]
fn a_resumed_experiment_has_the_same_tables() {
    for threads in [1, 3] {
        check_resumption("it3105", threads, &ReproSettings::default());
        check_resumption("traffic-jam", threads, &ReproSettings::default());
        let evolution_runs = EvolutionRuns { seeds: 2, first: 5, generations: 3 };
        check_resumption("tiles", threads, &ReproSettings { evolution_runs, ..ReproSettings::default() });
    }
}

#[test]
fn finished_parts_of_a_cancelled_run_are_kept() {
    let experiment = Experiment::find("traffic-jam").unwrap();
    let whole = experiment.run(&ReproSettings::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parts.jsonl");
    let (parts, _) = Parts::open(&path).unwrap();
    let cancel = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&cancel);
    let progress = Arc::new(move |_, _| raised.store(true, Ordering::Relaxed));
    // All parts may be finished before the first one is reported.
    match experiment.run(&ReproSettings { cancel, progress, parts: parts.clone(), ..ReproSettings::default() }) {
        Ok(section) => assert_eq!(section.tables, whole.tables),
        Err(stopped) => assert!(matches!(stopped, ReproError::Cancelled) && parts.count() > 0, "{stopped}"),
    }
    let kept = parts.count();
    drop(parts);
    let (parts, _) = Parts::open(&path).unwrap();
    assert_eq!(parts.count(), kept);
    assert_eq!(experiment.run(&ReproSettings { parts, ..ReproSettings::default() }).unwrap().tables, whole.tables);
}

#[test]
fn a_damaged_part_is_executed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parts.jsonl");
    let run = |parts: Parts| {
        let setting = ReproSettings { parts, ..ReproSettings::default() };
        Experiment::find("it3105").unwrap().run(&setting).unwrap()
    };
    let whole = run(Parts::open(&path).unwrap().0);
    let log = std::fs::read_to_string(&path).unwrap();
    let damaged = log.replacen("\"counters\":[", "\"counters\":[9", 1);
    assert_ne!(damaged, log);
    std::fs::write(&path, damaged).unwrap();
    let (parts, corrupt) = Parts::open(&path).unwrap();
    assert!(
        corrupt.message("").is_some_and(|message| message.contains("line 2"))
            && parts.count() == log.lines().count() - 2
    );
    assert_eq!(run(parts).tables, whole.tables);
}

#[test]
fn a_report_is_well_formed() {
    let sections = [section("it3105"), section("traffic-jam"), tiles(2)];
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let html = repro::report(&sections);
    let document = roxmltree::Document::parse_with_options(&html, options).unwrap();
    let count = |name: &str| document.descendants().filter(|node| node.tag_name().name() == name).count();
    assert_eq!((count("table"), count("h2"), count("figure")), (5 + 7, 3, 5));
    assert!(sections[0].to_text().contains("Section 3"));
    assert_eq!(sections[1].files()[1].0, "traffic-jam-2.csv");
}

fn thesis() -> Vec<(Board, u32)> {
    let puzzles = Suite::find("vandijk").unwrap().puzzles().into_iter();
    let optimum = |known| if let Some(KnownLength::Exactly(moves)) = known { moves } else { panic!("an optimum") };
    puzzles.map(|puzzle| (puzzle.board, optimum(puzzle.moves))).collect()
}

fn run(text: &str, board: &Board) -> LabOutcome {
    let algorithm: ConfiguredAlgorithm = text.parse().unwrap();
    algorithm.solve(board, Metric::Moves, &Limits::default(), &HeuristicContext::default())
}

#[test]
fn the_boards_match_the_statistics_of_the_thesis() {
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
        let nodes = plain.statistics.expanded;
        assert_eq!(plain.solution.unwrap().moves(), *optimum);
        assert_eq!(run(&format!("dfs(depth={optimum})"), board).statistics.expanded, nodes);
        let early = run("bfs(tree, early)", board);
        assert_eq!(early.statistics.expanded + early.queue.unwrap() + 1, nodes);
        assert!(early.statistics.expanded * 2 < nodes);
        assert!(plain.queue.unwrap() > nodes);
        let [pre, post] =
            ["pre", "post"].map(|when| run(&format!("bfs(tree, prune={when})"), board).statistics.expanded);
        assert!(post <= pre && pre < nodes);
        assert!(run("dfs(depth=8)", board).statistics.expanded > nodes);
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
