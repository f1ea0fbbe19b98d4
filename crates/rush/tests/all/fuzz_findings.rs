//! Regression tests for faults found by fuzzing.

use clearway_rush::formats::{Format, ReadOptions, Reader, read_one};
use clearway_rush::heuristics::Expression;
use clearway_rush::{Move, MoveError, replay};

#[test]
fn detection_rejects_comments_that_are_not_text() {
    for comment in [b"# a\0b\n".as_slice(), b"# a\xffb\n", b"\xef\xbb\xbf# \0\n\n"] {
        let input = [comment, b"16 AA.B...B........\n"].concat();
        for format in [None, Some(Format::Line)] {
            let mut reader = Reader::new(input.as_slice(), ReadOptions { format, ..ReadOptions::default() });
            let error = reader.next().unwrap().unwrap_err();
            assert_eq!((error.message.as_str(), error.line), ("the input is not text", 1), "{format:?}");
            assert!(reader.next().is_none());
        }
    }
}

#[test]
fn a_byte_order_mark_in_the_middle_does_not_start_a_comment() {
    let input = "\u{feff}# one\n\n\u{feff}# two\n16 AA.B...B........\n";
    let read = |format| {
        let reader = Reader::new(input.as_bytes(), ReadOptions { format, ..ReadOptions::default() });
        reader.map(|item| item.map(|puzzle| puzzle.line).map_err(|error| error.line)).collect::<Vec<_>>()
    };
    assert_eq!(read(None), read(Some(Format::Line)));
    assert_eq!(read(None), [Err(3), Ok(4)]);
}

#[test]
fn detection_and_the_json_reader_skip_the_same_lines() {
    let input = "\u{b}\n  # an indented comment\n\u{a0}\n{\"board\": \"AA.B...B........\"}\n";
    for format in [None, Some(Format::Json)] {
        let reader = Reader::new(input.as_bytes(), ReadOptions { format, ..ReadOptions::default() });
        let lines: Vec<_> =
            reader.map(|item| item.map(|puzzle| puzzle.line).map_err(|error| error.to_string())).collect();
        assert_eq!(lines, [Ok(4)], "{format:?}");
    }
}

#[test]
fn an_illegal_slide_reports_the_nearest_obstacle() {
    let board = read_one("4x5:B..CB..CAADD..E...E.@top:0", None).unwrap().board;
    // The slides also pass further obstacles or the edge.
    let cases = [
        ("E-4", MoveError::Blocked { label: 'E', by: 'D', x: 2, y: 2 }),
        ("B+9", MoveError::Blocked { label: 'B', by: 'A', x: 0, y: 2 }),
        ("D-3", MoveError::Blocked { label: 'D', by: 'A', x: 1, y: 2 }),
        ("C-1", MoveError::OffGrid { label: 'C' }),
    ];
    for (text, reason) in cases {
        let mv: Move = text.parse().unwrap();
        assert_eq!(board.clone().apply(mv), Err(reason), "{text}");
        assert_eq!(replay(&board, &[mv]).unwrap_err().reason, reason, "{text}");
    }
    let walls = read_one("6x2:BB.x.xAA....", None).unwrap().board;
    let reason = MoveError::Wall { label: 'B', x: 3, y: 0 };
    assert_eq!(walls.clone().apply("B+4".parse().unwrap()), Err(reason), "the nearest of two walls");
}

#[test]
fn nested_sums_round_trip_as_text() {
    for text in ["2 - if(g >= 4+0, 1, ((h3 + zero) + 3))", "-h1 + (--0 - 0) - 0", "h1 - (h2 + (1 + g))"] {
        let read: Expression = text.parse().unwrap();
        assert_eq!(read.to_string().parse::<Expression>().unwrap(), read, "{text}");
    }
}
