//! Progress bars for long work: on stderr, only if it is a terminal, and never with `--quiet`.

use crate::input::Boards;
use crate::output::{Context, write_stderr};
use crate::quantity;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work that finishes within this time shows no progress.
const SHOW_AFTER: Duration = Duration::from_millis(500);

/// A progress bar over the boards if their number is known, else over the bytes read, else only a count of boards.
pub struct BoardProgress {
    bar: ProgressBar,
    measure: ProgressUnit,
    /// When to show the bar; `None` if it is never shown, or is shown already.
    show_at: Option<Instant>,
    shares_terminal: bool,
    /// The number of boards that the bar shows as done.
    boards: u64,
    status: ProgressStatus,
}

/// What another thread reports about its work: a message in the bar, and lines above it.
#[derive(Clone, Debug)]
pub struct ProgressStatus {
    bar: ProgressBar,
    message: Arc<Mutex<Option<String>>>,
}

impl ProgressStatus {
    /// Sets the message.
    pub fn set(&self, text: String) {
        *self.message.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    /// Prints a line to stderr, whether the bar is shown or not.
    pub fn print(&self, line: &str) {
        self.bar.suspend(|| write_stderr(&format!("{line}\n")));
    }

    /// Takes a message that was not shown yet.
    fn take(&self) -> Option<String> {
        self.message.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

enum ProgressUnit {
    Boards,
    Bytes(Arc<AtomicU64>),
    Nothing,
}

impl BoardProgress {
    /// Creates a bar for these boards. It stays hidden for half a second.
    pub fn new(boards: &Boards, context: &Context) -> BoardProgress {
        let (measure, total) = match (boards.known_count(), boards.known_bytes()) {
            (Some(count), _) => (ProgressUnit::Boards, Some(count as u64)),
            (None, Some(bytes)) => (ProgressUnit::Bytes(boards.bytes_read()), Some(bytes)),
            (None, None) => (ProgressUnit::Nothing, None),
        };
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => "{spinner} {wide_bar} {percent:>3} %, {msg}, {elapsed} elapsed, {eta} left",
            None => "{spinner} {msg}, {elapsed} elapsed",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message("solving");
        // A bar would disturb a user who types the boards.
        let is_typed = total.is_none() && std::io::stdin().is_terminal();
        let is_wanted = context.shows_progress() && !is_typed;
        let show_at = is_wanted.then(|| Instant::now() + SHOW_AFTER);
        let status = ProgressStatus { bar: bar.clone(), message: Arc::default() };
        BoardProgress { bar, measure, show_at, shares_terminal: std::io::stdout().is_terminal(), boards: 0, status }
    }

    /// Where the work may describe its state.
    pub fn status(&self) -> ProgressStatus {
        self.status.clone()
    }

    /// Whether a bar will be shown, if the work takes long enough.
    pub fn is_wanted(&self) -> bool {
        self.show_at.is_some()
    }

    /// Reports the number of finished boards. Call it regularly even if the number has not changed: it decides when the bar
    /// is shown.
    pub fn done(&mut self, boards: u64) {
        if self.show_at.is_some_and(|show_at| show_at <= Instant::now()) {
            self.show_at = None;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
        if self.bar.is_hidden() {
            return;
        }
        if let Some(text) = self.status.take() {
            self.bar.set_message(text);
        }
        if boards == self.boards {
            return;
        }
        self.boards = boards;
        match &self.measure {
            ProgressUnit::Boards => self.bar.set_position(boards),
            ProgressUnit::Bytes(read) => self.bar.set_position(read.load(Ordering::Relaxed)),
            ProgressUnit::Nothing => {}
        }
        self.bar.set_message(quantity::plural(boards, "board"));
    }

    /// Calls a function that prints to stdout, with the bar hidden if both share a terminal.
    pub fn around_stdout<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.shares_terminal { self.around_stderr(print) } else { print() }
    }

    /// Calls a function that prints to stderr, with the bar hidden.
    pub fn around_stderr<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for BoardProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar for work of known size, which any thread may update.
pub struct Bar {
    drawn: ProgressBar,
    noun: &'static str,
    show_at: Option<Instant>,
    shares_terminal: bool,
}

impl Bar {
    /// Creates a bar that counts items named by `noun`. It stays hidden for half a second.
    pub fn new(noun: &'static str, context: &Context) -> Bar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {wide_bar} {pos}/{len} {msg}, {elapsed} elapsed, {eta} left")
        {
            bar.set_style(style);
        }
        let show_at = context.shows_progress().then(|| Instant::now() + SHOW_AFTER);
        Bar { drawn: bar, noun, show_at, shares_terminal: std::io::stdout().is_terminal() }
    }

    /// Shows that `done` of `total` items are finished.
    pub fn show(&self, done: usize, total: usize) {
        self.drawn.set_length(total as u64);
        self.drawn.set_position(done as u64);
        if self.show_at.is_some_and(|show_at| show_at <= Instant::now()) && self.drawn.is_hidden() {
            self.drawn.set_message(self.noun);
            self.drawn.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Like [`Bar::show`], with a message in the place of the noun.
    pub fn show_with_message(&self, done: usize, total: usize, text: String) {
        self.show(done, total);
        self.drawn.set_message(text);
    }

    /// Calls a function that prints to stdout, with the bar hidden if both share a terminal.
    pub fn around_stdout<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.shares_terminal { self.drawn.suspend(print) } else { print() }
    }

    /// Calls a function that prints to stderr, with the bar hidden.
    pub fn around_stderr<T>(&self, print: impl FnOnce() -> T) -> T {
        self.drawn.suspend(print)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}
