//! Functions used by several properties.

use clearway_rush::formats::{self, Format};
use clearway_rush::{Board, Solver};
use clearway_util::syntax::{Drawing, ParseError, render};
use std::cell::RefCell;
use std::path::PathBuf;

/// Maximum number of boards of one input that are checked. Further boards would find no other faults.
pub const MAX_BOARDS: usize = 8;

/// Returns an input as text, or None if it is not valid UTF-8, which parsers of text never receive.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Splits an input into its first byte, which selects a variant, and the rest.
pub fn choice(bytes: &[u8]) -> Option<(u8, &[u8])> {
    bytes.split_first().map(|(&choice, rest)| (choice, rest))
}

/// Checks that the excerpt of an error is short and contains the position of the fault, and that the error can be rendered.
pub fn check_error(error: &ParseError) {
    let text = &error.source_code.text;
    assert!(text.len() < 4096, "an excerpt of {} bytes: {error}", text.len());
    if let Some(span) = error.span.clone() {
        assert!(text.get(span).is_some(), "the position is not in the excerpt: {error:?}");
    }
    assert!(!render(error, Drawing::default()).is_empty());
}

/// Parses a board that is known to be valid.
pub fn board(line: &str) -> Board {
    formats::read_one(line, Some(Format::Line)).unwrap_or_else(|error| panic!("{error}: {line}")).board
}

/// Calls a function with the exact solver of this thread, whose tables are allocated once.
pub fn with_solver<T>(run: impl FnOnce(&mut Solver) -> T) -> T {
    thread_local!(static SOLVER: RefCell<Solver> = RefCell::new(Solver::new()));
    SOLVER.with_borrow_mut(run)
}

/// Returns a path for a file or folder of this thread, for readers that need files. It is in memory if the system has a folder
/// for that.
pub fn scratch(name: &str) -> PathBuf {
    thread_local!(static FOLDER: tempfile::TempDir = {
        let builder = tempfile::Builder::new();
        builder.tempdir_in("/dev/shm").or_else(|_| builder.tempdir()).expect("a temporary folder can be created")
    });
    FOLDER.with(|folder| folder.path().join(name))
}
