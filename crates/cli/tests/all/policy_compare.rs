//! `clearway policy compare`.

use crate::common::{ENDLESS, JAM01, UNSOLVABLE, clearway};

/// Expands fewer states than [`WORSE`] on most boards.
const BETTER: &str = "search: wastar(policy, weight=1)\nDEFAULT 3*h1\n";
const WORSE: &str = "search: ida(policy, prune, increment=5)\nDEFAULT h2\n";

fn compare(more: &[&str]) -> crate::common::Run {
    let args = ["policy", "compare", "better.policy", "worse.policy"];
    clearway(&[&args[..], more].concat()).file("better.policy", BETTER).file("worse.policy", WORSE)
}

#[test]
fn policies_are_compared_board_by_board() {
    let done = compare(&["--suite", "vandijk", "--suite", "it3105", "--search", "greedy(policy)", "--threads", "1"])
        .done()
        .code(0)
        .says("vandijk: 7 boards; states expanded per board")
        .says("vandijk: nodes of the first relative to the second, on boards that both solve")
        .says("better.policy / worse.policy")
        .says("better.policy, common search / worse.policy, common search")
        .says("it3105: boards solved");
    assert!(done.stdout.contains("greedy(policy=better.policy)"), "{}", done.stdout);
    assert_eq!(done.stdout.lines().filter(|line| line.starts_with("pair ")).count(), 2 * 3, "three tables per set");
}

#[test]
fn a_record_has_the_tests_of_every_pair() {
    let args = ["--suite", "vandijk", "--suite", "it3105", "--json", "--quiet"];
    let files = ["--csv", "a.csv", "--latex", "a.tex", "--html", "a.html"];
    let done = compare(&[&["hand"], &args[..], &files].concat()).done().code(0).quietly();
    let records = done.records();
    assert_eq!(records.len(), 2);
    let mut p_values = Vec::new();
    for record in &records {
        assert_eq!(record["searches"].as_array().unwrap().len(), 3);
        let pairs = record["comparisons"].as_array().unwrap();
        let names: Vec<_> = pairs.iter().map(|pair| (pair["first"].as_str(), pair["second"].as_str())).collect();
        let (better, worse, hand) = (Some("better.policy"), Some("worse.policy"), Some("hand"));
        assert_eq!(names, [(better, worse), (better, hand), (worse, hand)]);
        for pair in pairs {
            for measure in ["nodes", "length"] {
                let (p, adjusted) = (&pair[measure]["test"]["p"], &pair[measure]["adjusted_p"]);
                p_values.push((p.as_f64().unwrap(), adjusted.as_f64().unwrap()));
            }
            p_values.push((pair["solved"]["p"].as_f64().unwrap(), pair["solved"]["adjusted_p"].as_f64().unwrap()));
        }
    }
    // The adjusted values are those of Holm over all tests of the command.
    let found: Vec<f64> = p_values.iter().map(|(p, _)| *p).collect();
    for ((_, adjusted), expected) in p_values.iter().zip(clearway_lab::statistics::holm(&found)) {
        assert!((adjusted - expected).abs() < 1e-12, "{adjusted} {expected}");
    }
    // The statistics are those of the runs.
    let runs =
        ["policy", "test", "better.policy", "--beside", "worse.policy", "--suite", "vandijk", "--brief", "--json"];
    let tested = clearway(&runs).file("better.policy", BETTER).file("worse.policy", WORSE).done().records().remove(0);
    let nodes = |name: &str| -> Vec<f64> {
        let runs = tested["runs"].as_array().unwrap().iter().filter(|run| run["algorithm"] == name);
        runs.map(|run| run["expanded"].as_f64().unwrap()).collect()
    };
    let ratios: Vec<f64> = nodes("GP").iter().zip(nodes("worse.policy")).map(|(a, b)| a / b).collect();
    assert_eq!(ratios.len(), 7);
    let pair = &records[0]["comparisons"][0]["nodes"];
    let median = clearway_lab::statistics::median(&ratios);
    assert!((pair["median_ratio"].as_f64().unwrap() - median).abs() < 1e-12);
    let less = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
    assert_eq!(pair["less_equal_more"][0].as_u64(), Some(less as u64));
    let interval = &pair["interval"];
    assert!(interval["low"].as_f64().unwrap() <= median && median <= interval["high"].as_f64().unwrap());
    assert_eq!(done.read("a.csv").lines().count(), 1 + 2 * 3 * 3, "three measures of three pairs on two sets");
    assert_eq!(done.read("a.tex").matches("\\begin{tabular}").count(), 2 * 4);
    assert!(done.read("a.html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn lengths_are_in_the_given_metric() {
    let exact = |metric: &[&str]| {
        let record =
            compare(&[&["--boards", JAM01, "--json", "--quiet"], metric].concat()).done().code(0).records().remove(0);
        record["searches"].as_array().unwrap().iter().map(|search| search["nodes"]["mean"].as_f64()).collect::<Vec<_>>()
    };
    assert_eq!(exact(&[]), exact(&["--metric", "moves"]));
    assert_ne!(exact(&[]), exact(&["--metric", "steps"]), "in steps, a state has other successors");
    // The ratios are to the optimum in that metric, so no search can be below it.
    for metric in ["moves", "steps"] {
        let record =
            compare(&["--suite", "it3105", "--metric", metric, "--json", "--quiet"]).done().code(0).records().remove(0);
        for search in record["searches"].as_array().unwrap() {
            assert!(search["length_ratio"].as_f64().unwrap() >= 1.0, "{metric}: {search}");
        }
    }
    compare(&["--metric", "cells", "--boards", JAM01]).done().code(2).without_data();
}

#[test]
fn unsolved_boards_are_counted_and_left_out_of_ratios() {
    let done = compare(&["--boards", JAM01, "--boards", UNSOLVABLE, "--json"]).done().code(0);
    let pair = &done.records()[0]["comparisons"][0];
    assert_eq!((&pair["solved"]["both"], &pair["solved"]["p"]), (&1.into(), &1.0.into()));
    let limited = compare(&["--boards", JAM01, "--node-limit", "20", "--json"]).done().code(5);
    let pair = &limited.records()[0]["comparisons"][0];
    assert!(pair["solved"]["both"] == 0 && pair["nodes"]["median_ratio"].is_null(), "{pair}");
    compare(&["--boards", ENDLESS, "--time-limit", "50ms"]).done().code(5).says("0/1");
}

#[test]
fn invalid_arguments_are_rejected() {
    compare(&["better.policy", "--boards", JAM01]).done().code(2).complains("better.policy is given more than once");
    compare(&["--search", "bfs", "--boards", JAM01]).done().code(2).without_data().complains("guided by the policy");
    compare(&["none.policy"]).done().code(3).complains("cannot read none.policy");
    clearway(&["policy", "compare", "hand"]).done().code(2).without_data();
    compare(&["--suite", "none"]).done().code(2);
    compare(&["--html", ".", "--boards", JAM01]).done().code(3).without_data();
}
