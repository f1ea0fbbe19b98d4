//! Regression tests for faults that fuzzing found.

use clearway_tiles::{Board, Program};

#[test]
fn the_error_for_too_many_rows_points_into_the_text() {
    let text = "1 / ".repeat(25) + "1";
    let fault = Board::parse(&text).unwrap_err();
    assert_eq!((fault.message.as_str(), &text[fault.span]), ("too many rows", " 1"));
}

#[test]
fn boards_with_more_rows_than_columns_round_trip() {
    for text in ["2 5 / 4 3 / 0 1", "1 2 3 / 4 5 6 / 7 8 9 / 10 11 0"] {
        let board = Board::parse(text).unwrap();
        assert_eq!(board.to_string(), text);
        assert_eq!(board.to_string().parse(), Ok(board));
    }
}

#[test]
fn empty_about_lines_round_trip() {
    for about in ["", "about: a\nabout:\n", "about:\nabout:\n", "about:\nabout: b\n"] {
        let program = Program::parse(&format!("{about}(if u d)")).unwrap();
        assert_eq!(Program::parse(&program.to_string()), Ok(program), "{about:?}");
    }
}
