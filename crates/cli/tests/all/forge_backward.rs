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
fn puzzles_are_the_same_for_any_number_of_threads_and_other_for_another_seed() {
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
fn what_does_not_exist_is_given_up_with_what_was_reached() {
    let longer = ["forge", "backward", "--size", "4", "--from", "30", "--to", "40", "--patience", "50"];
    let message = "50 attempts in a row gave nothing new before 10 puzzles were found; the longest had";
    clearway(&longer).done().code(5).complains(message).without_data();
    let all = ["forge", "backward", "--size", "4", "--from", "6", "--to", "9", "--count", "1000", "--patience", "200"];
    let done = clearway(&all).done().code(5).complains("200 attempts in a row gave nothing new");
    assert!(done.stdout.lines().count() > 1);
    let budget = ["forge", "backward", "--from", "60", "--to", "60", "--budget", "100ms"];
    clearway(&budget).done().code(5).complains("the budget ended before 10 puzzles were found").without_data();
}

#[test]
fn impossible_requests_are_refused() {
    for (arguments, message) in [
        (&["--from", "9", "--to", "8"][..], "at least 9 and at most 8 moves"),
        (&["--from", "0"], "--from"),
        (&["--size", "2"], "both sides must be from 4 to 16"),
        (&["--walls", "200"], "at most 18 are possible"),
        (&["--time-limit", "0s"], "--time-limit is 0"),
    ] {
        let arguments = [&["forge", "backward"], arguments].concat();
        clearway(&arguments).done().code(2).complains(message).without_data();
    }
}
