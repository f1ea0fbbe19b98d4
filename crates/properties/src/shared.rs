//! What several properties need.

use clearway_lab::{Drawing, render};
use clearway_rush::formats::{self, Format, ParseError};
use clearway_rush::{Board, Solver};
use std::cell::RefCell;
use std::path::PathBuf;

/// The most boards of one input that are looked at: more of them find nothing that one alone does not.
pub const MOST_BOARDS: usize = 8;

/// The text of an input. What is not UTF-8 reaches no reader of texts.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// The first byte, to choose by, and the rest.
pub fn choice(bytes: &[u8]) -> Option<(u8, &[u8])> {
    bytes.split_first().map(|(&choice, rest)| (choice, rest))
}

/// An error shows a place within its excerpt, which is short, and can be drawn.
pub fn check_error(error: &ParseError) {
    let text = &error.source_code.text;
    assert!(text.len() < 4096, "an excerpt of {} bytes: {error}", text.len());
    if let Some(span) = error.span {
        assert!(
            text.get(span.offset()..span.offset() + span.len()).is_some(),
            "the place is not in the excerpt: {error:?}"
        );
    }
    assert!(!render(error, Drawing::default()).is_empty());
}

/// A board that is known to be valid.
pub fn board(line: &str) -> Board {
    formats::read_one(line, Some(Format::Line)).unwrap_or_else(|error| panic!("{error}: {line}")).board
}

/// Runs something with this thread's exact solver, whose tables are made once.
pub fn with_solver<T>(run: impl FnOnce(&mut Solver) -> T) -> T {
    thread_local!(static SOLVER: RefCell<Solver> = RefCell::new(Solver::new()));
    SOLVER.with_borrow_mut(run)
}

/// A place for a file or a folder of this thread, in memory where the system has a folder for that: some readers take nothing
/// but files.
pub fn scratch(name: &str) -> PathBuf {
    thread_local!(static FOLDER: tempfile::TempDir = {
        let builder = tempfile::Builder::new();
        builder.tempdir_in("/dev/shm").or_else(|_| builder.tempdir()).expect("there is a place for temporary files")
    });
    FOLDER.with(|folder| folder.path().join(name))
}
