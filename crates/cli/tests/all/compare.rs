//! `clearway compare`, and `clearway solve --algorithm`.

use crate::common::{ENDLESS, JAM01, UNSOLVABLE, clearway};

#[test]
fn algorithms_are_compared_on_boards() {
    clearway(&["compare", JAM01, "--algorithm", "bfs", "--algorithm", "astar(blockers)"])
        .done()
        .code(0)
        .says("[1] bfs\n[2] astar(blockers)\n")
        .says("board  optimum")
        .says("#1           8")
        .says("algorithm        solved")
        .complains("2 runs on 1 board in");
}

#[test]
fn json_has_one_object_per_board_and_algorithm_in_order() {
    let arguments = ["compare", "--suite", "it3105", "-A", "bfs", "-A", "ida(h1, prune, increment=5)", "--json"];
    let done = clearway(&arguments).done().code(0).quietly();
    let records = done.records();
    assert_eq!(records.len(), 12);
    let names: Vec<_> = records.iter().map(|record| record["name"].as_str().unwrap()).collect();
    assert_eq!(names[..4], ["easy-3", "easy-3", "medium-1", "medium-1"]);
    assert_eq!(records[1]["algorithm"], "ida(h1, prune, increment=5)");
    assert_eq!(records[1]["canonical"], "ida(blockers-lower-bound, prune, increment=5)");
    for field in [
        "board",
        "status",
        "moves",
        "steps",
        "optimum",
        "expanded",
        "generated",
        "evaluated",
        "goal_tests",
        "reopened",
        "duplicates",
        "peak_open",
        "peak_memory",
        "until_last_jump",
        "table_size",
        "seconds",
    ] {
        assert!(!records[0][field].is_null(), "{field}");
    }
    assert_eq!((&records[0]["status"], &records[0]["moves"]), (&"solved".into(), &6.into()));
}

#[test]
fn counts_do_not_depend_on_the_threads() {
    let run = |threads: &str| {
        let done = clearway(&["compare", "--suite", "vandijk", "--json", "--node-limit", "5000", "--threads", threads]);
        let mut records = done.done().code(5).records();
        for record in &mut records {
            record.as_object_mut().unwrap().remove("seconds");
        }
        records
    };
    let alone = run("1");
    assert_eq!(alone.len(), 42);
    assert_eq!(run("8"), alone);
}

#[test]
fn html_and_csv_are_written() {
    let arguments =
        ["compare", JAM01, "-A", "bfs", "-A", "greedy(h1)", "--csv", "a.csv", "--html", "a.html", "--resume", "a.log"];
    let done = clearway(&arguments).done().code(0);
    assert_eq!(done.read("a.csv").lines().count(), 3);
    assert!(done.read("a.html").starts_with("<!DOCTYPE html>"));
    assert_eq!(done.read("a.log").lines().count(), 4);
    assert_eq!(done.listing(), ["a.csv", "a.html", "a.log"]);
    let log = done.read("a.log");
    clearway(&arguments).file("a.log", log).done().code(0).complains("3 runs reused from an earlier comparison");
    clearway(&arguments).file("a.log", "mine\n").done().code(3).complains("a.log cannot be resumed").without_data();
}

#[test]
fn unwritable_files_fail_before_the_work() {
    for option in ["--csv", "--html", "--resume"] {
        clearway(&["compare", ENDLESS, option, "no/such/folder/x"]).done().code(3).complains("no/such/folder/x");
    }
    clearway(&["compare", ENDLESS, "--html", "."]).done().code(3).complains("cannot write");
}

#[test]
fn all_names_are_listed() {
    let done = clearway(&["compare", "--list"]).done().code(0).quietly();
    for name in [
        "cards",
        "vandijk",
        "random-walk",
        "prune=none|pre|post",
        "blockers-lower-bound, h1",
        "with the default options",
    ] {
        assert!(done.stdout.contains(name), "{name} is not in\n{}", done.stdout);
    }
}

#[test]
fn unknown_names_and_invalid_options_are_rejected() {
    for (text, message) in [
        ("astarr(blockers)", "did you mean 'astar'?"),
        ("quux", "expected one of exact, portfolio, layers, bfs, dfs"),
        ("astar(quux)", "unknown heuristic 'quux'"),
        ("bfs(blockers)", "bfs takes no heuristic"),
        ("astar(h1, weight=3)", "astar has no option 'weight'; it is an option of wastar"),
    ] {
        clearway(&["compare", JAM01, "--algorithm", text]).done().code(2).complains(message).without_data();
        clearway(&["solve", JAM01, "--algorithm", text]).done().code(2).complains("compare --list").without_data();
    }
    clearway(&["compare", "--suite", "quux"]).done().code(2).complains("cards, it3105");
}

#[test]
fn limits_of_zero_are_rejected() {
    for (option, value) in [("--node-limit", "0"), ("--time-limit", "0s"), ("--memory", "0")] {
        for command in [&["compare", JAM01][..], &["solve", JAM01, "--algorithm", "bfs"], &["repro", "it3105"]] {
            let arguments: Vec<&str> = command.iter().copied().chain([option, value]).collect();
            clearway(&arguments).done().code(2).complains(&format!("{option} is 0")).without_data();
        }
    }
}

#[test]
fn exit_codes_are_those_of_solve() {
    clearway(&["compare", UNSOLVABLE, "-A", "bfs", "-A", "id"]).done().code(4).says("none");
    clearway(&["compare", UNSOLVABLE, JAM01, "-A", "bfs"]).done().code(0);
    clearway(&["compare", JAM01, "-A", "bfs", "--node-limit", "10"]).done().code(5).says("10 nodes!");
    clearway(&["compare", "AAB"]).done().code(3).without_data();
    clearway(&["compare", "-", "-A", "bfs", "--keep-going"]).stdin(format!("AAB\n{JAM01}\n")).done().code(3).says("#1");
}

#[test]
fn solve_accepts_an_algorithm() {
    let done = clearway(&["solve", JAM01, "--algorithm", "astar(blockers)", "--json"]).done().code(0);
    let record = &done.records()[0];
    assert_eq!((&record["moves"], &record["optimal"], &record["lower_bound"]), (&8.into(), &true.into(), &8.into()));
    assert_eq!(record["algorithm"], "astar(blockers)");
    let done = clearway(&["solve", JAM01, "--algorithm", "dfs", "--json"]).done().code(0);
    assert_eq!((&done.records()[0]["optimal"], &done.records()[0]["lower_bound"]), (&false.into(), &1.into()));
    // An earlier version reported 86 moves as optimal, and then an internal error.
    for text in ["id(growth=4, reopen=no)", "id(growth=3)"] {
        let done = clearway(&["solve", "--suite", "cards", "--algorithm", text, "--json"]).done();
        let record = &done.records()[0];
        let [moves, bound] = ["moves", "lower_bound"].map(|field| record[field].as_u64().unwrap());
        assert!(bound <= 8 && moves >= 8 && record["optimal"] == (moves == bound), "{record}");
        assert!(!done.stderr.contains("please report it"), "{}", done.stderr);
    }
    clearway(&["solve", "--algorithm", "greedy(h1)"]).done().code(0).complains("40 boards: 40 solved");
    clearway(&["solve", UNSOLVABLE, "--algorithm", "bfs"]).done().code(4);
    clearway(&["solve", JAM01, "--algorithm", "dfs(depth=3)", "-v"])
        .done()
        .code(5)
        .says("the algorithm is incomplete and gave up; at least 4 moves needed\n")
        .says("by dfs(depth=3)");
}
