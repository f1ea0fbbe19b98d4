//! Panics in workers: an error for the board, and the others go on.

use crate::failure::message_with_help;
use crate::json;
use clearway_lab::fault::{inject, message};
use serde::Serialize;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

/// What to do about an internal error.
pub const PLEASE_REPORT: &str = "this is a fault of clearway: please report it with the command that you ran";

thread_local! {
    /// Whether this thread catches its panics, and where the last one was.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic while a board was in work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The board.
    pub title: String,
    /// The message of the panic, and where it was as far as that is known.
    pub message: String,
}

/// What `--json` prints in the place of the record of a board.
#[derive(Serialize)]
struct ErrorRecord<'a> {
    /// The name of the board.
    name: &'a str,
    /// `error`.
    status: &'static str,
    /// What went wrong.
    error: String,
}

impl Panic {
    /// What a person is told.
    pub fn report(&self) -> miette::Report {
        message_with_help(format!("{}: internal error: {}", self.title, self.message), PLEASE_REPORT)
    }

    /// The line of JSON for the board.
    pub fn record(&self) -> String {
        let error = format!("internal error: {}", self.message);
        json::line(&ErrorRecord { name: &self.title, status: "error", error })
    }
}

/// Does the work of a board, and catches a panic.
pub fn catch<T>(title: String, work: impl FnOnce() -> T) -> Result<T, Panic> {
    CAUGHT.set(Some(String::new()));
    let done = catch_unwind(AssertUnwindSafe(|| {
        inject(&title);
        work()
    }));
    let place = CAUGHT.take().unwrap_or_default();
    done.map_err(|payload| Panic { title, message: format!("{}{place}", message(&*payload)) })
}

/// Whether a panic of this thread is caught. Called by the hook for panics.
pub fn is_caught(panic: &PanicHookInfo) -> bool {
    CAUGHT.with_borrow_mut(|place| match place {
        Some(place) => {
            *place = panic.location().map_or_else(String::new, |location| format!(" ({location})"));
            true
        }
        None => false,
    })
}
