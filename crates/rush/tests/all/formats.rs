//! Properties of the formats: boards survive a round trip, and no text makes a reader panic.

use crate::common::boards;
use clearway_rush::formats::{self, Format, KnownLength, ParseError, Puzzle, ReadOptions, Reader, Writer};
use clearway_rush::{Board, Exit, Move, Side, Size, Solution, Vehicle};
use proptest::collection::vec;
use proptest::prelude::*;

fn known() -> impl Strategy<Value = Option<KnownLength>> {
    prop_oneof![
        Just(None),
        any::<u32>().prop_map(|n| Some(KnownLength::Exactly(n))),
        (1..99u32).prop_map(|n| Some(KnownLength::AtMost(n)))
    ]
}

fn name() -> impl Strategy<Value = Option<String>> {
    let odd = prop_oneof![
        Just("12"),
        Just("# no"),
        Just("a #b"),
        Just("\"q"),
        Just("\"q\" r"),
        Just(" t\t\n"),
        Just("{"),
        Just("\u{feff}n")
    ];
    prop_oneof![
        Just(None),
        "[A-Za-z0-9 _:@-]{1,12}".prop_map(Some),
        odd.prop_map(|name| Some(name.to_string())),
        any::<String>().prop_map(|name| Some(name).filter(|name| !name.is_empty())),
    ]
}

fn puzzles(max_side: u8) -> impl Strategy<Value = Puzzle> {
    (
        boards(max_side),
        name(),
        known(),
        known(),
        prop::option::of(vec((any::<prop::sample::Index>(), 1..16i8, any::<bool>()), 0..5)),
    )
        .prop_map(|(board, name, moves, steps, solution)| {
            let mv = |(vehicle, cells, back): (prop::sample::Index, i8, bool)| Move {
                label: vehicle.get(board.vehicles()).label,
                cells: if back { -cells } else { cells },
            };
            let solution = solution.map(|moves| Solution(moves.into_iter().map(mv).collect()));
            Puzzle { name, moves, steps, solution, ..Puzzle::new(board) }
        })
}

/// The vehicles without their labels.
fn shapes(board: &Board) -> Vec<Vehicle> {
    board.vehicles().iter().map(|&vehicle| Vehicle { label: 'A', ..vehicle }).collect()
}

/// The part of a puzzle that a format stores; `None` if it cannot represent the board.
fn stored(puzzle: &Puzzle, format: Format) -> Option<Puzzle> {
    let board = &puzzle.board;
    let bare = Puzzle::new(board.clone());
    let plain =
        board.width() == board.height() && board.walls().is_empty() && board.exit() == Exit::Target(Side::Right);
    match format {
        Format::Json => Some(puzzle.clone()),
        Format::Tsv => Some(Puzzle { solution: None, ..puzzle.clone() }),
        Format::Line => Some(Puzzle { name: puzzle.name.clone(), moves: puzzle.moves, ..bare }),
        Format::Grid => Some(Puzzle { name: puzzle.name.clone(), ..bare }),
        Format::TrafficJam => {
            matches!(board.exit(), Exit::Any(Side::Top, _)).then(|| Puzzle { name: puzzle.name.clone(), ..bare })
        }
        Format::VanDijk => {
            plain.then(|| Puzzle { moves: puzzle.moves.filter(|&m| matches!(m, KnownLength::Exactly(1..))), ..bare })
        }
        Format::It3105 => (plain && board.width() == 6).then_some(bare),
        Format::Course => {
            let ends = board.vehicles().iter().flat_map(|vehicle| vehicle.cells().map(|(x, y)| x.max(y) + 1));
            (plain && ends.max().unwrap().max(6) == board.width()).then_some(bare)
        }
        format => unimplemented!("the part of a puzzle that {format:?} stores"),
    }
}

fn assert_same(read: &Puzzle, expected: &Puzzle, format: Format) -> Result<(), TestCaseError> {
    prop_assert_eq!(&read.name, &expected.name);
    prop_assert_eq!((read.moves, read.steps, &read.solution), (expected.moves, expected.steps, &expected.solution));
    let (board, wanted) = (&read.board, &expected.board);
    let renames = match format {
        Format::VanDijk | Format::It3105 => true,
        Format::Grid => matches!(wanted.exit(), Exit::Target(_)) && wanted.vehicle_labelled('X').is_some(),
        _ => false,
    };
    if renames {
        prop_assert_eq!(
            (board.width(), board.height(), board.exit()),
            (wanted.width(), wanted.height(), wanted.exit())
        );
        prop_assert_eq!(board.walls(), wanted.walls());
        prop_assert_eq!(shapes(board), shapes(wanted));
    } else {
        prop_assert_eq!(board, wanted);
    }
    Ok(())
}

fn read_all(bytes: &[u8], options: ReadOptions) -> Vec<Result<Puzzle, ParseError>> {
    Reader::new(bytes, options).collect()
}

fn reading(format: Option<Format>) -> ReadOptions {
    ReadOptions { format, ..ReadOptions::default() }
}

/// Reads bytes in every format and with detection, and checks that every error points into a small excerpt.
fn assert_bytes_are_handled(bytes: &[u8]) -> Result<(), TestCaseError> {
    let lines = bytes.split(|&byte| byte == b'\n').count();
    let formats = Format::ALL.into_iter().map(Some).chain([None]);
    let exits = [None, Some(Exit::Any(Side::Top, 2)), Some(Exit::Target(Side::Bottom))];
    for (format, exit) in formats.flat_map(|format| exits.map(|exit| (format, exit))) {
        let size = exit.map(|_| Size::new(7, 3).unwrap());
        let items = read_all(bytes, ReadOptions { format, exit, size, source_name: "fuzz".to_string() });
        prop_assert!(!items.is_empty(), "an input without boards gives an error");
        for item in items {
            match item {
                Ok(puzzle) => prop_assert!((1..=lines).contains(&puzzle.line)),
                Err(error) => {
                    prop_assert!(error.line <= lines, "{error} of {lines} lines");
                    prop_assert!(error.source_code.text.chars().count() < 700);
                    let mut picture = String::new();
                    miette::NarratableReportHandler::new().render_report(&mut picture, &error).unwrap();
                    if let Some(span) = error.span.clone() {
                        prop_assert!(error.source_code.text.get(span).is_some(), "{error:?}");
                        prop_assert!(picture.contains(&format!("line {}", error.line)), "{picture}");
                    }
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn a_written_board_is_read_back_with_and_without_detection(puzzle in puzzles(16)) {
        for format in Format::ALL {
            let text = match (formats::write(&puzzle, format), stored(&puzzle, format)) {
                (Ok(text), Some(_)) => text,
                (Err(_), None) => continue,
                (written, _) => panic!("{}: {written:?}", format.name()),
            };
            prop_assert!(text.ends_with('\n'));
            let expected = stored(&puzzle, format).unwrap();
            for options in [reading(Some(format)), reading(None)] {
                let mut reader = Reader::new(text.as_bytes(), options);
                let read = reader.next().unwrap();
                prop_assert_eq!(reader.format(), Some(format), "{}", text);
                prop_assert!(read.is_ok(), "{}: {:?}\n{}", format.name(), read, text);
                assert_same(&read.unwrap(), &expected, format)?;
                prop_assert!(reader.next().is_none());
            }
        }
    }

    #[test]
    fn several_boards_are_read_back_from_one_text(many in vec(puzzles(6), 1..5)) {
        for format in Format::ALL {
            let storable: Vec<Puzzle> = many.iter().filter_map(|puzzle| stored(puzzle, format)).collect();
            if storable.is_empty() {
                continue;
            }
            let mut writer = Writer::new(format);
            let text: String = storable.iter().map(|puzzle| writer.append(puzzle).unwrap()).collect();
            let items = read_all(text.as_bytes(), reading(None));
            prop_assert_eq!(items.len(), storable.len(), "{}", text);
            for (item, expected) in items.into_iter().zip(&storable) {
                prop_assert!(item.is_ok(), "{}: {:?}\n{}", format.name(), item, text);
                assert_same(&item.unwrap(), expected, format)?;
            }
        }
    }

    #[test]
    fn any_string_is_a_board_or_an_error(text in any::<String>()) {
        assert_bytes_are_handled(text.as_bytes())?;
    }

    #[test]
    fn any_bytes_are_a_board_or_an_error(bytes in vec(any::<u8>(), 0..200)) {
        assert_bytes_are_handled(&bytes)?;
    }

    #[test]
    fn any_text_similar_to_a_board_is_a_board_or_an_error(text in "[0-9ABXxo.#@:, \t\n{}\\[\\]\"eitHV-]{0,120}") {
        assert_bytes_are_handled(text.as_bytes())?;
    }

    #[test]
    fn a_damaged_text_is_a_board_or_an_error(
        puzzle in puzzles(7),
        damage in vec((any::<prop::sample::Index>(), 0..4u8, "[0-9AXxo.#@:, \t\n{}\\[\\]\"]"), 1..4),
    ) {
        for format in Format::ALL {
            let Ok(text) = formats::write(&puzzle, format) else { continue };
            let mut chars: Vec<char> = text.chars().collect();
            for (place, kind, replacement) in &damage {
                let at = place.index(chars.len());
                match kind {
                    0 => drop(chars.remove(at)),
                    1 => chars[at] = replacement.chars().next().unwrap(),
                    2 => chars.insert(at, replacement.chars().next().unwrap()),
                    _ => chars.truncate(at.max(1)),
                }
                if chars.is_empty() {
                    break;
                }
            }
            assert_bytes_are_handled(chars.into_iter().collect::<String>().as_bytes())?;
        }
    }
}
