//! Feeds bytes to the reader of boards, in each format and by detection. Nothing may panic, every error shows a place
//! within its excerpt, and what was read is the same after it is written and read again.
//!
//! ```text
//! cargo install cargo-fuzz
//! mkdir -p fuzz/corpus/read_boards && cp suites/*.tsv fuzz/corpus/read_boards
//! RUSTC_BOOTSTRAP=1 cargo fuzz run read_boards -- -max_total_time=60 -max_len=4096
//! ```
//!
//! The first byte chooses the format; `RUSTC_BOOTSTRAP` lets a stable compiler build what libFuzzer needs.

#![no_main]

use clearway_rush::formats::{self, Format, Puzzle, ReadOptions, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, input)) = bytes.split_first() else { return };
    let format = Format::ALL.get(usize::from(choice) % (Format::ALL.len() + 1)).copied();
    let reader = Reader::new(input, ReadOptions { format, ..ReadOptions::default() });
    for item in reader.take(100) {
        match item {
            Ok(puzzle) => {
                let line = Puzzle { steps: None, solution: None, line: 1, ..puzzle.clone() };
                assert_eq!(read_back(&puzzle, Format::Line), line);
                assert_eq!(read_back(&puzzle, Format::Json), Puzzle { line: 1, ..puzzle });
            }
            Err(error) => {
                let text = &error.source_code.text;
                assert!(text.len() < 4096, "{error}");
                if let Some(span) = error.span {
                    assert!(text.get(span.offset()..span.offset() + span.len()).is_some(), "{error:?}");
                }
            }
        }
    }
});

fn read_back(puzzle: &Puzzle, format: Format) -> Puzzle {
    let text = formats::write(puzzle, format).expect("lines and JSON hold every board");
    formats::read_one(&text, None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}
