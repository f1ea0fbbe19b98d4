//! `--memory` bounds the process: its peak memory exceeds the limit by at most 15 % and 30 MB.

use crate::common::{ENDLESS, clearway};
use std::fs;
use std::io::Read;
use std::process::Child;
use std::thread::JoinHandle;
use std::time::Duration;

/// The result of a run.
struct Ended {
    code: i32,
    /// Peak memory in bytes.
    peak: u64,
    stdout: String,
}

/// Returns the peak memory of a running process in bytes, or `None` once it has ended. The value that the system reports for
/// an ended process is not usable: it includes the memory of its parent at the start.
pub fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// Reads a stream to its end on a separate thread.
fn read(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        from.read_to_string(&mut text).unwrap();
        text
    })
}

/// Runs a command to its end.
fn run(args: &[&str], files: &[(&str, &str)]) -> Ended {
    let run = files.iter().fold(clearway(args), |run, (name, text)| run.file(name, text));
    let (mut child, _folder) = run.spawn();
    drop(child.stdin.take());
    let (stdout, stderr) = (read(child.stdout.take().unwrap()), read(child.stderr.take().unwrap()));
    let mut peak = 0;
    let status = loop {
        peak = peak_memory(&child).unwrap_or(0).max(peak);
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
    let code = status.code().unwrap_or_else(|| panic!("{args:?} was killed: {stderr}"));
    Ended { code, peak, stdout }
}

/// Runs a command on this number of threads with a memory limit, and checks the peak memory and the exit code.
#[track_caller]
fn assert_within(megabytes: u64, threads: usize, args: &[&str], files: &[(&str, &str)], codes: &[i32]) {
    let (memory, threads) = (format!("{megabytes}M"), threads.to_string());
    let all = [args, &["--memory", &memory, "--threads", &threads]].concat();
    let ended = run(&all, files);
    let most = (megabytes << 20) * 115 / 100 + (30 << 20);
    let peak = ended.peak >> 20;
    assert!(ended.peak <= most, "{all:?}: {peak} MB of {}", most >> 20);
    assert!(codes.contains(&ended.code), "{all:?}: exit code {}\n{}", ended.code, ended.stdout);
}

/// Runs a command on one thread with one board in the file `boards.txt`, and on two threads with two of them.
#[track_caller]
fn assert_on_boards(megabytes: u64, args: &[&str], board: &str, codes: &[i32]) {
    for threads in [1, 2] {
        let boards = format!("{board}\n").repeat(threads);
        assert_within(megabytes, threads, args, &[("boards.txt", &boards)], codes);
    }
}

const LIMIT: i32 = 5;

/// Checks searches that do not solve a board within their memory, and the first one also on two threads.
fn assert_searches(searches: &[&str]) {
    let board = format!("{ENDLESS}\n");
    for (number, search) in searches.iter().enumerate() {
        let args = ["solve", "boards.txt", "--algorithm", search, "--node-limit", "1000000000"];
        match number {
            0 => assert_on_boards(32, &args, ENDLESS, &[LIMIT]),
            _ => assert_within(32, 1, &args, &[("boards.txt", &board)], &[LIMIT]),
        }
    }
}

// Several tests, which run in parallel.

#[test]
fn the_solvers_respect_the_memory_limit() {
    assert_searches(&["exact", "portfolio", "layers"]);
}

#[test]
fn uninformed_searches_respect_the_memory_limit() {
    let breadth_first = ["bfs", "bfs(tree)", "bfs(tree, early, prune=pre)", "bfs(tree, prune=post)"];
    assert_searches(&breadth_first);
    assert_searches(&["hybrid(cutoff=20, depth=30)", "dfs", "id", "id(increment=5, shortcut=yes)"]);
}

#[test]
fn best_first_searches_respect_the_memory_limit() {
    assert_searches(&["astar(h1)", "astar(perfect)", "astar(max(perfect, pattern-database))"]);
    assert_searches(&["astar(max(landmarks, pattern-database))", "wastar(h1, weight=2, shortcut=yes)"]);
    assert_searches(&["greedy(number-of-siblings, shortcut=yes)", "beam(mobility, width=1000000)"]);
}

#[test]
fn iterative_searches_with_a_table_respect_the_memory_limit() {
    assert_searches(&["id(memo=kept, growth=2, reopen=no)", "ida(h1, both, memo=kept)"]);
    assert_searches(&["ida(policy=hand, order, increment=5)", "ibex(h1)"]);
}

/// Returns the last boards of a suite, one per line.
fn suite(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().rev().filter(|line| !line.starts_with('#')).take(count).collect();
    lines.join("\n") + "\n"
}

/// A board of 8x8 with tens of millions of states, and one with a hundred thousand.
const SPARSE: &str = "8x8:.B.C.D.E.B.C.D.E........AA......F.G.H.I.F.G.H.I.................";
const MEDIUM: &str = "8x8:.B.C.D...B.C.D..........AA......F.G.....F.G.....................";
/// Boards of 8x8 with tens of thousands of states.
const TRAINING: &str = include_str!("../../../rush/suites/train-8x8.tsv");

#[test]
fn analyses_respect_the_memory_limit() {
    for board in [SPARSE, ENDLESS] {
        assert_on_boards(48, &["solve", "boards.txt", "--analyze", "--metric", "steps"], board, &[LIMIT]);
        assert_on_boards(48, &["grade", "boards.txt", "--json"], board, &[LIMIT]);
    }
    // Enough for visiting the states, but perhaps not for the whole analysis.
    assert_on_boards(16, &["grade", "boards.txt", "--json"], MEDIUM, &[0, LIMIT]);
}

#[test]
fn packs_respect_the_memory_limit() {
    assert_on_boards(32, &["forge", "merge", "boards.txt"], SPARSE, &[LIMIT]);
    assert_on_boards(16, &["forge", "merge", "boards.txt", "--minimal"], MEDIUM, &[0, LIMIT]);
    let pack = ["forge", "pack", "--size", "8", "--count", "2", "--from", "5", "--to", "12", "--patience", "10"];
    assert_within(32, 3, &pack, &[], &[0, LIMIT]);
}

#[test]
fn certificates_respect_the_memory_limit() {
    let board = format!("{ENDLESS}\n");
    // The formula for a thousand moves does not fit. That for twelve moves does, and the solver works on it until it is stopped.
    for (moves, time) in [("1000", "60s"), ("12", "2s")] {
        let args = ["prove", "boards.txt", "--moves", moves, "--out", "certificate", "--time-limit", time];
        assert_within(64, 1, &args, &[("boards.txt", &board)], &[0, LIMIT]);
    }
}

#[test]
fn comparisons_respect_the_memory_limit() {
    let searches = ["--algorithm", "id", "--algorithm", "astar(perfect)", "--algorithm", "bfs(tree, prune=pre)"];
    let args = [&["compare", "boards.txt", "--json", "--node-limit", "1000000000"], &searches[..]].concat();
    assert_on_boards(48, &args, ENDLESS, &[LIMIT]);
    assert_on_boards(48, &["policy", "test", "memo-8x8", "boards.txt", "--brief"], ENDLESS, &[LIMIT]);
}

#[test]
fn evolution_respects_the_memory_limit() {
    // The boards do not fit, which is detected before they are prepared.
    let training = suite(TRAINING, 40);
    let args = ["evolve", "--suite", "boards.tsv", "--test", "cards", "--generations", "1", "--population", "8"];
    assert_within(32, 3, &args, &[("boards.tsv", &training)], &[LIMIT]);
    // These boards fit, and so must their searches.
    let few = suite(TRAINING, 3);
    let more = ["--sample", "3", "--validate", "it3105"];
    assert_within(128, 3, &[&args[..], &more].concat(), &[("boards.tsv", &few)], &[0]);
}

#[test]
fn generators_and_tiles_respect_the_memory_limit() {
    let all: [&[&str]; 5] = [
        &["forge", "random", "--count", "20", "--size", "10"],
        &["forge", "backward", "--count", "2", "--size", "8", "--from", "5", "--patience", "20"],
        &["forge", "climb", "--size", "8", "--evaluations", "60", "--largest", "10000"],
        &["forge", "enumerate", "--size", "4"],
        &["tiles", "solve", "15 14 8 12 10 11 13 9 2 6 5 1 3 7 4 0", "--node-limit", "500000"],
    ];
    for args in all {
        assert_within(64, 3, args, &[], &[0, LIMIT]);
    }
}
