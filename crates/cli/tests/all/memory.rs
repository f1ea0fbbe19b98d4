//! `--memory` bounds the process: its peak, as the system counts it, exceeds the limit by at most 15 % and 30 MB.

use crate::common::{ENDLESS, clearway};
use std::fs;
use std::io::Read;
use std::process::Child;
use std::thread::JoinHandle;
use std::time::Duration;

/// What a run ended with.
struct Ended {
    code: i32,
    /// The most memory that it held, in bytes.
    peak: u64,
    stdout: String,
}

/// The most memory that a process has had at a time, in bytes; none once it has ended. What the system counts for an ended
/// process includes the memory that its parent had when it started it.
pub fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// Reads a stream to its end on a thread of its own.
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

/// Runs a command on one thread and on three, with so many megabytes, each of which ends with one of the codes.
#[track_caller]
fn keeps(megabytes: u64, args: &[&str], files: &[(&str, &str)], codes: &[i32]) {
    let memory = format!("{megabytes}M");
    for threads in ["1", "3"] {
        let all = [args, &["--memory", &memory, "--threads", threads]].concat();
        let ended = run(&all, files);
        let most = (megabytes << 20) * 115 / 100 + (30 << 20);
        let peak = ended.peak >> 20;
        assert!(ended.peak <= most, "{all:?}: {peak} MB of {}", most >> 20);
        assert!(codes.contains(&ended.code), "{all:?}: exit code {}\n{}", ended.code, ended.stdout);
    }
}

/// The same boards several times, so that several threads have work.
fn boards() -> String {
    format!("{ENDLESS}\n").repeat(3)
}

const LIMIT: i32 = 5;

#[test]
fn every_search_keeps_to_its_memory() {
    let searches = [
        "exact",
        "bfs",
        "bfs(tree)",
        "bfs(tree, early, prune=pre)",
        "bfs(tree, prune=post)",
        "hybrid(cutoff=20, depth=30)",
        "dfs",
        "astar(h1)",
        "astar(perfect)",
        "astar(max(perfect, pattern-database))",
        "astar(max(landmarks, pattern-database))",
        "wastar(h1, weight=2, shortcut=yes)",
        "greedy(number-of-siblings, shortcut=yes)",
        "id",
        "id(increment=5, shortcut=yes)",
        "id(memo=kept, growth=2, reopen=no)",
        "ida(h1, both, memo=kept)",
        "ida(policy=hand, order, increment=5)",
        "ibex(h1)",
        "beam(mobility, width=1000000)",
    ];
    for search in searches {
        let args = ["solve", "boards.txt", "--algorithm", search, "--node-limit", "1000000000"];
        keeps(64, &args, &[("boards.txt", &boards())], &[LIMIT]);
    }
}

/// The last boards of a suite, one a line.
fn suite(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().rev().filter(|line| !line.starts_with('#')).take(count).collect();
    lines.join("\n") + "\n"
}

/// A board of 8x8 with tens of millions of states, and one with a hundred thousand.
const SPARSE: &str = "8x8:.B.C.D.E.B.C.D.E........AA......F.G.H.I.F.G.H.I.................";
const MEDIUM: &str = "8x8:.B.C.D...B.C.D..........AA......F.G.....F.G.....................";
/// Boards of 8x8 with tens of thousands of states.
const TRAINING: &str = include_str!("../../../../suites/train-8x8.tsv");

#[test]
fn walks_over_all_states_keep_to_their_memory() {
    let large = format!("{SPARSE}\n{SPARSE}\n{ENDLESS}\n");
    let files = [("large.txt", &*large)];
    keeps(64, &["solve", "large.txt", "--analyze", "--metric", "steps"], &files, &[LIMIT]);
    keeps(64, &["grade", "large.txt", "--json"], &files, &[LIMIT]);
    // Enough for the walk, but perhaps not for all that follows from it.
    let medium = format!("{MEDIUM}\n").repeat(3);
    keeps(16, &["grade", "medium.txt", "--json"], &[("medium.txt", &medium)], &[0, LIMIT]);
}

#[test]
fn comparisons_keep_to_their_memory() {
    let boards = boards();
    let searches = ["--algorithm", "id", "--algorithm", "astar(perfect)", "--algorithm", "bfs(tree, prune=pre)"];
    let args = [&["compare", "boards.txt", "--json", "--node-limit", "1000000000"], &searches[..]].concat();
    keeps(64, &args, &[("boards.txt", &boards)], &[LIMIT]);
    keeps(64, &["policy", "test", "memo-8x8", "boards.txt", "--brief"], &[("boards.txt", &boards)], &[LIMIT]);
}

#[test]
fn evolution_keeps_to_its_memory() {
    // The boards do not fit: that is known before they are made.
    let training = suite(TRAINING, 40);
    let args = ["evolve", "--suite", "boards.tsv", "--test", "cards", "--generations", "1", "--population", "8"];
    keeps(32, &args, &[("boards.tsv", &training)], &[LIMIT]);
    // These do, and so must their searches.
    let few = suite(TRAINING, 3);
    let more = ["--sample", "3", "--validate", "it3105"];
    keeps(128, &[&args[..], &more].concat(), &[("boards.tsv", &few)], &[0]);
}

#[test]
fn the_makers_of_boards_and_the_tiles_keep_to_their_memory() {
    let all: [&[&str]; 5] = [
        &["forge", "random", "--count", "20", "--size", "10"],
        &["forge", "backward", "--count", "2", "--size", "8", "--from", "5", "--patience", "20"],
        &["forge", "climb", "--size", "8", "--evaluations", "60", "--largest", "10000"],
        &["forge", "enumerate", "--size", "4"],
        &["tiles", "solve", "15 14 8 12 10 11 13 9 2 6 5 1 3 7 4 0", "--node-limit", "500000"],
    ];
    for args in all {
        keeps(64, args, &[], &[0, LIMIT]);
    }
}
