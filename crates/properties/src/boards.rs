//! Boards in each text format.
//!
//! For every input: reading does not panic, every error has a short excerpt that contains the position of the fault, and boards
//! round-trip through their own format, the line format, JSON and rows of suites.

use crate::shared::{MAX_BOARDS, check_error};
use clearway_rush::formats::{self, Format, Puzzle, ReadOptions, Reader};
use clearway_rush::{Board, Size, Vehicle};

/// Checks boards in the line format.
pub fn line(bytes: &[u8]) {
    check(bytes, Format::Line);
}

/// Checks boards as grids.
pub fn grid(bytes: &[u8]) {
    check(bytes, Format::Grid);
}

/// Checks boards in van Dijk's format.
pub fn van_dijk(bytes: &[u8]) {
    check(bytes, Format::VanDijk);
}

/// Checks boards in the format of IT3105.
pub fn it3105(bytes: &[u8]) {
    check(bytes, Format::It3105);
}

/// Checks boards in the course format.
pub fn course(bytes: &[u8]) {
    check(bytes, Format::Course);
}

/// Checks boards in the Traffic Jam format.
pub fn traffic_jam(bytes: &[u8]) {
    check(bytes, Format::TrafficJam);
}

/// Checks boards in JSON.
pub fn json(bytes: &[u8]) {
    check(bytes, Format::Json);
}

/// Checks suites.
pub fn tsv(bytes: &[u8]) {
    check(bytes, Format::Tsv);
}

/// Checks that a format is detected in every input with a board, and that reading with that format given explicitly returns the
/// same boards and errors.
pub fn detection(bytes: &[u8]) {
    let mut detected = Reader::new(bytes, ReadOptions::default());
    let items: Vec<_> = detected.by_ref().take(MAX_BOARDS).collect();
    for error in items.iter().filter_map(|item| item.as_ref().err()) {
        check_error(error);
    }
    let Some(format) = detected.format() else {
        assert!(items.iter().all(Result::is_err), "a board was read although no format was detected");
        return;
    };
    let named = Reader::new(bytes, ReadOptions { format: Some(format), ..ReadOptions::default() });
    let named: Vec<_> = named.take(MAX_BOARDS).collect();
    assert_eq!(items.len(), named.len(), "{format:?}");
    for (one, other) in items.iter().zip(&named) {
        match (one, other) {
            (Ok(one), Ok(other)) => assert_eq!(one, other),
            (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
            _ => panic!("detected {one:?}\nnamed {other:?}"),
        }
    }
}

fn check(bytes: &[u8], format: Format) {
    for item in Reader::new(bytes, ReadOptions { format: Some(format), ..ReadOptions::default() }).take(MAX_BOARDS) {
        match item {
            Ok(puzzle) => {
                check_puzzle(&puzzle);
                check_format(&puzzle, format);
            }
            Err(error) => check_error(&error),
        }
    }
}

/// Checks that every board round-trips through the line format, JSON and rows of suites, with the values that these formats
/// contain.
pub fn check_puzzle(puzzle: &Puzzle) {
    let same = Puzzle { line: 1, ..puzzle.clone() };
    assert_eq!(read_back(puzzle, Format::Line), Puzzle { steps: None, solution: None, ..same.clone() });
    assert_eq!(read_back(puzzle, Format::Tsv), Puzzle { solution: None, ..same.clone() });
    assert_eq!(read_back(puzzle, Format::Json), same);
}

/// Checks that the written text is read as the same board, apart from labels, and that writing it again gives the same text.
fn check_format(puzzle: &Puzzle, format: Format) {
    // Boards with an exit or a size that the format does not support cannot be written in it.
    let Ok(text) = formats::write(puzzle, format) else { return };
    let board = &puzzle.board;
    let size = Size::new(board.width(), board.height()).expect("the sides of a board are a size");
    let options = ReadOptions { format: Some(format), size: Some(size), ..ReadOptions::default() };
    let mut reader = Reader::new(text.as_bytes(), options);
    let again = match reader.next() {
        Some(Ok(again)) => again,
        other => panic!("{other:?}\n{text}"),
    };
    assert!(reader.next().is_none(), "one board was written as several:\n{text}");
    assert_eq!(without_labels(&again.board), without_labels(board), "{text}");
    assert_eq!(formats::write(&again, format).as_ref(), Ok(&text));
}

fn read_back(puzzle: &Puzzle, format: Format) -> Puzzle {
    let text = formats::write(puzzle, format).expect("this format supports every board");
    formats::read_one(&text, Some(format)).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn without_labels(board: &Board) -> (Size, Vec<(u8, u8)>, clearway_rush::Exit, Vec<Vehicle>) {
    let vehicles = board.vehicles().iter().map(|vehicle| Vehicle { label: 'A', ..*vehicle }).collect();
    let size = Size::new(board.width(), board.height()).expect("the sides of a board are a size");
    (size, board.walls().iter().collect(), board.exit(), vehicles)
}
