//! `clearway grade`: tables, cards, JSON and CSV, and boards that cannot be graded.

use crate::common::{ENDLESS, JAM01, UNSOLVABLE, clearway};
use serde_json::{Value, json};

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
    // The best solution so far.
    let course = ["grade", "--suite", "course", "--node-limit", "8000", "--no-machine", "--json", "--csv", "some.csv"];
    let some = clearway(&course).done().code(5);
    let record = some.records().pop().expect("the board 12x12_7");
    let [least, most] = ["moves_at_least", "moves_at_most"].map(|field| record[field].as_u64().expect(field));
    assert!(least <= 25 && 25 <= most && record["moves"].is_null(), "{record}");
    assert!(some.read("some.csv").ends_with(&format!(",{least},{most}\n")));
    let board = record["board"].as_str().expect("a board");
    clearway(&["grade", board, "--node-limit", "8000", "--no-machine"])
        .done()
        .code(5)
        .says(&format!("#1: solvable; at most {most} moves needed, at least {least}\n"));
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
    assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [25; 3]);
    let field = |row: usize, name: &str| rows[row][rows[0].iter().position(|column| *column == name).unwrap()];
    assert_eq!((field(1, "level"), field(1, "moves"), field(1, "steps")), ("beginner", "8", "16"));
    assert_eq!((field(1, "id_nodes"), field(1, "bfs_nodes"), field(1, "extrapolates")), (">2000", "1053", "false"));
    assert_eq!((field(2, "status"), field(2, "moves"), field(2, "blocker_depth")), ("unsolvable", "", "1"));
    clearway(&["grade", JAM01, "--csv", "no/such/folder.csv"]).done().code(3).without_data();
}

/// Returns a file of results in which a player solves the cards, in times that depend on their lengths.
pub fn results(seconds: impl Fn(f64) -> f64) -> String {
    let cards = clearway(&["grade", "--no-machine", "--json"]).done().code(0).records();
    let puzzle = |card: &Value| {
        let moves = card["moves"].as_f64().unwrap();
        let game = json!({ "at": 5, "moves": moves as u32, "seconds": 9, "hints": 0, "solutionShown": false, "activeSeconds": seconds(moves) });
        json!({ "board": card["board"], "games": [game] })
    };
    let puzzles: Vec<_> = cards.iter().map(puzzle).collect();
    json!({ "format": "clearway results", "version": 1, "puzzles": puzzles }).to_string()
}

#[test]
fn a_model_is_fitted_to_results_and_used() {
    // A player who needs two seconds for each move, whatever else is true of the board.
    let text = results(|moves| 2.0 * moves);
    let fitted =
        clearway(&["grade", "--fit", "results.json", "--out", "model.json"]).file("results.json", &text).done().code(0);
    let fitted = fitted
        .says("40 times of 1 player on 40 boards\n")
        .says("\nbuilt-in                           -1.011   0.907   0.602     0.546  ")
        .says("The fitted model predicts these players better than the built-in one.\n");
    let model = fitted.read("model.json");
    let record: Value = serde_json::from_str(&model).unwrap();
    assert_eq!((&record["times"], &record["boards"], &record["players"]), (&json!(40), &json!(40), &json!(1)));
    assert!(record["errors"]["fitted"].as_f64().unwrap() < 1.05, "{model}");
    // With --json, the file is what is printed.
    let printed = clearway(&["grade", "--fit", "results.json", "--json"]).file("results.json", &text).done().code(0);
    assert_eq!(printed.stdout, model);

    // Cards are inside of the range now, and a move takes two seconds.
    let graded =
        clearway(&["grade", "--time-model", "model.json", "--no-machine", "--json"]).file("model.json", &model);
    for card in graded.done().code(0).records() {
        let (seconds, moves) = (card["human"]["seconds"].as_f64().unwrap(), card["moves"].as_f64().unwrap());
        assert!((seconds / moves / 2.0 - 1.0).abs() < 0.1, "{card}");
        assert_eq!(card["human"]["beyond"], json!([]));
    }
    let large = "7x6:BB....CD..E..CDAAE..CD..E...F...GG.F.HHH..";
    clearway(&["grade", "--time-model", "model.json", "--no-machine", large])
        .file("model.json", &model)
        .done()
        .code(0)
        .says("outside the range that the model was fitted to: 8 to 51 moves, a depth of 9 to 51, boards of 6x6");
}

#[test]
fn results_that_cannot_be_fitted_are_refused() {
    let fit = |text: &str| {
        clearway(&["grade", "--fit", "good.json", "bad.json"])
            .file("good.json", results(|_| 9.0))
            .file("bad.json", text)
    };
    fit("{").done().code(3).without_data().complains("bad.json: the file is not JSON");
    fit("[]").done().code(3).without_data().complains("bad.json: the file does not contain clearway results");
    clearway(&["grade", "--fit", "none.json"]).done().code(3).complains("cannot read none.json: ");
    let few = json!({ "format": "clearway results", "version": 1, "puzzles": [{ "board": JAM01, "games": [
        { "at": 5, "moves": 8, "seconds": 9, "hints": 1, "solutionShown": false }] }] });
    clearway(&["grade", "--fit", "few.json"])
        .file("few.json", few.to_string())
        .done()
        .code(3)
        .complains("first games left out: 1 with help")
        .complains("too few solving times: 0 on 0 different boards; at least 30 on 20 boards are needed");
    clearway(&["grade", "--fit", "results.json", "--suite", "cards"]).done().code(2).complains("cannot be used with");
    clearway(&["grade", JAM01, "--out", "model.json"]).done().code(2).complains("--fit");
    let model =
        |text: &str| clearway(&["grade", JAM01, "--time-model", "model.json"]).file("model.json", text).done().code(3);
    model("{}").complains("model.json: the file does not contain a model of the time");
}
