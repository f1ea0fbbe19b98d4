//! `--memory` bounds the process: its peak, as the system counts it, exceeds the limit by at most 15 % and 30 MB.

use crate::common::{ENDLESS, clearway};
use std::io::Read;
use wait4::Wait4;

/// What a run ended with.
struct Ended {
    code: i32,
    /// The most memory that it held, in bytes.
    peak: u64,
    stdout: String,
}

/// Runs a command to its end.
fn run(args: &[&str], files: &[(&str, &str)]) -> Ended {
    let run = files.iter().fold(clearway(args), |run, (name, text)| run.file(name, text));
    let (mut child, _folder) = run.spawn();
    drop(child.stdin.take());
    let mut stderr = child.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).map(|_| text)
    });
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    let stderr = reader.join().unwrap().unwrap();
    let ended = child.wait4().unwrap();
    let code = ended.status.code().unwrap_or_else(|| panic!("{args:?} was killed: {stderr}"));
    Ended { code, peak: ended.rusage.maxrss, stdout }
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

/// An empty board of 14x14 but for a few cars: far too many states for any limit here.
const SPARSE: &str = "8x8:.B.C.D.E.B.C.D.E........AA......F.G.H.I.F.G.H.I.................";

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
