//! `clearway policy test`.

use crate::common::{ENDLESS, JAM01, clearway, interrupt_at_work};

const POLICY: &str = "search: ida(policy, prune, increment=5, memo=kept)\nDEFAULT 2*h1\n";

#[test]
fn a_policy_is_compared_with_other_searches() {
    let done = clearway(&["policy", "test", "my.policy", JAM01, "--beside", "hand", "--threads", "1"])
        .file("my.policy", POLICY)
        .done()
        .code(0)
        .says("boards: per cent of None");
    let names: Vec<&str> = done.stdout.lines().skip(2).map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(names[..5], ["None", "None, increment 1", "BFS", "A*, best admissible", "perfect ordering"]);
    assert_eq!(names[5..9], ["H1", "H2", "H3", "Hc"]);
    assert_eq!(names[9..13], ["H1", "H2", "H3", "Hc"].map(|name| format!("{name}, same search")));
    assert_eq!(names[13..], ["GP", "GP, IDA* order", "GP, IDA* prune", "GP, best-first", "hand"]);
    let row = |name: &str| done.stdout.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(row("None ").contains("100 %") && row("None ").contains("1/1"));
    assert_eq!(
        row("hand").split_whitespace().nth(1),
        row("Hc").split_whitespace().nth(1),
        "the rules written by hand are Hc"
    );
    let same = clearway(&["policy", "test", "hand", JAM01, "--json"]).done().code(0).records().remove(0);
    let nodes = |name: &str| {
        let columns = same["columns"].as_array().unwrap();
        columns.iter().find(|column| column["name"] == name).unwrap()["nodes"].as_f64().unwrap()
    };
    for name in ["H1", "H2", "H3", "Hc"] {
        let (plain, same) = (nodes(name), nodes(&format!("{name}, same search")));
        assert!((plain - same).abs() < 1e-9, "the search of the policy is the plain one: {plain} {same}");
    }
    assert!((nodes("GP") - nodes("Hc")).abs() < 1e-9);
}

#[test]
fn each_set_of_boards_is_an_object_and_is_in_the_files() {
    let arguments = ["policy", "test", "hand", "--suite", "servais", JAM01, "--brief", "--json", "--quiet"];
    let done = clearway(&[&arguments[..], &["--csv", "a.csv", "--html", "a.html"]].concat()).done().code(0).quietly();
    let records = done.records();
    assert_eq!(records.len(), 2);
    assert_eq!((&records[0]["policy"], &records[0]["suite"]), (&"hand".into(), &"servais".into()));
    assert_eq!((&records[1]["suite"], &records[1]["boards"]), (&"boards".into(), &1.into()));
    let column = &records[1]["columns"][1];
    assert_eq!((&column["name"], &column["algorithm"]), (&"GP".into(), &"ida(policy=hand, prune, increment=5)".into()));
    assert_eq!((&column["solved"], records[1]["runs"].as_array().unwrap().len()), (&1.into(), 2));
    assert!(column["nodes_percent"].as_f64().unwrap() < 100.0);
    assert_eq!(done.read("a.csv").lines().count(), 5);
    assert!(done.read("a.html").starts_with("<!DOCTYPE html>"));
    assert_eq!(done.listing(), ["a.csv", "a.html"]);
}

#[test]
fn limits_and_invalid_input_have_exit_codes() {
    let test =
        |arguments: &[&str]| clearway(&[&["policy", "test"], arguments].concat()).file("bad", "DEFAULT x\n").done();
    test(&["hand", JAM01, "--brief", "--node-limit", "10"]).code(5).says("0/1");
    test(&["hand", ENDLESS, "--brief", "--time-limit", "50ms"]).code(5);
    test(&["bad", JAM01]).code(3).without_data();
    test(&["hand", JAM01, "--beside", "bad"]).code(3).without_data();
    test(&["hand", "no-such.txt"]).code(3).without_data();
    test(&["hand", "--suite", "none"]).code(2);
    test(&["hand", JAM01, "--html", "."]).code(3).without_data();
    test(&["hand", "????", JAM01, "--brief", "--keep-going"]).code(3).says("GP");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_test_reports_the_missing_boards() {
    let test = ["policy", "test", "hand", "--suite", "servais", ENDLESS, "--brief", "--memory", "64G"];
    let (mut child, _folder) = clearway(&[&test[..], &["--json"]].concat()).spawn();
    let (rest, stderr) = interrupt_at_work(&mut child, 1);
    let record: serde_json::Value = serde_json::from_str(&rest).unwrap();
    assert_eq!((&record["suite"], &record["boards"], &record["left_out"]), (&"boards".into(), &0.into(), &1.into()));
    for column in record["columns"].as_array().unwrap() {
        for name in ["nodes_percent", "total_percent", "nodes", "evaluated", "seconds", "seconds_percent"] {
            assert!(column[name].is_null(), "{column}");
        }
    }
    assert!(stderr.contains("interrupted; missing: 1 board of boards"), "{stderr}");

    // The table of the first set has a title, a header and two rows.
    let (mut child, _folder) = clearway(&test).spawn();
    let (rest, _) = interrupt_at_work(&mut child, 4);
    assert!(rest.contains("boards (1 board not measured)"), "{rest}");
    let rows: Vec<&str> = rest.lines().filter(|line| line.starts_with("None ") || line.starts_with("GP ")).collect();
    assert_eq!(rows.len(), 2, "{rest}");
    for row in rows {
        let cells: Vec<&str> = row.split_whitespace().skip(1).collect();
        assert_eq!(cells, ["-", "-", "-", "-", "-", "-", "0/0", "-", "-"], "{rest}");
    }
}
