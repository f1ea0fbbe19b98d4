//! Output of commands that print results board by board: stdout, progress and errors, in the right order.

use crate::failure::Failure;
use crate::output::{Context, Stdout};
use crate::panics::Panic;
use crate::progress::BoardProgress;
use std::io::Write;

/// Prints results to stdout as they arrive, and errors to stderr, around a progress bar.
///
/// The first row of a table is held back until another result or an error arrives or the input ends, because a single board is
/// printed in a form of its own.
pub struct ResultWriter<'a> {
    context: &'a Context,
    progress: Option<BoardProgress>,
    out: Stdout,
    header: String,
    has_results: bool,
    first: Option<HeldRow>,
}

/// A row that is held back, and what to print instead of the table if there is no other.
struct HeldRow {
    text: String,
    alone: Option<String>,
}

impl<'a> ResultWriter<'a> {
    /// Creates a writer of JSON lines or of a table with a header, as the options demand.
    pub fn new(context: &'a Context, progress: Option<BoardProgress>, header: String) -> ResultWriter<'a> {
        ResultWriter { context, progress, out: context.stdout(), header, has_results: false, first: None }
    }

    /// Writes a result, a JSON line or a row of the table; it appears with the next [flush](Self::idle). If it is the only
    /// row, `alone` is written instead of the table.
    pub fn write(&mut self, text: String, alone: Option<String>) -> Result<(), Failure> {
        if !self.context.global.json && !self.has_results {
            self.has_results = true;
            self.first = Some(HeldRow { text, alone });
            return Ok(());
        }
        self.release_first()?;
        self.put(&text)
    }

    /// Prints an error, after the results before it.
    pub fn report(&mut self, report: &miette::Report) -> Result<(), Failure> {
        self.print_below(|context| context.report(report))
    }

    /// Prints a note, after the results before it.
    pub fn note(&mut self, text: &str) -> Result<(), Failure> {
        self.print_below(|context| context.note(text))
    }

    /// Prints the panic of a worker: a record if the output is JSON, and an error.
    pub fn report_panic(&mut self, panic: &Panic) -> Result<(), Failure> {
        if self.context.global.json {
            self.put(&panic.record())?;
        }
        self.report(&panic.report())
    }

    /// Shows the number of finished boards.
    pub fn show_progress(&mut self, boards: u64) {
        if let Some(progress) = &mut self.progress {
            progress.done(boards);
        }
    }

    /// Makes the results so far appear, except for a row that is held back.
    pub fn idle(&mut self, boards: u64) -> Result<(), Failure> {
        self.show_progress(boards);
        self.flush()
    }

    /// Prints what is left at the end of the input.
    pub fn finish(&mut self) -> Result<(), Failure> {
        if let Some(alone) = self.first.as_mut().and_then(|first| first.alone.take()) {
            self.first = None;
            self.put(&alone)?;
        }
        self.release_first()?;
        self.flush()
    }

    /// Prints the row that was held back, as the first of several.
    fn release_first(&mut self) -> Result<(), Failure> {
        match self.first.take() {
            Some(first) => self.put(&(self.header.clone() + &first.text)),
            None => Ok(()),
        }
    }

    fn put(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let out = &mut self.out;
        if out.buffer().is_empty() {
            return Ok(());
        }
        Ok(match &self.progress {
            Some(progress) => progress.around_stdout(|| out.flush()),
            None => out.flush(),
        }?)
    }

    fn print_below(&mut self, print: impl FnOnce(&Context)) -> Result<(), Failure> {
        self.release_first()?;
        self.flush()?;
        match &self.progress {
            Some(progress) => progress.around_stderr(|| print(self.context)),
            None => print(self.context),
        }
        Ok(())
    }
}
