//! `clearway tiles`: solves, checks and generates sliding-tile boards.

use crate::common::clearway;
use serde_json::{Value, json};

/// One of the two boards that are farthest from the goal.
const FARTHEST: &str = "867254301";

#[test]
fn a_single_board_has_a_picture_and_a_solution() {
    let done = clearway(&["tiles", "solve", FARTHEST]).done().code(0).quietly();
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines[..2], ["┌───┬───┬───┐", "│ 8 │ 6 │ 7 │"]);
    assert!(
        done.stdout
            .contains("\nboard                      moves        states      time\n867254301                     31  ")
    );
    let solution = lines.last().unwrap();
    assert_eq!(solution.len(), 31);
    clearway(&["tiles", "test", FARTHEST, solution]).done().code(0).quietly().says("solved after 31 moves: h = 0\n");
    clearway(&["tiles", "solve", "123456780"]).done().code(0).says("already solved");
    clearway(&["tiles", "solve", FARTHEST, "-v"])
        .done()
        .code(0)
        .says("  by exact-table, 362,880 bytes, lower bound 31\n");
}

#[test]
fn a_record_has_all_fields_in_their_order() {
    let done = clearway(&["tiles", "solve", "--json", "8 6 7/2 5 4/3 _ 1"]).done().code(0).quietly();
    let fields = "board status optimal moves solution expanded generated seconds algorithm lower_bound";
    let fields: Vec<&str> = fields.split(' ').collect();
    let record = done.record_of(&fields);
    assert_eq!((&record["board"], &record["status"]), (&json!(FARTHEST), &json!("solved")));
    assert_eq!((&record["moves"], &record["optimal"], &record["expanded"]), (&json!(31), &json!(true), &json!(31)));
    assert_eq!(record["solution"].as_str().unwrap().len(), 31);
}

#[test]
fn files_and_stdin_have_one_board_per_line() {
    let text = "# two boards\n867254301\n\n1 2 3 / 4 5 6 / 7 0 8\n";
    let file = clearway(&["tiles", "solve", "boards.txt"]).file("boards.txt", text).done().code(0);
    assert_eq!(file.stdout.lines().count(), 3, "{}", file.stdout);
    file.complains("2 boards: 2 solved; 32 states in ");
    let records = clearway(&["tiles", "solve", "-", "1230", "--json"]).stdin(text).done().code(0).records();
    let moves: Vec<&Value> = records.iter().map(|record| &record["moves"]).collect();
    assert_eq!(moves, [31, 1, 0]);
    let broken = clearway(&["tiles", "solve", "-", "--json"]).stdin("123456780\n123456788\n1230\n").done().code(3);
    assert_eq!(broken.records().len(), 1);
    broken.complains("duplicate tile 8").complains("[stdin:2:9]");
    let on = clearway(&["tiles", "solve", "-", "--json", "-k"]).stdin("123456780\n123456788\n1230\n").done().code(3);
    assert_eq!(on.records().len(), 2);
    clearway(&["tiles", "solve", "-"]).stdin("1".repeat(100_000)).done().code(3).complains("too long to be a board");
}

#[test]
fn an_unsolvable_board_is_exit_code_4() {
    clearway(&["tiles", "solve", "213456780"])
        .done()
        .code(4)
        .says("the board is unsolvable: its tiles are an odd number of swaps away from the goal");
    let record = clearway(&["tiles", "solve", "213456780", "--json"]).done().code(4).records().remove(0);
    assert_eq!(
        (&record["status"], &record["moves"], &record["lower_bound"]),
        (&json!("unsolvable"), &Value::Null, &Value::Null)
    );
    // With other boards, it is just one of the results.
    clearway(&["tiles", "solve", "213456780", "1230"]).done().code(0).complains("1 solved, 1 unsolvable");
}

#[test]
fn limits_end_a_search_with_a_lower_bound() {
    let hard = "aobcdefghijklmn123456789_";
    let done = clearway(&["tiles", "solve", hard, "--node-limit", "1000", "--json"]).done().code(5);
    let record = &done.records()[0];
    assert_eq!(
        (&record["status"], &record["limit"], &record["expanded"]),
        (&json!("limit"), &json!("nodes"), &json!(1000))
    );
    assert!(record["lower_bound"].as_u64().unwrap() > 20);
    clearway(&["tiles", "solve", hard, "--time-limit", "50ms"])
        .done()
        .code(5)
        .says("the time limit was reached; at least ");
    clearway(&["tiles", "solve", FARTHEST, "--node-limit", "5"]).done().code(5).says("at least 31 moves needed");
}

#[test]
fn the_goal_can_be_set() {
    let goal = "1 2 3 / 8 0 4 / 7 6 5";
    let solved =
        clearway(&["tiles", "solve", "283164705", "--goal", goal, "--json"]).done().code(0).records().remove(0);
    assert_eq!(solved["moves"], 5);
    let moves = solved["solution"].as_str().unwrap();
    clearway(&["tiles", "test", "283164705", moves, "--goal", goal]).done().code(0).says("solved after 5 moves");
    clearway(&["tiles", "solve", "1230", "--goal", goal])
        .done()
        .code(3)
        .complains("the board is 2x2, but the goal is 3x3");
    clearway(&["tiles", "solve", "1230", "--goal", "1233"])
        .done()
        .code(3)
        .complains("duplicate tile 3")
        .complains("the goal");
}

#[test]
fn illegal_moves_are_named_and_marked() {
    clearway(&["tiles", "test", "123456708", "l, d"])
        .done()
        .code(3)
        .without_data()
        .complains("move 2 (d) is not possible: the blank would leave the board")
        .complains("[moves:1:4]");
    clearway(&["tiles", "test", "123456708", "lx"])
        .done()
        .code(3)
        .complains("'x' is not a move")
        .complains("[moves:1:2]");
    clearway(&["tiles", "test", "123456788", "l"]).done().code(3).complains("duplicate tile 8");
    // 36 x 1 + 18 x 1 + 1: tile 8 is one place off, beside the blank.
    clearway(&["tiles", "test", "123456708", ""]).done().code(3).says("not solved after 0 moves: h = 55\n");
    let test = |moves: &str, code: i32| {
        clearway(&["tiles", "test", "123456708", moves, "--json"]).done().code(code).quietly().records().remove(0)
    };
    let solved = json!({"board": "123456708", "legal": true, "solved": true, "moves": 1, "end": "123456780", "h": 0});
    assert_eq!(test("r", 0), solved);
    let failed = json!({"board": "123456708", "legal": false, "solved": false, "moves": null, "end": null, "h": null, "failed": 2});
    assert_eq!(test("ld", 3), failed);
}

#[test]
fn random_boards_are_the_same_for_the_same_seed() {
    let boards = |args: &[&str]| clearway(&[&["tiles", "random"], args].concat()).done().code(0).quietly().stdout;
    let ten = boards(&["--count", "10", "--seed", "7"]);
    assert_eq!(ten.lines().count(), 10);
    assert!(ten.starts_with(&boards(&["--count", "4", "--seed", "7"])));
    assert_ne!(ten, boards(&["--count", "10", "--seed", "8"]));
    let wide = boards(&["--size", "4x2", "-n", "20", "--json"]);
    let solved = clearway(&["tiles", "solve", "-"]).stdin(boards(&["--size", "4x2", "-n", "20"])).done().code(0);
    solved.complains("20 boards: 20 solved");
    assert!(wide.lines().all(|line| line.len() == "{\"board\":\"12345670\"}".len()), "{wide}");
    clearway(&["tiles", "random", "--size", "6x3"]).done().code(2).complains("expected width and height from 2 to 5");
}

#[test]
fn an_invalid_board_gets_a_clear_error() {
    clearway(&["tiles", "solve"]).done().code(2).complains("BOARD|FILE|-");
    clearway(&["tiles", "solve", "nothing.txt"]).done().code(3).complains("no such file: nothing.txt");
    clearway(&["tiles", "solve", "."]).done().code(3).complains(". is a directory");
    clearway(&["tiles", "solve", "boards"])
        .done()
        .code(3)
        .complains("is not a tile")
        .complains("no file has this name");
    clearway(&["tiles", "solve", "12345"]).done().code(3).complains("5 tiles do not fill a board");
}
