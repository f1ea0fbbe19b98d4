//! `clearway grade`: tables, cards, JSON and CSV, and boards that cannot be graded.

use crate::common::{ENDLESS, JAM01, UNSOLVABLE, clearway};
use serde_json::json;

const JAM02: &str = "B..CCCB..D.EAA.DFEGGG.FE..H.IIJJHKK.";
const JAM40: &str = "BCC.D.BEF.DGBEFAAGHHHI.G..JIKKLLJMM.";
const SOLVED: &str = "4x3:......AA....";

#[test]
fn a_single_board_gets_a_card_with_reasons_and_a_solution() {
    clearway(&["grade", JAM01])
        .done()
        .code(0)
        .quietly()
        .says("#1: beginner\n")
        .says("people need about 28 s (95 % interval: 18 to 45 s)\n")
        .says("a machine needs 2,781 nodes (id) or 1,053 (bfs)\n")
        .says("minimal: removing any vehicle makes it easier\n")
        .says("easier: a shortest solution has only 8 moves\n")
        .says("G-3 C+3 B+1 D-1 F-1 H-2 E+2 A+3\n");
    let second = clearway(&["grade", JAM02]).done().code(0);
    second.says("not minimal: any one of these vehicles can be removed: J K\n");
    clearway(&["grade", JAM40, "--no-machine"])
        .done()
        .code(0)
        .says("#1: fiendish\n  people need about 9 min (extrapolated)\n")
        .says("outside the range that the model was fitted to: 6 to 15 moves, a depth of 6 to 35, 5 to 9 vehicles moved\n");
}

#[test]
fn the_table_is_in_input_order_for_any_number_of_threads() {
    let table = |threads| clearway(&["grade", "--threads", threads]).done().code(0);
    let (one, four) = (table("1"), table("4"));
    assert_eq!(one.stdout, four.stdout);
    assert_eq!(one.stdout.lines().count(), 41);
    let words = |row: usize| one.stdout.lines().nth(row).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(words(1)[..6], ["JAM01", "beginner", "8", "16", "1,247", "9"]);
    assert_eq!(words(40)[..6], ["JAM40", "fiendish", "51", "81", "4,780", "51"]);
    assert_eq!(words(2)[words(2).len() - 3..], ["removable:", "J", "K"]);
    let row = |row: usize| one.stdout.lines().nth(row).unwrap();
    assert!(row(1).contains("    about 28 s (18 to 45 s)  "), "{}", row(1));
    assert!(row(40).contains("   about 9 min (extrapolated)  "), "{}", row(40));
    one.complains("40 boards: 10 beginner, 12 intermediate, 8 advanced, 6 expert, 4 fiendish; in ");
}

#[test]
fn json_has_every_field_and_is_valid_input() {
    let done = clearway(&["grade", JAM01, "--json"]).done().code(0).quietly();
    let record = &done.records()[0];
    let expected = json!({
        "name": null, "board": JAM01, "status": "solved", "level": "beginner", "moves": 8, "steps": 16,
        "states": 1247, "depth": 9, "optimal_solutions": 61, "vehicle_count": 8, "blocker_depth": 4,
        "machine": {"id": {"nodes": 2781, "at_least": false}, "bfs": {"nodes": 1053, "at_least": false}},
        "removable": [], "solution": ["G-3", "C+3", "B+1", "D-1", "F-1", "H-2", "E+2", "A+3"],
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&record[field], value, "{field}");
    }
    for field in ["decisions", "common_start", "vehicles_moved", "counterintuitive", "search_information"] {
        assert!(record[field].is_f64(), "{field}");
    }
    assert_eq!(record["human"]["beyond"], json!([]));
    assert!(record.get("unfinished").is_none());
    clearway(&["grade", "-", "--json"]).stdin(done.stdout.clone()).done().code(0).says("\"level\":\"beginner\"");
}

#[test]
fn machine_nodes_are_those_of_the_search_algorithms() {
    let by = |algorithm: &str| {
        let done = clearway(&["solve", JAM02, "--json", "--algorithm", algorithm]).done().code(0);
        done.records()[0]["expanded"].clone()
    };
    let done = clearway(&["grade", JAM02, "--json"]).done().code(0);
    let machine = done.records()[0]["machine"].clone();
    assert_eq!((&machine["id"]["nodes"], &machine["bfs"]["nodes"]), (&by("id(increment=5)"), &by("bfs")));
    clearway(&["grade", JAM02, "--machine-nodes", "100"]).done().code(0).says("at least 100 nodes (id)");
    let without = clearway(&["grade", JAM02, "--json", "--no-machine"]).done().code(0);
    assert!(without.records()[0].get("machine").is_none());
}

#[test]
fn boards_without_a_grade_have_a_reason() {
    clearway(&["grade", UNSOLVABLE]).done().code(4).says("#1: unsolvable: the target can never leave\n");
    clearway(&["grade", UNSOLVABLE, JAM01]).done().code(0).complains("2 boards: 1 beginner, 1 unsolvable; in ");
    clearway(&["grade", SOLVED]).done().code(0).says("#1: already solved\n");
    clearway(&["grade", ENDLESS, "--node-limit", "1000"])
        .done()
        .code(5)
        .says("#1: not known to be solvable; at least 20 moves needed\n")
        .says("a shortest solution is unknown: the node limit was reached\n")
        .says("a machine needs at least 1,000 nodes (id)");
    let record = clearway(&["grade", ENDLESS, "--memory", "1M", "--json", "--no-machine"]).done().code(5);
    assert_eq!(record.records()[0]["unfinished"], json!([{"part": "moves", "limit": "memory"}]));
    let half = clearway(&["grade", JAM01, "--node-limit", "1000", "--no-machine"]).done().code(5);
    half.says("#1: solvable, level unknown\n").says("everything that depends on all states is unknown");
}

#[test]
fn invalid_boards_are_reported_in_their_place() {
    let boards = format!("{JAM01}\nBBA\n{JAM02}\n");
    let done = clearway(&["grade", "-", "--keep-going", "--no-machine"]).stdin(boards.clone()).done().code(3);
    assert_eq!(done.stdout.lines().count(), 3);
    done.complains("2 boards: 2 beginner, 1 invalid; in ");
    clearway(&["grade", "-"]).stdin(boards).done().code(3);
    // The only valid board after an invalid one.
    let done =
        clearway(&["grade", "-", "--keep-going", "--no-machine"]).stdin(format!("BBA\n{JAM01}\n")).done().code(3);
    done.says("#2            beginner");
    clearway(&["grade", "missing.txt"]).done().code(3).without_data().complains("no such file");
    clearway(&["grade", "--no-machine", "--machine-nodes", "5"]).done().code(2);
}

#[test]
fn csv_has_the_same_values() {
    let boards = format!("{JAM01}\n{UNSOLVABLE}\n");
    let done = clearway(&["grade", "-", "--csv", "grades.csv", "--machine-nodes", "2000"]).stdin(boards).done().code(0);
    let text = done.read("grades.csv");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [23; 3]);
    let field = |row: usize, name: &str| rows[row][rows[0].iter().position(|column| *column == name).unwrap()];
    assert_eq!((field(1, "level"), field(1, "moves"), field(1, "steps")), ("beginner", "8", "16"));
    assert_eq!((field(1, "id_nodes"), field(1, "bfs_nodes"), field(1, "extrapolates")), (">2000", "1053", "false"));
    assert_eq!((field(2, "status"), field(2, "moves"), field(2, "blocker_depth")), ("unsolvable", "", "1"));
    clearway(&["grade", JAM01, "--csv", "no/such/folder.csv"]).done().code(3).without_data();
}
