//! `clearway forge random`.

use crate::common::clearway;

#[test]
fn solvable_boards_are_printed_with_their_moves_and_reported() {
    let done = clearway(&["forge", "random", "--count", "200", "--seed", "1"]).done().code(0);
    let done = done.complains("200 boards in").complains("solvable (").complains("moves   boards");
    assert!(done.stdout.lines().count() > 20, "{}", done.stdout);
    let lines = done.stdout.clone();
    let records = clearway(&["solve", "-", "--json"]).stdin(lines.clone()).done().code(0).records();
    for (line, record) in lines.lines().zip(records) {
        let (moves, board) = line.split_once(' ').unwrap();
        assert_eq!((record["moves"].to_string().as_str(), record["board"].as_str()), (moves, Some(board)));
    }
}

#[test]
fn json_has_the_boards_and_then_the_report() {
    let arguments = ["forge", "random", "--cars", "5", "--trucks", "3", "--count", "50", "--json"];
    let mut records = clearway(&arguments).done().code(0).quietly().records();
    let report = records.pop().unwrap()["report"].clone();
    let number = |field: &str| report[field].as_u64().unwrap();
    assert_eq!(number("boards"), 50);
    assert_eq!(number("solvable") + number("unsolvable"), 50);
    assert_eq!(number("solvable"), records.len() as u64);
    let histogram: u64 = report["moves"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(histogram, records.len() as u64);
    assert!(records.iter().all(|record| record["moves"].as_u64() >= Some(1)));
}

#[test]
fn boards_depend_on_the_seed_but_not_on_the_threads() {
    let boards = |seed: &str, threads: &str| {
        let arguments = ["forge", "random", "--count", "100", "--seed", seed, "--threads", threads, "--out", "a.txt"];
        let done = clearway(&arguments).done().code(0).without_data();
        assert_eq!(done.listing(), ["a.txt"]);
        done.read("a.txt")
    };
    let alone = boards("1", "1");
    assert!(!alone.is_empty());
    assert_eq!(boards("1", "7"), alone);
    assert_ne!(boards("2", "1"), alone);
}

#[test]
fn sizes_exits_and_walls_are_respected() {
    let shape = ["--size", "5x7", "--exit", "top", "--line", "4", "--walls", "2", "--cars", "4", "--trucks", "1"];
    let done = clearway(&[&["forge", "random", "--count", "40", "--seed", "3"], &shape[..]].concat()).done().code(0);
    for line in done.stdout.lines() {
        let board = line.split_once(' ').unwrap().1;
        assert!(board.starts_with("5x7:") && board.ends_with("@top"), "{board}");
        assert_eq!(board.matches('x').count(), 1 + 2, "{board}");
    }
}

#[test]
fn impossible_boards_are_rejected() {
    for (arguments, message) in [
        (&["--trucks", "20"][..], "the vehicles take 78 cells, but the board has only 36"),
        (&["--cars", "0"], "at least one car is required"),
        (&["--size", "3"], "both sides must be from 4 to 16"),
        (&["--size", "6x17"], "invalid size '6x17'; expected a width and a height from 2 to 16"),
        (&["--size", "six"], "invalid size 'six'"),
        (&["--line", "6"], "has lines 0 to 5"),
        (&["--walls", "19"], "at most 18 are allowed"),
        (&["--exit", "up"], "bottom"),
        (&["--count", "0"], "--count"),
        (&["--memory", "0"], "--memory is 0"),
    ] {
        let arguments = [&["forge", "random"], arguments].concat();
        clearway(&arguments).done().code(2).complains(message).without_data();
    }
    let arguments = ["forge", "random", "--out", "no/such/folder/x"];
    clearway(&arguments).done().code(3).complains("no/such/folder/x").without_data();
}

#[test]
fn unfinished_runs_report_their_results() {
    let tight = ["forge", "random", "--cars", "3", "--trucks", "10"];
    clearway(&tight).done().code(5).complains("stopped at board 1: no room found");
    let budget = ["forge", "random", "--count", "1000000000", "--budget", "1s"];
    let done = clearway(&budget)
        .done()
        .code(5)
        .complains("the time budget ran out before 1,000,000,000 boards were generated");
    assert!(!done.stdout.is_empty());
    let limited = ["forge", "random", "--count", "100", "--node-limit", "5"];
    clearway(&limited).done().code(5).complains("undecided at a limit");
}

#[test]
fn a_budget_of_any_length_is_accepted() {
    let budget = ["forge", "random", "--count", "5", "--budget", "1000000000000000000"];
    clearway(&budget).done().code(0).complains("5 boards");
}
