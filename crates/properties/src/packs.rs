//! Packs of puzzles.

use crate::boards::check_puzzle;
use crate::shared::{MAX_BOARDS, check_error};
use clearway_forge::pack::{Entry, PackFormat, PackReader};
use clearway_rush::formats::ReadOptions;

/// Formats of packs that can be read.
const READABLE: [PackFormat; 3] = [PackFormat::Jsonl, PackFormat::Csv, PackFormat::Txt];

/// Checks that a pack contains valid boards. A line that is a complete record of a pack round-trips, and its board and (except in
/// `txt`) its origin can be read from every format.
pub fn packs(bytes: &[u8]) {
    for item in PackReader::new(bytes, ReadOptions::default()).take(MAX_BOARDS) {
        match item {
            Ok(sourced) => check_puzzle(&sourced.puzzle),
            Err(error) => check_error(&error),
        }
    }
    for line in bytes.split(|&byte| byte == b'\n').take(MAX_BOARDS) {
        if let Ok(entry) = serde_json::from_slice::<Entry>(line) {
            check_entry(&entry);
        }
    }
}

fn check_entry(entry: &Entry) {
    let text = serde_json::to_string(entry).expect("an entry can be written");
    assert_eq!(&serde_json::from_str::<Entry>(&text).expect("what was written can be read"), entry);
    for format in READABLE {
        let written = format.write(std::slice::from_ref(entry), "fuzz");
        let mut reader = PackReader::new(written.as_slice(), ReadOptions::default());
        let sourced = match reader.next() {
            Some(Ok(sourced)) => sourced,
            other => panic!("{other:?}\n{}", String::from_utf8_lossy(&written)),
        };
        assert!(reader.next().is_none(), "one puzzle was written as several: {}", String::from_utf8_lossy(&written));
        assert_eq!(sourced.puzzle.board, entry.board, "{format:?}");
        if format != PackFormat::Txt {
            assert_eq!(sourced.origin, entry.origin, "{format:?}");
        }
    }
}
