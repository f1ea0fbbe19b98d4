//! Panics in workers: an error of one board; the others are not affected.

use crate::failure::message_with_help;
use crate::json;
use clearway_lab::fault::{inject, message};
use serde::Serialize;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

/// Advice for an internal error.
pub const PLEASE_REPORT: &str = "this is a bug in clearway; please report it with the command that you ran";

thread_local! {
    /// The place of the last panic of this thread; `None` if the thread does not catch its panics.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic while a board was processed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The name of the board.
    pub title: String,
    /// The message of the panic, and its place if it is known.
    pub message: String,
}

/// The record of a board with a panic, as `--json` prints it.
#[derive(Serialize)]
struct ErrorRecord<'a> {
    /// The name of the board.
    name: &'a str,
    /// Always `error`.
    status: &'static str,
    /// The error message.
    error: String,
}

impl Panic {
    /// Returns the report for the user.
    pub fn report(&self) -> miette::Report {
        message_with_help(format!("{}: internal error: {}", self.title, self.message), PLEASE_REPORT)
    }

    /// Returns the JSON line for the board.
    pub fn record(&self) -> String {
        let error = format!("internal error: {}", self.message);
        json::line(&ErrorRecord { name: &self.title, status: "error", error })
    }
}

/// Processes a board, and catches a panic.
pub fn catch<T>(title: String, work: impl FnOnce() -> T) -> Result<T, Panic> {
    CAUGHT.set(Some(String::new()));
    let done = catch_unwind(AssertUnwindSafe(|| {
        inject(&title);
        work()
    }));
    let place = CAUGHT.take().unwrap_or_default();
    done.map_err(|payload| Panic { title, message: format!("{}{place}", message(&*payload)) })
}

/// Returns whether this thread catches its panics, and notes the place of this one. Called by the panic hook.
pub fn is_caught(panic: &PanicHookInfo) -> bool {
    CAUGHT.with_borrow_mut(|place| match place {
        Some(place) => {
            *place = panic.location().map_or_else(String::new, |location| format!(" ({location})"));
            true
        }
        None => false,
    })
}
