//! Progress of long work: on stderr, only if it is a terminal, and never with `--quiet`.

use crate::input::Boards;
use crate::output::Context;
use crate::quantity;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Work that is done within this time shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that follows the boards where their number is known, else the bytes read, else a mere count of boards.
pub struct Progress {
    bar: ProgressBar,
    measure: Measure,
    /// When to show the bar; never if there is nobody to show it to, and no longer when it is shown.
    show_at: Option<Instant>,
    shares_terminal: bool,
    /// The boards that the bar shows as done.
    boards: u64,
}

enum Measure {
    Boards,
    Bytes(Arc<AtomicU64>),
    Nothing,
}

impl Progress {
    /// Starts following the boards.
    pub fn new(boards: &Boards, context: &Context) -> Progress {
        let (measure, total) = match (boards.known_count(), boards.known_bytes()) {
            (Some(count), _) => (Measure::Boards, Some(count as u64)),
            (None, Some(bytes)) => (Measure::Bytes(boards.bytes_read()), Some(bytes)),
            (None, None) => (Measure::Nothing, None),
        };
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => "{spinner} {wide_bar} {percent:>3} %, {msg}, {elapsed} gone, {eta} left",
            None => "{spinner} {msg}, {elapsed} gone",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message("solving");
        // Somebody who types boards in is not to be disturbed.
        let is_typed = total.is_none() && std::io::stdin().is_terminal();
        let is_wanted = context.shows_progress() && !is_typed;
        let show_at = is_wanted.then(|| Instant::now() + PATIENCE);
        Progress { bar, measure, show_at, shares_terminal: std::io::stdout().is_terminal(), boards: 0 }
    }

    /// So many boards are done. To be called now and then even if there are no more than before.
    pub fn done(&mut self, boards: u64) {
        if self.show_at.is_some_and(|show_at| show_at <= Instant::now()) {
            self.show_at = None;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
        if self.bar.is_hidden() || boards == self.boards {
            return;
        }
        self.boards = boards;
        match &self.measure {
            Measure::Boards => self.bar.set_position(boards),
            Measure::Bytes(read) => self.bar.set_position(read.load(Ordering::Relaxed)),
            Measure::Nothing => {}
        }
        self.bar.set_message(quantity::of(boards, "board"));
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

/// A bar that follows work of a known size, told from any thread.
pub struct Bar {
    drawn: ProgressBar,
    noun: &'static str,
    show_at: Option<Instant>,
    shares_terminal: bool,
}

impl Bar {
    /// A bar that counts something.
    pub fn new(noun: &'static str, context: &Context) -> Bar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {wide_bar} {pos}/{len} {msg}, {elapsed} gone, {eta} left")
        {
            bar.set_style(style);
        }
        let show_at = context.shows_progress().then(|| Instant::now() + PATIENCE);
        Bar { drawn: bar, noun, show_at, shares_terminal: std::io::stdout().is_terminal() }
    }

    /// So much is done of so much.
    pub fn show(&self, done: usize, total: usize) {
        self.drawn.set_length(total as u64);
        self.drawn.set_position(done as u64);
        if self.show_at.is_some_and(|show_at| show_at <= Instant::now()) && self.drawn.is_hidden() {
            self.drawn.set_message(self.noun);
            self.drawn.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// The same, with more to say than what is counted.
    pub fn tell(&self, done: usize, total: usize, text: String) {
        self.show(done, total);
        self.drawn.set_message(text);
    }

    /// Prints something to stdout, without drawing over it if that is the same terminal.
    pub fn around_stdout<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.shares_terminal { self.drawn.suspend(print) } else { print() }
    }

    /// Prints something to stderr without drawing over it.
    pub fn around_stderr<T>(&self, print: impl FnOnce() -> T) -> T {
        self.drawn.suspend(print)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}
