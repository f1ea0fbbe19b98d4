//! What fuzzing found.

use clearway_tiles::{Board, Program};

#[test]
fn too_many_rows_are_shown_within_the_text() {
    let text = "1 / ".repeat(25) + "1";
    let fault = Board::parse(&text).unwrap_err();
    assert_eq!((fault.message.as_str(), &text[fault.span]), ("there are too many rows", " 1"));
}

#[test]
fn a_board_with_more_rows_than_columns_is_printed_as_one() {
    for text in ["2 5 / 4 3 / 0 1", "1 2 3 / 4 5 6 / 7 8 9 / 10 11 0"] {
        let board = Board::parse(text).unwrap();
        assert_eq!(board.to_string(), text);
        assert_eq!(board.to_string().parse(), Ok(board));
    }
}

#[test]
fn empty_lines_about_a_program_are_read_as_they_are_printed() {
    for about in ["", "about: a\nabout:\n", "about:\nabout:\n", "about:\nabout: b\n"] {
        let program = Program::parse(&format!("{about}(if u d)")).unwrap();
        assert_eq!(Program::parse(&program.to_string()), Ok(program), "{about:?}");
    }
}
