//! `clearway forge enumerate`.

use crate::common::{self, clearway};

const FOUR: [&str; 4] = ["forge", "enumerate", "--size", "4"];

fn four(more: &[&str]) -> common::Run {
    clearway(&[&FOUR, more].concat())
}

#[test]
fn puzzles_are_printed_hardest_first() {
    let done = four(&[]).done().code(0);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines[0], "# minimal puzzles of 4x4, exit right at line 1");
    assert_eq!(lines[2], "# 493 components with a solution, 32 minimal puzzles with 514 states, the hardest 7 moves");
    assert_eq!(lines.len(), 3 + 32);
    assert!(lines[3].starts_with("7 "), "{}", lines[3]);
    assert!(lines[34].starts_with("1 "), "{}", lines[34]);
}

#[test]
fn the_list_can_be_read_back() {
    let list = four(&[]).done().stdout;
    let done = clearway(&["solve", "-", "--json"]).stdin(list.as_str()).done().code(0);
    let moves: Vec<u64> = done.records().iter().map(|record| record["moves"].as_u64().unwrap()).collect();
    let listed: Vec<u64> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(moves, listed);
}

#[test]
fn json_has_a_puzzle_per_line_or_the_summary() {
    let records = four(&["--json"]).done().code(0).records();
    assert_eq!(records.len(), 32);
    for field in ["board", "moves", "steps", "states", "depth", "vehicles", "histogram"] {
        assert!(!records[0][field].is_null(), "{field}");
    }
    let done = four(&["--json", "--out", "a.txt", "--out", "a.parquet"]).done().code(0);
    let numbers = &done.records()[0];
    assert_eq!((&numbers["components"], &numbers["puzzles"]), (&493.into(), &32.into()));
    assert_eq!((&numbers["complete"], &numbers["representative"]), (&true.into(), &"minimal".into()));
    assert_eq!(done.read("a.txt"), four(&[]).done().stdout);
    assert!(done.listing().contains(&"a.parquet".to_owned()));
}

#[test]
fn shards_are_combined_from_their_logs() {
    let first = four(&["--shard", "1/2", "--resume", "1.log", "--out", "1.txt"]).done().code(0);
    let second = four(&["--shard", "2/2", "--resume", "2.log", "--out", "2.txt"]).done().code(0);
    assert!(first.read("1.txt").contains("# incomplete: "));
    let all = ["--resume", "1.log", "--resume", "2.log"];
    let together = four(&all).file("1.log", first.read("1.log")).file("2.log", second.read("2.log")).done().code(0);
    assert_eq!(together.stdout, four(&[]).done().stdout);
    together.complains("are already finished");
}

#[test]
fn a_budget_ends_the_work_and_a_log_resumes_it() {
    let stopped = clearway(&["forge", "enumerate", "--size", "5", "--budget", "0", "--resume", "5.log"]).done().code(5);
    let stopped = stopped.complains("run the same command again to resume");
    assert!(stopped.stdout.contains("# incomplete: "), "{}", stopped.stdout);
    let resumed = clearway(&["forge", "enumerate", "--size", "5", "--resume", "5.log"])
        .file("5.log", stopped.read("5.log"))
        .done()
        .code(0);
    assert!(resumed.stdout.contains("\n# 62106 components with a solution, 1891 minimal puzzles with 374530 states"));
    let first = ["forge", "enumerate", "--size", "5", "--representative", "first"];
    let refused = clearway(&[&first[..], &["--resume", "5.log"]].concat()).file("5.log", stopped.read("5.log"));
    refused.done().code(3).complains("it was made with other settings");
    clearway(&first)
        .done()
        .code(0)
        .says("\n# 62106 components with a solution, 1730 minimal puzzles with 329603 states");
}

#[test]
fn impossible_requests_are_rejected() {
    four(&["--shard", "3/2"]).done().code(2).complains("use K/N with K from 1 to N");
    four(&["--shard", "0/2"]).done().code(2).complains("invalid shard '0/2'");
    four(&["--walls", "8"]).done().code(0);
    clearway(&["forge", "enumerate", "--size", "8"]).done().code(2).complains("at most 7");
    clearway(&["forge", "enumerate", "--size", "3"]).done().code(2).complains("use a size such as --size 8");
    clearway(&["forge", "enumerate", "--size", "6", "--walls", "9"]).done().code(2).complains("100000 placements");
    four(&["--resume", "note.txt"]).file("note.txt", "hello\n").done().code(3).complains("not a log of an enumeration");
    four(&["--out", "nowhere/list.txt"]).done().code(3).complains("nowhere");
}
