//! `clearway show`: pictures in the terminal and in files.

use crate::common::{ENDLESS, JAM01, UNSOLVABLE, clearway};

#[test]
fn boards_are_drawn_under_their_names() {
    let done = clearway(&["show", "--suite", "cards"]).done().code(0).quietly().says("JAM40\n┏");
    assert_eq!(done.stdout.matches('┏').count(), 40);
    assert!(!done.stdout.contains('\u{1b}'), "no colours into a pipe");
    clearway(&["show"]).done().code(2).complains("missing board");
}

#[test]
fn colours_are_used_on_request() {
    clearway(&["show", JAM01, "--color", "always"]).done().code(0).says("\u{1b}[");
    clearway(&["show", JAM01, "--color", "always"]).env("NO_COLOR", "1").done().code(0).says("\u{1b}[");
    clearway(&["solve", "??", "--color=always"]).done().code(3).complains("\u{1b}[");
    let done = clearway(&["solve", "??"]).done().code(3);
    assert!(!done.stderr.contains('\u{1b}'));
}

#[test]
fn an_svg_file_is_written() {
    let done = clearway(&["show", JAM01, "--svg", "card.svg"]).done().code(0).quietly().without_data();
    assert_eq!(done.listing(), ["card.svg"]);
    assert!(done.read("card.svg").starts_with("<svg "));
    clearway(&["show", JAM01, "--svg", "-"]).done().code(0).says("<svg ");
    let done = clearway(&["show", JAM01, "--svg", "nowhere/card.svg"]).done().code(3).complains("nowhere/card.svg: ");
    assert!(!done.stderr.contains(".clearway-"), "the temporary file is nobody's business: {}", done.stderr);
    clearway(&["show", "--suite", "cards", "--svg", "-"]).done().code(3).complains("more than one board");
}

#[test]
fn a_solution_is_drawn_move_by_move() {
    let done = clearway(&["show", JAM01, "--strip"]).done().code(0).says("\n8. A+3\n");
    assert_eq!(done.stdout.matches('┏').count(), 9);
    let done = clearway(&["show", JAM01, "--strip", "--solution", "G-3 C+1"]).done().code(0);
    assert_eq!(done.stdout.matches('┏').count(), 3);
    clearway(&["show", JAM01, "--strip", "--solution", "C-1"]).done().code(3).complains("would leave the grid");
    clearway(&["show", JAM01, "--strip", "--solution", "??"]).done().code(3).complains("not a move");
    let strip = clearway(&["show", JAM01, "--strip", "--svg", "-"]).done().code(0);
    let animation = clearway(&["show", JAM01, "--animate", "--svg", "-"]).done().code(0).says("@keyframes");
    assert_ne!(strip.stdout, animation.stdout);
    clearway(&["show", JAM01, "--animate"]).done().code(2).complains("--svg");
    clearway(&["show", JAM01, "--solution", "G-3"]).done().code(2).complains("--strip|--animate");
    clearway(&["show", JAM01, "--strip", "--animate", "--svg", "-"]).done().code(2).complains("cannot be used with");
}

#[test]
fn a_board_without_a_solution_cannot_be_drawn_as_a_strip() {
    clearway(&["show", UNSOLVABLE, "--strip"]).done().code(4).complains("unsolvable");
    clearway(&["show", ENDLESS, "--strip", "--node-limit", "10"]).done().code(5).complains("node limit");
}

#[test]
fn json_has_the_pictures() {
    let record = clearway(&["show", JAM01, "--json"]).done().code(0).records().remove(0);
    assert_eq!(record["board"], JAM01);
    assert_eq!(record["pictures"].as_array().unwrap().len(), 1);
    assert!(record.get("solution").is_none());
    let record = clearway(&["show", JAM01, "--json", "--strip"]).done().code(0).records().remove(0);
    assert_eq!(record["pictures"].as_array().unwrap().len(), 9);
    assert_eq!(record["solution"].as_array().unwrap().len(), 8);
}

#[test]
fn invalid_boards_are_skipped_on_request() {
    let done = clearway(&["show", JAM01, "??", JAM01, "-k"]).done().code(3).complains("help:");
    assert_eq!(done.stdout.matches('┏').count(), 2);
    let done = clearway(&["show", JAM01, "??", JAM01]).done().code(3);
    assert_eq!(done.stdout.matches('┏').count(), 1);
}
