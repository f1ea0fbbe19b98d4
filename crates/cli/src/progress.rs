//! Progress of long work: on stderr, only if it is a terminal, and never with `--quiet`.

use crate::input::Boards;
use crate::output::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A bar that follows the bytes read where their number is known, or a count of boards where it is not.
pub struct Progress {
    bar: ProgressBar,
    bytes_read: Arc<AtomicU64>,
    by_bytes: bool,
    shares_terminal: bool,
}

impl Progress {
    /// Starts following the boards.
    pub fn new(boards: &Boards, context: &Context) -> Progress {
        let total = boards.known_bytes();
        let bar = if context.global.quiet { ProgressBar::hidden() } else { ProgressBar::no_length() };
        let template = match total {
            Some(total) => {
                bar.set_length(total);
                "{spinner} {wide_bar} {percent:>3} %, {msg}, {elapsed} gone, {eta} left"
            }
            None => "{spinner} {msg}, {elapsed} gone",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message("solving");
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress {
            bar,
            bytes_read: boards.bytes_read(),
            by_bytes: total.is_some(),
            shares_terminal: std::io::stdout().is_terminal(),
        }
    }

    /// So many boards are done.
    pub fn done(&self, boards: u64) {
        if !self.bar.is_hidden() {
            self.bar.set_message(crate::quantity::of(boards, "board"));
            if self.by_bytes {
                self.bar.set_position(self.bytes_read.load(Ordering::Relaxed));
            }
        }
    }

    /// Prints something to stdout, without drawing over it if that is the same terminal.
    pub fn around_stdout<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.shares_terminal { self.around(print) } else { print() }
    }

    /// Prints something to stderr without drawing over it.
    pub fn around<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
