//! `clearway solve` on a large board: what is found on the way is shown, and is not lost, however the search ends.

use crate::common::{ENDLESS, OPEN_IN_STEPS, clearway};
use serde_json::json;

/// A line of `--verbose`: length of the best plan, lower bound, engine, and the plan if it is new.
struct Improvement {
    moves: Option<u64>,
    lower_bound: u64,
    engine: String,
    plan: Option<String>,
}

/// Reads a line such as `#1: 27 moves, at least 15 needed (layers), 98.9 ms: A+1 B-2`.
fn improvement(line: &str) -> Option<Improvement> {
    let (length, rest) = line.strip_prefix("#1: ")?.split_once(", at least ")?;
    let (bound, rest) = rest.split_once(" needed (")?;
    let (engine, rest) = rest.split_once("), ")?;
    let plan = rest.split_once(": ").map(|(_, plan)| plan.to_owned());
    let moves = length.strip_suffix(" moves").map(|moves| moves.parse().unwrap());
    assert!(moves.is_some() || length == "no solution yet", "{line}");
    Some(Improvement { moves, lower_bound: bound.parse().unwrap(), engine: engine.to_owned(), plan })
}

#[track_caller]
fn assert_solves(board: &str, plan: &str, moves: u64) {
    clearway(&["verify", board, plan]).done().code(0).says(&format!("{moves} moves, "));
}

#[test]
fn verbose_prints_every_improvement_and_names_its_engine() {
    let done = clearway(&["solve", OPEN_IN_STEPS, "--verbose"]).done().code(0);
    let all: Vec<Improvement> = done.stderr.lines().filter_map(improvement).collect();
    assert!(all.len() > 3, "{}", done.stderr);
    for pair in all.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        let is_shorter = before.moves.is_none_or(|moves| after.moves.is_some_and(|next| next < moves));
        assert!(before.moves.is_none() || after.moves <= before.moves, "{}", done.stderr);
        assert!(before.lower_bound <= after.lower_bound && !after.engine.is_empty(), "{}", done.stderr);
        assert_eq!(after.plan.is_some(), is_shorter && after.moves.is_some(), "{}", done.stderr);
    }
    let last = all.last().unwrap();
    assert_eq!((last.moves, last.lower_bound, last.engine.as_str()), (Some(25), 25, "layers"));
    for found in &all {
        if let (Some(plan), Some(moves)) = (&found.plan, found.moves) {
            assert_solves(OPEN_IN_STEPS, plan, moves);
        }
    }
    clearway(&["solve", OPEN_IN_STEPS, "--first"]).done().code(0).quietly();
}

#[test]
fn the_engines_behind_the_plan_and_the_bound_are_named() {
    let args = ["solve", OPEN_IN_STEPS, "--node-limit", "8000"];
    let record = clearway(&[&args[..], &["--json"]].concat()).done().code(5).records().remove(0);
    let text = |field: &str| record[field].as_str().unwrap();
    assert_ne!(text("algorithm"), text("bound_algorithm"), "{record}");
    clearway(&[&args[..], &["--verbose"]].concat())
        .done()
        .code(5)
        .says(&format!("  by {}, ", text("algorithm")))
        .says(&format!("lower bound {} by {}\n", record["lower_bound"], text("bound_algorithm")))
        .says(&format!("\n#1               {}     ", record["moves"]))
        .says(&format!("the node limit was reached; at least {} moves needed\n", record["lower_bound"]));
}

#[test]
fn a_memory_limit_leaves_the_best_plan() {
    let done = clearway(&["solve", OPEN_IN_STEPS, "--json", "--memory", "24M", "--metric", "steps"]).done().code(5);
    let record = done.records().remove(0);
    assert_eq!((&record["status"], &record["limit"]), (&json!("limit"), &json!("memory")), "{record}");
    let moves: Vec<&str> = record["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    assert_solves(OPEN_IN_STEPS, &moves.join(" "), record["moves"].as_u64().unwrap());
}

#[cfg(unix)]
mod stopped {
    use super::*;
    use crate::common::{Signal, send};
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Child, ChildStderr};

    /// A search that does not end, and the first plan that it prints.
    struct Searching {
        child: Child,
        stderr: BufReader<ChildStderr>,
        found: Improvement,
        _folder: tempfile::TempDir,
    }

    fn search() -> Searching {
        let (mut child, folder) = clearway(&["solve", ENDLESS, "--json", "--verbose"]).spawn();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        loop {
            let mut line = String::new();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended early");
            if let Some(found) = improvement(line.trim_end()).filter(|found| found.plan.is_some()) {
                return Searching { child, stderr, found, _folder: folder };
            }
        }
    }

    #[test]
    fn an_interrupted_search_prints_the_best_plan() {
        for signal in [Signal::INT, Signal::TERM] {
            let mut searching = search();
            send(&searching.child, signal);
            let mut stdout = String::new();
            searching.child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
            assert_eq!(searching.child.wait().unwrap().code(), Some(130));
            let record: serde_json::Value = serde_json::from_str(&stdout).expect("a complete record");
            assert_eq!((&record["status"], &record["limit"]), (&json!("limit"), &json!("interrupted")));
            assert!(record["moves"].as_u64() <= searching.found.moves, "{record}");
            let moves = record["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
            assert_solves(ENDLESS, &moves.collect::<Vec<_>>().join(" "), record["moves"].as_u64().unwrap());
        }
    }

    #[test]
    fn a_killed_search_has_printed_its_best_plan() {
        let mut searching = search();
        send(&searching.child, Signal::KILL);
        let mut rest = String::new();
        searching.stderr.read_to_string(&mut rest).unwrap();
        assert_eq!(searching.child.wait().unwrap().code(), None);
        let mut later = rest.lines().filter_map(improvement).filter(|found| found.plan.is_some());
        let best = later.next_back().unwrap_or(searching.found);
        assert_solves(ENDLESS, &best.plan.unwrap(), best.moves.unwrap());
    }
}

/// Progress, which is shown on terminals only.
#[cfg(target_os = "linux")]
mod terminal {
    use super::*;
    use crate::common::{Signal, send};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::fs::File;
    use std::io::Read;
    use std::process::Command;

    #[test]
    fn progress_shows_the_best_plan_the_bound_the_engine_and_the_time() {
        let mut terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).map(File::from).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let path = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
        let stderr = File::options().read(true).write(true).open(path).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_clearway"));
        command.args(["solve", ENDLESS]).env("TERM", "xterm").stdout(std::process::Stdio::null()).stderr(stderr);
        let mut child = command.spawn().unwrap();
        drop(command); // with its copy of the terminal
        let mut shown = String::new();
        // A bar is drawn again and again; the test waits for one with a plan.
        while !shown.lines().any(is_progress) {
            let mut bytes = [0; 4096];
            let count = terminal.read(&mut bytes).unwrap();
            shown += &String::from_utf8_lossy(&bytes[..count]).replace(['\r', '\u{1b}'], "\n");
        }
        send(&child, Signal::INT);
        // The terminal has to be read until the end, because the program waits for its output to be taken.
        while terminal.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {}
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }

    /// Whether a line says something like `29 moves, at least 16 needed (layers), 2s elapsed`.
    fn is_progress(line: &str) -> bool {
        let parse = || {
            let (moves, rest) = line.split_once(" moves, at least ")?;
            let (bound, rest) = rest.split_once(" needed (")?;
            let (engine, rest) = rest.split_once("), ")?;
            let moves: u64 = moves.rsplit(' ').next()?.parse().ok()?;
            let bound: u64 = bound.parse().ok()?;
            Some(
                bound <= moves
                    && !engine.is_empty()
                    && rest.starts_with(|c: char| c.is_ascii_digit())
                    && rest.contains(" elapsed"),
            )
        };
        parse().unwrap_or(false)
    }
}
