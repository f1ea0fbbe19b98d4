//! The errors for invalid boards: message, place and help.

use clearway_rush::formats::{self, Format, ParseError, ReadOptions, Reader};
use miette::Diagnostic;

/// The error of a text, and the part of the text that it points at.
fn rejected(text: &str) -> (ParseError, String) {
    let error = formats::read_one(text, None).expect_err(text);
    let span = error.span.clone().unwrap_or_default();
    let part = error.source_code.text[span].to_string();
    (error, part)
}

/// Checks message, line, column and the text under the caret.
fn check(cases: &[(&str, &str, usize, usize, &str)]) {
    for &(text, message, line, column, part) in cases {
        let (error, pointed_at) = rejected(text);
        assert_eq!(error.message, message, "{text}");
        assert_eq!((error.line, error.column, pointed_at.as_str()), (line, column, part), "{text}");
    }
}

#[test]
fn faults_in_a_line() {
    check(&[
        ("BB...CD..E.CDAAE.CD", "19 cells do not make a square board", 1, 1, "BB...CD..E.CDAAE.CD"),
        ("\n5 7x5:AA", "a 7x5 board has 35 cells, not 2", 2, 7, "AA"),
        ("7y5:AA", "invalid size '7y5'", 1, 1, "7y5"),
        (
            "17x2:..................................",
            "invalid board size 17x2; both sides must be from 2 to 16",
            1,
            6,
            "..................................",
        ),
        ("AA!.", "invalid cell '!'", 1, 3, "!"),
        ("AA..@up", "invalid exit 'up'", 1, 6, "up"),
        ("AABB..B..", "vehicle B is bent or broken: its cell at column 0, row 1 does not continue its run", 1, 4, "B"),
        ("AA.B.B...", "vehicle B is bent or broken: its cell at column 2, row 1 does not continue its run", 1, 6, "B"),
        ("AAB......", "vehicle B has length 1; a vehicle covers at least 2 cells", 1, 3, "B"),
        ("BB..", "missing target; expected a vehicle labelled A", 1, 1, "BB.."),
        (
            ".A.A",
            "the target A lies in a column, but a vehicle must lie in a row to leave by the right side",
            1,
            2,
            "A",
        ),
        ("AA..@top:5", "exit line 5 of the top side is off the 2x2 grid", 1, 6, "top:5"),
        ("AA..@top:1", "no vehicle lies along line 1, so none can ever reach the exit top:1", 1, 6, "top:1"),
        ("99999999999 AA..", "the number of moves is too large", 1, 1, "99999999999"),
        ("AA..\n..AA", "the text holds more than one board", 2, 1, "..AA"),
    ]);
    let (error, _) = rejected(".A.A");
    assert_eq!(error.help.as_deref(), Some("for this target, add @top or @bottom after the cells"));
    let (error, _) = rejected("AA..@top");
    assert_eq!(error.help.as_deref(), Some("for this target, add @left or @right after the cells"));
}

#[test]
fn faults_in_a_grid() {
    check(&[
        (
            "BB.\nB#.\n.#.",
            "vehicle B is bent or broken: its cell at column 0, row 1 does not continue its run",
            2,
            1,
            "B",
        ),
        ("AA.\n. . !\n...", "invalid cell '!'", 2, 5, "!"),
        ("# a note\n\nAA.\n..\n...", "this row has 2 cells, but the first row has 3", 4, 1, ".."),
        (
            ". # .\n. # .",
            "the target A lies in a column, but a vehicle must lie in a row to leave by the right side",
            1,
            3,
            "#",
        ),
        ("exit sideways\nAA.\n...", "invalid exit 'sideways'", 1, 6, "sideways"),
        ("exit left:7\nAA.\n...", "exit line 7 of the left side is off the 3x2 grid", 1, 6, "left:7"),
        ("AA.\nexit left\n...", "the exit follows rows of the board", 2, 1, "exit left"),
        ("name: alone", "no rows found", 1, 1, "name: alone"),
    ]);
    let (error, _) = rejected(". # .\n. # .");
    assert_eq!(error.help.as_deref(), Some("for this target, put a line 'exit top' or 'exit bottom' before the rows"));
    let error = formats::read_one("exit 2\nAA.\n...", Some(Format::Grid)).unwrap_err();
    assert_eq!((error.message.as_str(), error.column), ("invalid exit '2' of a grid", 6));
}

#[test]
fn faults_in_a_traffic_jam_grid() {
    check(&[
        ("exit 3\n..B\n..B", "exit line 3 of the top side is off the 3x2 grid", 1, 6, "3"),
        ("0\n..B\n..B", "no vehicle lies along line 0, so none can ever reach the exit top:0", 1, 1, "0"),
    ]);
    let error = formats::read_one("..B\n..B", Some(Format::TrafficJam)).unwrap_err();
    assert_eq!(error.message, "invalid exit column '..B'");
}

#[test]
fn faults_in_a_van_dijk_list() {
    check(&[
        ("6 3 2 1\n1 3 2 1\n2 3 2 0\n", "vehicles A and B overlap at column 2, row 2", 3, 1, "2 3 2 0"),
        (
            "6 3 2 1\n1 3 2 1\n5 4 3 0\n",
            "vehicle B of length 3 at column 5, row 1 extends beyond the 6x6 grid",
            3,
            1,
            "5 4 3 0",
        ),
        (
            "6 3 2 1\n1 3 2 1\n5 4 3 1\n",
            "vehicle B of length 3 at column 5, row 1 extends beyond the 6x6 grid",
            3,
            1,
            "5 4 3 1",
        ),
        ("6 3 2 1\n1 3 2 1\n", "the number of cars is 2 in the header, but 1 in the list", 1, 5, "2"),
        (
            "6 3 1 1\n1 3 2 1\n5 1 3 0\n",
            "the number of cars is 1 in the header, but greater in the list",
            3,
            1,
            "5 1 3 0",
        ),
        ("6 2 1 1\n1 3 2 1\n", "the target is in row 3, but the exit is in row 2", 2, 1, "1 3 2 1"),
        ("6 6 1 1\n1 3 2 1\n", "invalid exit_y '6'", 1, 3, "6"),
        ("17 3 1 1\n1 3 2 1\n", "invalid size '17'", 1, 1, "17"),
        ("6 3 1 1\n1 3 2\n", "expected 4 fields, found 3", 2, 1, "1 3 2"),
        (
            "6 3 1 1\n1 3 2 0\n",
            "the target A lies in a column, but a vehicle must lie in a row to leave by the right side",
            2,
            1,
            "1 3 2 0",
        ),
    ]);
}

#[test]
fn faults_in_an_it3105_list() {
    check(&[
        ("0,2,2,2\n1,5,1,3\n0,4,1,2\n", "vehicles B and C overlap at column 5, row 1", 3, 1, "0,4,1,2"),
        ("0,2,2,2\n1,3,6,3\n", "invalid y '6'", 2, 5, "6"),
        ("0,2,2,2\n2,3,0,2\n", "invalid orientation '2'", 2, 1, "2"),
        ("0,2,2,2\n1,3,0,2,9\n", "expected 4 fields, found more", 2, 1, "1,3,0,2,9"),
        (
            "1,2,2,2\n",
            "the target A lies in a column, but a vehicle must lie in a row to leave by the right side",
            1,
            1,
            "1,2,2,2",
        ),
        (&"0,2,2,2\n".repeat(19), "too many vehicles (19); a 6x6 board holds at most 18", 19, 1, "0,2,2,2"),
    ]);
}

#[test]
fn faults_in_a_course_table() {
    const HEADER: &str = "car,orientation,col,row,length\n";
    let cases = [
        ("A,H,1,1,2\n", "missing target; expected a car called X", 1, 1, HEADER.trim()),
        ("X,H,1,1,2\nB,D,1,2,2\n", "invalid orientation 'D'", 3, 3, "D"),
        ("X,H,1,1,2\nB,V,2,1,2\n", "vehicles A and B overlap at column 1, row 0", 3, 1, "B,V,2,1,2"),
        ("X,H,1,1,2\nAB,V,4,1,2\nAB,V,5,1,2\n", "duplicate car name 'AB'", 4, 1, "AB"),
        ("X,H,0,1,2\n", "invalid column '0'", 2, 5, "0"),
        ("X,H,16,1,2\n", "vehicle A of length 2 at column 15, row 0 extends beyond the 16x16 grid", 2, 1, "X,H,16,1,2"),
    ];
    for (cars, message, line, column, part) in cases {
        check(&[(&format!("{HEADER}{cars}"), message, line, column, part)]);
    }
    let error = formats::read_one("X,H,1,1,2\n", Some(Format::Course)).unwrap_err();
    assert_eq!(error.message, "missing header");
}

#[test]
fn faults_in_json() {
    check(&[
        ("{\"board\": \"AA.\"}", "3 cells do not make a square board", 1, 12, "AA."),
        ("{\"board\": 5}", "expected a board in the line format", 1, 11, "5"),
        ("{\"board\": \"AA..\", }", "invalid JSON: trailing comma", 1, 19, "}"),
        ("{\"board\":\n \"AA..\",\n \"moves\": -1}", "expected a number, or null if it is unknown", 3, 11, "-1"),
        (
            "{\"board\": \"AA..\", \"solution\": [\"A+1\", \"A\"]}",
            "invalid move 'A'; expected a label, a sign and a number of cells from 1 to 15, such as C+2 or A-1",
            1,
            39,
            "\"A\"",
        ),
        ("{\"name\": \"x\"}", "no board in this object", 1, 1, "{\"name\": \"x\"}"),
        ("{\"board\": \"AA..\", \"board\": 1}", "duplicate field 'board'", 1, 28, "1"),
        ("{\"board\": \"AA..\", \"vehicles\": []}", "the object has both 'board' and 'vehicles'", 1, 31, "[]"),
        (
            "{\"size\": [6, 17], \"vehicles\": []}",
            "invalid board size 6x17; both sides must be from 2 to 16",
            1,
            10,
            "[6, 17]",
        ),
        ("{\"vehicles\": []}", "missing field 'size'", 1, 1, "{\"vehicles\": []}"),
        ("{\"size\": [6, 6], \"vehicles\": [], \"wals\": []}", "unknown field 'wals'", 1, 42, "[]"),
        (
            "{\"size\": [6, 6], \"vehicles\": [], \"walls\": [[6, 0]]}",
            "a wall at column 6, row 0 is off the 6x6 grid",
            1,
            44,
            "[6, 0]",
        ),
        ("[{\"board\": \"AA..\"}", "unterminated array of boards", 1, 19, ""),
        ("[{\"board\": \"AA.\"}]", "3 cells do not make a square board", 1, 13, "AA."),
    ]);
    let vehicle = |x: u8| format!("{{\"label\":\"B\",\"x\":{x},\"y\":0,\"length\":2,\"orientation\":\"vertical\"}}");
    let target = "{\"label\":\"A\",\"x\":0,\"y\":1,\"length\":2,\"orientation\":\"horizontal\"}";
    let text = format!("{{\"size\":[4,4],\n\"vehicles\":[{target},\n{}]}}", vehicle(1));
    check(&[(&text, "vehicles A and B overlap at column 1, row 1", 3, 1, &vehicle(1))]);
    let bomb = format!("{{\"board\": {}", "[".repeat(100_000));
    assert_eq!(rejected(&bomb).0.message, "the object is nested more than 64 levels deep");
}

#[test]
fn faults_in_a_suite() {
    check(&[
        ("a\t6x6\tright\tAA..\t5", "a 6x6 board has 36 cells, not 4", 1, 13, "AA.."),
        ("a\t2x2\tup\tAA..\t5", "invalid exit 'up'", 1, 7, "up"),
        ("a\t2x2\tright\tAA..\tfive", "invalid length 'five'", 1, 18, "five"),
        ("a\t2x2\tright", "expected at least 4 fields, found 3", 1, 1, "a\t2x2\tright"),
        ("a\t2x2\tright\tAA..@left", "invalid cell '@'", 1, 17, "@"),
    ]);
}

#[test]
fn an_input_without_boards_is_an_error() {
    for text in ["", "\n\n", "# only a comment\n", "[]"] {
        let error = formats::read_one(text, None).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.line), ("no board found in text", 0), "{text:?}");
    }
}

#[test]
fn invalid_text_ends_the_reading() {
    let items = |bytes: &[u8]| -> Vec<Result<usize, (String, usize, usize)>> {
        let items = Reader::new(bytes, ReadOptions::default());
        items.map(|item| item.map(|p| p.line).map_err(|error| (error.message, error.line, error.column))).collect()
    };
    let not_text = |line, column| Err(("the input is not text".to_string(), line, column));
    assert_eq!(items(b"8 AA..\nAA\xff\xfe\x00\nAA..\n"), [Ok(1), not_text(2, 3)]);
    assert_eq!(items(b"\x7fELF\x02\x01\x00\x00"), [not_text(1, 7)]);
    assert_eq!(items(b"{\"board\":\"AA..\",\"name\":\"\xe9\"}"), [not_text(1, 25)]);
}

#[test]
fn an_input_that_fails_ends_the_reading() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    for format in [None, Some(Format::Line), Some(Format::Json)] {
        let input = std::io::BufReader::new(Failing);
        let mut reader = Reader::new(input, ReadOptions { format, ..ReadOptions::default() });
        let error = reader.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "cannot read input: the disk is gone");
        assert!(reader.next().is_none());
    }
}

#[test]
fn a_long_line_is_shortened_around_the_fault() {
    let text = format!("AA.. {}\n{}!{}\n", "name ".repeat(80), ".".repeat(180), ".".repeat(400));
    let mut reader =
        Reader::new(text.as_bytes(), ReadOptions { source_name: "a.txt".into(), ..ReadOptions::default() });
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!((error.line, error.column), (2, 181));
    let span = error.span.clone().unwrap();
    assert_eq!(&error.source_code.text[span.clone()], "!");
    assert!(error.source_code.text.chars().count() < 210);
    // The rendered error shows the place in the source, not in the excerpt.
    let contents = error.source_code().unwrap().read_span(&span.into(), 0, 0).unwrap();
    assert_eq!((contents.name(), contents.line(), contents.column()), (Some("a.txt"), 1, 180));
    assert_eq!(error.to_string(), "invalid cell '!' (line 2, column 181)");
}
