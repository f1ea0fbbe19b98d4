//! `clearway forge climb`: budgets, checkpoints and invalid options.

use crate::common::{self, JAM01, clearway};
#[cfg(unix)]
use std::process::Child;

/// Arguments of a short climb.
const QUICK: [&str; 16] = [
    "forge",
    "climb",
    "--size",
    "5",
    "--lanes",
    "2",
    "--population",
    "4",
    "--round",
    "20",
    "--patience",
    "60",
    "--kicks",
    "1",
    "--seed",
    "7",
];

fn climb(more: &[&str]) -> common::Run {
    clearway(&[&QUICK[..], more].concat())
}

#[test]
fn the_boards_printed_are_a_suite_with_exact_lengths() {
    let done = climb(&["--evaluations", "1200", "--count", "3"]).done().code(0).complains("1,200 boards in");
    assert_eq!(done.stdout.lines().count(), 3);
    // Solving the suite exits with an error if a length is wrong.
    let solved = clearway(&["solve", "-", "--json"]).stdin(done.stdout.clone()).done().code(0);
    let moves: Vec<String> = solved.records().iter().map(|record| record["moves"].to_string()).collect();
    let printed: Vec<&str> = done.stdout.lines().filter_map(|line| line.split('\t').nth(4)).collect();
    assert_eq!(moves, printed);
    assert!(done.stdout.starts_with("C1\t5x5\tright\t"), "{}", done.stdout);
}

#[test]
fn json_has_the_origin_of_each_board() {
    let done = climb(&["--evaluations", "300", "--json", "--fitness", "steps"]).done().code(0);
    let record = &done.records()[0];
    assert_eq!((&record["fitness"], &record["seed"]), (&"steps".into(), &7.into()));
    assert_eq!(record["value"], record["steps"]);
    assert!(record["moves"].as_u64() > Some(3), "{record}");
    assert!(record["lane"].is_u64() && record["ascent"].is_u64() && record["vehicles"].is_u64());
}

#[test]
fn threads_and_interruptions_do_not_change_the_result() {
    let whole = climb(&["--evaluations", "600", "--count", "9", "--threads", "1"]).done().code(0).stdout;
    let two = climb(&["--evaluations", "600", "--count", "9", "--threads", "2"]).done().code(0).stdout;
    assert_eq!(two, whole);
    let half = climb(&["--evaluations", "250", "--resume", "state"]).done().code(0);
    let state = half.read("state");
    let rest = climb(&["--evaluations", "600", "--count", "9", "--resume", "state"]).file("state", &state);
    assert_eq!(rest.done().code(0).complains("350 boards in").stdout, whole);
    clearway(&["forge", "climb", "--size", "5", "--evaluations", "1", "--resume", "state"])
        .file("state", &state)
        .done()
        .code(3)
        .without_data()
        .complains("made with other options");
}

#[test]
fn a_target_or_the_budget_ends_the_climb() {
    climb(&["--target", "5"]).done().code(0).complains("the target was reached");
    climb(&["--target", "500", "--evaluations", "100"])
        .done()
        .code(5)
        .says("C1\t")
        .complains("the limit on evaluations was reached");
    climb(&["--budget", "0s"]).done().code(5).without_data().complains("the time budget ran out");
    let done = climb(&["--restarts", "1", "--out", "peaks.tsv", "--count", "9"]).done().code(0).without_data();
    assert_eq!(done.read("peaks.tsv").lines().count(), 2, "one board per lane");
}

#[test]
fn climbs_start_from_given_boards() {
    let wrapped = ["forge", "climb", "--size", "8", "--from", JAM01, "--evaluations", "40", "--lanes", "1"];
    clearway(&wrapped).done().code(0).says("C1\t8x8\tright\t");
    climb(&["--from", JAM01, "--evaluations", "9"]).done().code(3).complains("does not fit into one of 5x5");
    climb(&["--from-suite", "cards", "--evaluations", "9"]).done().code(3).complains("JAM01: a board of 6x6");
}

#[test]
fn invalid_options_are_rejected() {
    for (more, complaint) in [
        (&["--walls", "200"][..], "are too many for a board"),
        (&["--line", "5"], "lines 0 to 4"),
        (&["--largest", "100000000", "--threads", "2"], "lower --largest or --threads"),
        // The limit includes the states of the board without its removable vehicles.
        (&["--largest", "100000", "--threads", "1", "--memory", "50M"], "400,000 states on 1 thread may need 97 MB"),
        (&["--node-limit", "0"], "--node-limit is 0"),
        (&["--time-limit", "1s"], "use --budget"),
        (&["--fitness", "beauty"], "id-nodes"),
        (&["--population", "0"], "--population"),
        (&["--inner", "6"], "cannot be framed in 5x5"),
        (&["--inner", "3"], "--inner: unsupported board size 3x3"),
        (&["--inner", "4", "--from-suite", "cards"], "cannot be used with"),
    ] {
        climb(more).done().code(2).without_data().complains(complaint);
    }
    clearway(&["forge", "climb", "--size", "eight"]).done().code(2).complains("invalid size");
    clearway(&["forge", "climb", "--size", "3"]).done().code(2).complains("from 4 to 16");
    clearway(&["forge", "climb", "--line", "8"]).done().code(2).complains("use --line with a number from 0 to 7");
    clearway(&["forge", "climb", "--walls", "33"]).done().code(2).complains("use --walls with a number from 0 to 32");
    climb(&["--evaluations", "9", "--resume", "state"])
        .file("state", "nonsense")
        .done()
        .code(3)
        .complains("not a checkpoint");
    for file in ["--out", "--resume"] {
        climb(&["--budget", "1h", file, "missing/file"]).done().code(3).complains("cannot write");
    }
}

/// Waits until an endless climb has found a board, acts, and interrupts it.
#[cfg(unix)]
fn interrupted(child: &mut Child, act: impl FnOnce()) -> common::Interrupted {
    let done = common::interrupt_after_note(child, act);
    assert!(done.first.contains(" moves after "), "{}", done.first);
    done
}

#[cfg(unix)]
#[test]
fn a_state_that_cannot_be_saved_loses_no_boards() {
    let run = climb(&["--budget", "1h", "--resume", "states/state", "--verbose"]);
    let states = run.path("states");
    std::fs::create_dir(&states).unwrap();
    let (mut child, _folder) = run.spawn();
    let done = interrupted(&mut child, || std::fs::remove_dir_all(&states).unwrap());
    assert_eq!(done.code, Some(3));
    assert!(done.stdout.starts_with("C1\t5x5\t"), "{}", done.stdout);
    assert!(done.stderr.contains("cannot write states/state"), "{}", done.stderr);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_boards_and_the_state() {
    let run = climb(&["--budget", "1h", "--resume", "state", "--verbose"]);
    let state = run.path("state");
    let (mut child, folder) = run.spawn();
    let done = interrupted(&mut child, || {});
    assert_eq!(done.code, Some(130));
    assert!(done.stdout.starts_with("C1\t5x5\t"), "{}", done.stdout);
    let state = std::fs::read_to_string(state).unwrap();
    drop(folder);
    let rest = climb(&["--evaluations", "1", "--resume", "state"]).file("state", &state).done().code(0);
    rest.complains("0 boards in");
}
