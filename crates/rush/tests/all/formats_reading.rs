//! Reading and writing each format, by example; detection, streaming and limits.

use clearway_rush::formats::{self, Format, KnownLength, Puzzle, ReadOptions, Reader, Writer};
use clearway_rush::suites::Suite;
use clearway_rush::{Exit, Side, Size};
use std::io::{BufRead, BufReader, Read};

fn read(text: &str) -> (Format, Puzzle) {
    let mut reader = Reader::new(text.as_bytes(), ReadOptions::default());
    let puzzle = reader.next().unwrap().unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(reader.next().is_none());
    (reader.format().unwrap(), puzzle)
}

/// The detected format of a text, and its board in the line format.
fn read_as_line(text: &str) -> (Format, String) {
    let (format, puzzle) = read(text);
    (format, formats::line(&puzzle.board))
}

fn suite_board(suite: &str, name: &str) -> String {
    let puzzles = Suite::find(suite).unwrap().puzzles();
    formats::line(&puzzles.iter().find(|puzzle| puzzle.name.as_deref() == Some(name)).unwrap().board)
}

#[test]
fn a_line_holds_moves_board_and_name() {
    let (format, puzzle) = read("51 BCDDEoBCF.EGB.FAAGHHHI.G..JIKKLLJMM. 4780");
    assert_eq!((format, puzzle.moves, puzzle.name), (Format::Line, Some(KnownLength::Exactly(51)), None));
    assert_eq!(formats::line(&puzzle.board), "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.");
    let (_, puzzle) = read("  <=7 3x4:.A..A.BB....@top 12 34 a small one # said to be easy\r\n");
    assert_eq!((puzzle.board.width(), puzzle.board.height()), (3, 4));
    assert_eq!((puzzle.board.exit(), puzzle.moves), (Exit::Target(Side::Top), Some(KnownLength::AtMost(7))));
    assert_eq!(puzzle.name.as_deref(), Some("a small one"));
    assert_eq!(formats::write(&puzzle, Format::Line).unwrap(), "<=7 3x4:.A..A.BB....@top a small one\n");
    assert_eq!(read("AA.. \"12 # of 12\" # quoted").1.name.as_deref(), Some("12 # of 12"));
    assert_eq!(read("AA.. C#4").1.name.as_deref(), Some("C#4"));
    assert_eq!(read_as_line(".x.AA.BB.@left"), (Format::Line, ".x.AA.BB.@left".to_string()));
    let (_, puzzle) = read(".P..P.QQ.@top:1");
    assert_eq!((puzzle.board.exit(), puzzle.board.target().label), (Exit::Any(Side::Top, 1), 'P'));
}

#[test]
fn a_grid_accepts_several_marks_for_empty_cells_and_the_target() {
    let expected = (Format::Grid, "5x3:B..CCBAAx......".to_string());
    for text in [
        "B..CC\nBAAx.\n.....\n",
        "B . . C C\nB A A x .\n. . . . .",
        "B _ _ C C\nB # # x _\n_ _ _ _ _\n",
        "  B--CC\n  BXXx-\n  -----\n\n",
        "# a comment\nBooCC\n# and one inside\nBAAx0\n00000",
    ] {
        assert_eq!(read_as_line(text), expected, "{text}");
    }
    assert_eq!(read_as_line("exit left\nBAA\nB..").1, "3x2:BAAB..@left");
    assert_eq!(read_as_line("##.\n...").1, "3x2:AA....");
    assert_eq!(read_as_line("# # .\n. . .").1, "3x2:AA....");
    let (format, puzzle) = read("name: of two\nexit bottom:2\n#.A\n#.A");
    assert_eq!((format, puzzle.name.as_deref()), (Format::Grid, Some("of two")));
    assert_eq!(formats::line(&puzzle.board), "3x2:B.AB.A@bottom:2");
}

#[test]
fn the_target_of_a_grid_is_labelled_a_and_another_a_is_relabelled() {
    assert_eq!(read_as_line("AXX..\nA....").1, "5x2:XAA..X....");
    assert_eq!(read_as_line("A##BX\nA..BX").1, "5x2:CAABXC..BX");
    let puzzle = formats::read_one("5x2:AA.XX.....", None).unwrap();
    let grid = formats::write(&puzzle, Format::Grid).unwrap();
    assert_eq!(grid, "AA.BB\n.....\n");
    assert_eq!(read_as_line(&grid).1, "5x2:AA.BB.....");
}

#[test]
fn a_van_dijk_board_counts_rows_from_the_bottom() {
    let (format, puzzle) = read("6 3 3 1\n1 3 2 1\n5 1 3 0\n0 0 2 1\n");
    assert_eq!((format, puzzle.moves), (Format::VanDijk, Some(KnownLength::Exactly(1))));
    assert_eq!(formats::line(&puzzle.board), "............".to_string() + ".AA..B" + ".....B" + ".....B" + "CC....");
    assert_eq!(read("4 2 1 0\n0 2 2 1\n").1.moves, None);
    // As many vehicles as fit on the smallest odd board.
    assert_eq!(read_as_line("3 2 4 0\n0 2 2 1\n0 0 2 0\n1 1 2 1\n1 0 2 1\n").1, "AA.BCCBDD");
}

#[test]
fn an_it3105_board_equals_the_board_of_the_suite() {
    let text = "0,2,2,2\n1,2,0,2\n0,4,1,2\n1,4,2,2\n0,0,4,3\n0,3,4,2\n";
    assert_eq!(read_as_line(text), (Format::It3105, suite_board("it3105", "easy-3")));
    let options = ReadOptions { size: Some(Size::new(7, 5).unwrap()), ..ReadOptions::default() };
    let puzzle = Reader::new("0, 5, 2, 2\n".as_bytes(), options).next().unwrap().unwrap();
    assert_eq!(formats::line(&puzzle.board), "7x5:...................AA..............");
}

#[test]
fn a_course_board_has_target_x_and_the_smallest_possible_size() {
    let (format, puzzle) = read("car,orientation,col,row,length\nX,H,1,3,2\nA,V,4,1,3\nAB,H,1,1,2\nB,H,1,5,2\n");
    assert_eq!(format, Format::Course);
    assert_eq!(formats::line(&puzzle.board), "CC.X.....X..AA.X........BB..........");
    assert_eq!(
        formats::write(&puzzle, Format::Course).unwrap(),
        "car,orientation,col,row,length\nX,H,1,3,2\nC,H,1,1,2\nA,V,4,1,3\nB,H,1,5,2\n"
    );
    let (_, puzzle) = read("car, orientation, col, row, length\r\nX, h, 1, 3, 2\r\nBC, v, 9, 7, 3\r\n");
    assert_eq!((puzzle.board.width(), puzzle.board.height()), (9, 9));
    for puzzle in Suite::find("course").unwrap().puzzles() {
        let text = formats::write(&puzzle, Format::Course).unwrap();
        assert_eq!(read(&text).1.board, puzzle.board);
    }
}

#[test]
fn a_traffic_jam_board_has_no_target() {
    let rows = "_ _ _ B C C\n_ _ _ B D D\nE F F F G G\nE _ _ _ _ #\n_ _ H H H #\n_ _ _ _ _ _\n";
    let expected = (Format::TrafficJam, suite_board("traffic-jam", "A"));
    assert_eq!(read_as_line(&format!("exit 5\n{rows}")), expected);
    assert_eq!(read_as_line(&format!("5\n{rows}")), expected);
    let with_a = rows.replace('B', "A");
    assert_eq!(
        read_as_line(&format!("5\n{with_a}")).1,
        expected.1.replace('A', "#").replace('B', "A").replace('#', "B")
    );
}

#[test]
fn json_is_read_in_the_schema_and_as_printed_by_solve() {
    let text = r#"{
        "name": "small", "size": [4, 3], "exit": "right", "walls": [[3, 0]],
        "vehicles": [
            {"label": "A", "x": 0, "y": 1, "length": 2, "orientation": "horizontal"},
            {"label": "B", "x": 3, "y": 1, "length": 2, "orientation": "vertical"}
        ],
        "moves": 2, "steps": "<=9", "solution": ["B+1", "A+2"]
    }"#;
    let (format, puzzle) = read(text);
    assert_eq!((format, formats::line(&puzzle.board)), (Format::Json, "4x3:...xAA.B...B".to_string()));
    assert_eq!((puzzle.moves, puzzle.steps), (Some(KnownLength::Exactly(2)), Some(KnownLength::AtMost(9))));
    assert_eq!((puzzle.name.as_deref(), puzzle.solution.unwrap().to_string()), (Some("small"), "B+1 A+2".to_string()));

    let printed = r#"{"name":null,"board":"4x3:...xAA.B...B","status":"solved","optimal":true,"metric":"moves","moves":2,"steps":3,"solution":["B+1","A+2"],"expanded":9}"#;
    let (_, puzzle) = read(printed);
    assert_eq!((puzzle.moves, puzzle.steps), (Some(KnownLength::Exactly(2)), Some(KnownLength::AtMost(3))));
    let (_, puzzle) = read(&printed.replace("true", "false").replace(r#""moves":2"#, r#""moves":null"#));
    assert_eq!((puzzle.moves, puzzle.steps), (None, Some(KnownLength::AtMost(3))));
}

#[test]
fn json_objects_are_read_line_by_line_or_from_an_array() {
    let names = |text: &str| -> Vec<Result<String, usize>> {
        let items = Reader::new(text.as_bytes(), ReadOptions::default());
        items.map(|item| item.map(|puzzle| puzzle.name.unwrap_or_default()).map_err(|error| error.line)).collect()
    };
    let (a, b) = (r#"{"name":"a","board":"AA.."}"#, r#"{"name":"b","board":"..AA"}"#);
    let both = [Ok("a".to_string()), Ok("b".to_string())];
    assert_eq!(names(&format!("{a}\n{b}\n")), both);
    assert_eq!(names(&format!("[{a},{b}]")), both);
    assert_eq!(names(&format!("\u{feff}[\n  {a},\n  {b}\n]\n")), both);
    // A broken object does not affect others, as long as no object could start where the next one does.
    for broken in
        ["{\"board\":\"AA.", "{\"board\":\"AA..\"", "{\"board\":[{\"x\":1,", "{]", "oh", "{\"board\":\"AA..\"}}"]
    {
        let items = names(&format!("{a}\n{broken}\n{b}\n"));
        assert_eq!(items.last(), Some(&both[1]), "{broken}: {items:?}");
        assert_eq!(items.iter().find(|item| item.is_err()), Some(&Err(2)), "{broken}: {items:?}");
    }
}

#[test]
fn several_boards_are_written_with_header_and_blank_lines() {
    let puzzles = ["AA..", "8 ..AA two"].map(|text| formats::read_one(text, None).unwrap());
    let written = |format| {
        let mut writer = Writer::new(format);
        puzzles.iter().map(|puzzle| writer.append(puzzle).unwrap()).collect::<String>()
    };
    assert_eq!(written(Format::Line), "AA..\n8 ..AA two\n");
    assert_eq!(written(Format::Grid), "AA\n..\n\nname: two\n..\nAA\n");
    assert_eq!(
        written(Format::Tsv),
        "# name\tsize\texit\tboard\tmoves\tsteps\n\t2x2\tright\tAA..\t?\t?\ntwo\t2x2\tright\t..AA\t8\t?\n"
    );
    assert_eq!(written(Format::VanDijk), "2 1 1 0\n0 1 2 1\n\n2 0 1 8\n0 0 2 1\n");
}

#[test]
fn formats_reject_boards_that_they_cannot_represent() {
    let reason =
        |text: &str, format| formats::write(&formats::read_one(text, None).unwrap(), format).unwrap_err().to_string();
    let cases = [
        (
            "3x2:AA....",
            Format::VanDijk,
            "the van-dijk format cannot hold this board: its boards must be square, not 3x2",
        ),
        ("AAx......", Format::Course, "the course format cannot hold this board: it does not support walls"),
        (
            "AA..@left",
            Format::It3105,
            "the it3105 format cannot hold this board: its exit must be on the right, for the target, not left",
        ),
        ("AA..", Format::It3105, "the it3105 format cannot hold this board: its boards must be 6x6, not 2x2"),
        (
            "AA..",
            Format::Course,
            "the course format cannot hold this board: it does not store the size, and 2x2 would be read as 6x6",
        ),
        (
            "AA..",
            Format::TrafficJam,
            "the traffic-jam format cannot hold this board: its exit must be a column of the top edge, for any vehicle, not right",
        ),
    ];
    for (text, format, message) in cases {
        assert_eq!(reason(text, format), message);
    }
}

#[test]
fn small_boards_are_detected_by_the_documented_rules() {
    let format = |text: &str| {
        let mut reader = Reader::new(text.as_bytes(), ReadOptions::default());
        let _ = reader.next();
        reader.format().unwrap()
    };
    assert_eq!(format("AA..\n..AA"), Format::Line);
    assert_eq!(format("AA..\n..BB"), Format::Grid);
    assert_eq!(format("AA.."), Format::Line);
    assert_eq!(format("AA.BB\n....."), Format::Grid);
    assert_eq!(format("3 AA..\n..BB"), Format::Line);
    assert_eq!(format("11\nAA"), Format::Grid);
    assert_eq!(format("11\n...........A\n...........A"), Format::TrafficJam);
    assert_eq!(format("hello world\nBB...CD..E.CDAAE.CD..E..F...GGF.HHH."), Format::Line);
    assert_eq!(formats::read_one("AABB", Some(Format::Grid)).unwrap_err().line, 1);
    assert_eq!("grid".parse(), Ok(Format::Grid));
    assert_eq!(
        "grd".parse::<Format>().unwrap_err().to_string(),
        "unknown format 'grd'; expected one of line, grid, van-dijk, it3105, course, traffic-jam, json, tsv"
    );
}

#[test]
fn the_exit_can_be_overridden() {
    let options = ReadOptions { exit: Some(Exit::Target(Side::Top)), ..ReadOptions::default() };
    let mut reader = Reader::new("...\n.A.\n.A.\n".as_bytes(), options);
    assert_eq!(formats::line(&reader.next().unwrap().unwrap().board), "....A..A.@top");
}

#[test]
fn reading_continues_after_an_error() {
    let outcomes = |text: &str| -> Vec<Result<usize, usize>> {
        let items = Reader::new(text.as_bytes(), ReadOptions::default());
        items.map(|item| item.map(|puzzle| puzzle.line).map_err(|error| error.line)).collect()
    };
    let board = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
    assert_eq!(outcomes(&format!("# head\n\n{board}\n{board}.\n\n{board}")), [Ok(3), Err(4), Ok(6)]);
    assert_eq!(outcomes("AA..B\n....B\n\nAA\nA.\n..\n\n# note\nAA..B\n....B\n"), [Ok(1), Err(5), Ok(9)]);
    assert_eq!(outcomes("n\t2x2\tright\tAA..\nn\t2x2\tup\tAA..\nn\t2x2\tright\tAA..\t1\t1\n"), [Ok(1), Err(2), Ok(3)]);
}

/// An endless input that counts the bytes read from it.
struct Endless<'a> {
    text: &'a [u8],
    at: usize,
    taken: &'a std::cell::Cell<usize>,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let start = self.at % self.text.len();
        let count = buffer.len().min(self.text.len() - start);
        buffer[..count].copy_from_slice(&self.text[start..start + count]);
        self.at += count;
        self.taken.set(self.at);
        Ok(count)
    }
}

fn endless<'a>(text: &'a str, taken: &'a std::cell::Cell<usize>) -> impl BufRead + 'a {
    BufReader::with_capacity(4096, Endless { text: text.as_bytes(), at: 0, taken })
}

#[test]
fn endless_lines_are_rejected_early() {
    for (text, most) in [
        ("A", 1 << 18),
        ("{", 1 << 16),
        ("{\"a\":[", 1 << 17),
        ("[{\"a\":1,\"b\":\"bcbcbcbc\"},", 1 << 17),
        ("\u{0}", 1 << 18),
        ("AAé", 1 << 18),
    ] {
        let taken = std::cell::Cell::new(0);
        let error = Reader::new(endless(text, &taken), ReadOptions::default()).next().unwrap().unwrap_err();
        assert!(error.source_code.text.len() < 1000, "{error}");
        assert!(taken.get() <= most, "{text}: {} bytes", taken.get());
    }
}

#[test]
fn comments_and_blank_lines_are_not_kept_in_memory() {
    let board = "# # note\n \n".repeat(200_000) + "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.\n";
    assert_eq!(read(&board).1.line, 400_001);
    let json = "# note\n\n{\"board\":\"AA..\"}\n# between\n";
    assert_eq!((read(json).0, read(json).1.line), (Format::Json, 3));
    assert_eq!(formats::read_one(json, Some(Format::Json)).unwrap().line, 3);
    let grid = "AA.\n".to_string() + &"# in between\n".repeat(20_000) + "...\n";
    assert_eq!(formats::line(&formats::read_one(&grid, Some(Format::Grid)).unwrap().board), "3x2:AA....");
}

#[test]
fn boards_are_read_as_a_stream() {
    let taken = std::cell::Cell::new(0);
    for text in ["AA..\n", "AA.B\n...B\n\n", "{\"board\":\"AA..\"}\n", "0,2,2,2\n\n"] {
        let mut reader = Reader::new(endless(text, &taken), ReadOptions::default());
        assert!(reader.next().unwrap().is_ok());
        assert!(taken.get() <= 1 << 17, "{text}: {}", taken.get());
        assert!(reader.by_ref().take(30_000).all(|item| item.is_ok()));
    }
}
