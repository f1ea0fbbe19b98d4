//! `clearway forge backward`.

use crate::common::clearway;

#[test]
fn minimal_puzzles_are_printed_with_moves_and_states() {
    let arguments = ["forge", "backward", "--count", "6", "--from", "6", "--to", "14", "--seed", "7"];
    let done = clearway(&arguments).done().code(0).complains("6 puzzles from");
    let lines = done.stdout.clone();
    assert_eq!(lines.lines().count(), 6);
    let records = clearway(&["solve", "-", "--analyze", "--json"]).stdin(lines.clone()).done().code(0).records();
    for (line, record) in lines.lines().zip(records) {
        let words: Vec<&str> = line.split(' ').collect();
        let moves: u64 = words[0].parse().unwrap();
        assert!((6..=14).contains(&moves), "{line}");
        assert_eq!((record["moves"].as_u64(), record["analysis"]["depth"].as_u64()), (Some(moves), Some(moves)));
        assert_eq!(
            (record["board"].as_str(), record["analysis"]["states"].as_u64()),
            (Some(words[1]), words[2].parse().ok())
        );
    }
}

#[test]
fn puzzles_depend_on_the_seed_but_not_on_the_threads() {
    let puzzles = |seed: &str, threads: &str| {
        let shape = ["--size", "5x6", "--exit", "bottom", "--walls", "2", "--from", "3", "--to", "9"];
        let rest = ["--count", "8", "--seed", seed, "--threads", threads, "--json", "--out", "a.jsonl", "--quiet"];
        let done = clearway(&[&["forge", "backward"], &shape[..], &rest].concat()).done().code(0).quietly();
        done.read("a.jsonl")
    };
    let alone = puzzles("1", "1");
    assert_eq!(alone.lines().count(), 8);
    assert_eq!(puzzles("1", "5"), alone);
    assert_ne!(puzzles("2", "1"), alone);
    let first: serde_json::Value = serde_json::from_str(alone.lines().next().unwrap()).unwrap();
    assert!(first["board"].as_str().unwrap().ends_with("@bottom"));
    assert!(first["moves"].is_u64() && first["states"].is_u64());
}

#[test]
fn impossible_lengths_exhaust_the_patience() {
    let longer = ["forge", "backward", "--size", "4", "--from", "30", "--to", "40", "--patience", "50"];
    let message = "50 attempts in a row found nothing new before 10 puzzles were found; the longest has";
    clearway(&longer).done().code(5).complains(message).without_data();
    let all = ["forge", "backward", "--size", "4", "--from", "6", "--to", "9", "--count", "1000", "--patience", "200"];
    let done = clearway(&all).done().code(5).complains("200 attempts in a row found nothing new");
    assert!(done.stdout.lines().count() > 1);
    let budget = ["forge", "backward", "--from", "60", "--to", "60", "--budget", "100ms"];
    clearway(&budget).done().code(5).complains("the time budget ran out before 10 puzzles were found").without_data();
}

#[test]
fn impossible_requests_are_rejected() {
    for (arguments, message) in [
        (&["--from", "9", "--to", "8"][..], "--from 9 is greater than --to 8"),
        (&["--from", "0"], "--from"),
        (&["--size", "2"], "both sides must be from 4 to 16"),
        (&["--walls", "200"], "at most 18 are allowed"),
        (&["--time-limit", "0s"], "--time-limit is 0"),
    ] {
        let arguments = [&["forge", "backward"], arguments].concat();
        clearway(&arguments).done().code(2).complains(message).without_data();
    }
}
