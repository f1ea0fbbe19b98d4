//! `clearway verify`: moves that solve a board, and why others do not.

use crate::common::{JAM01, JAM01_SOLUTION, clearway};
use serde_json::{Value, json};

#[test]
fn moves_that_solve_are_confirmed() {
    clearway(&["verify", JAM01, JAM01_SOLUTION])
        .done()
        .code(0)
        .quietly()
        .says("the moves solve the board: 8 moves, 16 steps\n");
    let words: Vec<&str> = ["verify", JAM01].into_iter().chain(JAM01_SOLUTION.split(' ')).collect();
    clearway(&words).done().code(0);
    clearway(&["verify", "-", JAM01_SOLUTION]).stdin(JAM01).done().code(0);
}

#[test]
fn the_move_that_fails_is_named_and_marked() {
    let done = clearway(&["verify", JAM01, "G-3 C+1 A+4"]).done().code(3).without_data();
    assert_eq!(
        done.stderr,
        "  x move 3 (A+4) is not possible: vehicle A is blocked by E at column 3, row 2
   ,-[moves:1:9]
 1 | G-3 C+1 A+4
   :         ^|^
   :          `-- vehicle A is blocked by E at column 3, row 2
   `----
  help: columns and rows count from 0 at the top left
"
    );
    clearway(&["verify", JAM01, "Z+1"]).done().code(3).complains("there is no vehicle Z");
}

#[test]
fn legal_moves_that_do_not_solve_the_board_are_reported() {
    clearway(&["verify", JAM01, "G-3 C+1"])
        .done()
        .code(3)
        .without_data()
        .complains("the moves are legal, but do not solve the board (2 moves, 4 steps)");
}

#[test]
fn an_invalid_move_is_marked() {
    clearway(&["verify", JAM01, "G-3 C*1"]).done().code(3).complains("invalid move 'C*1'").complains("[moves:1:5]");
}

#[test]
fn json_has_the_same_results() {
    let record = |moves: &str, code: i32| {
        clearway(&["verify", "--json", JAM01, moves]).done().code(code).quietly().records().remove(0)
    };
    let solved = record(JAM01_SOLUTION, 0);
    assert_eq!(solved, json!({"name": null, "board": JAM01, "legal": true, "solved": true, "moves": 8, "steps": 16}));
    let unsolved = record("G-3", 3);
    assert_eq!((&unsolved["legal"], &unsolved["solved"], &unsolved["steps"]), (&json!(true), &json!(false), &json!(3)));
    let illegal = record("G-3 C-1", 3);
    assert_eq!(
        (&illegal["legal"], &illegal["solved"], &illegal["moves"]),
        (&json!(false), &json!(false), &Value::Null)
    );
    assert_eq!((&illegal["failed"], &illegal["move"]), (&json!(2), &json!("C-1")));
    assert_eq!(illegal["reason"], "vehicle C would leave the grid");
}

#[test]
fn the_solution_in_the_input_is_checked() {
    clearway(&["verify", JAM01]).done().code(2).complains("missing moves");
    let with_solution =
        clearway(&["convert", "--json", JAM01]).done().stdout.trim_end().trim_end_matches('}').to_owned();
    let with = |moves: &str| format!("{with_solution},\"solution\":\"{moves}\"}}");
    clearway(&["verify", "card.json"]).file("card.json", with(JAM01_SOLUTION)).done().code(0);
    clearway(&["verify", "card.json"]).file("card.json", with("A+1")).done().code(3).complains("move 1 (A+1)");
}

#[test]
fn one_board_is_expected() {
    clearway(&["verify", "two.txt", "A+1"])
        .file("two.txt", format!("{JAM01}\n{JAM01}\n"))
        .done()
        .code(3)
        .complains("the input has more than one board");
}
