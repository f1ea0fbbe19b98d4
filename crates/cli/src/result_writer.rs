//! Output of commands that print results board by board: stdout, progress and errors, in the right order.

use crate::failure::Failure;
use crate::output::{Context, Stdout};
use crate::panics::Panic;
use crate::progress::Progress;
use std::io::Write;

/// Prints results to stdout and errors to stderr, around a progress bar.
pub struct ResultWriter<'a> {
    pub context: &'a Context,
    pub progress: Progress,
    out: Stdout,
}

impl<'a> ResultWriter<'a> {
    pub fn new(context: &'a Context, progress: Progress) -> ResultWriter<'a> {
        ResultWriter { context, progress, out: context.stdout() }
    }

    /// Writes a result; it appears with the next [flush](Self::flush).
    pub fn write(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    pub fn flush(&mut self) -> Result<(), Failure> {
        let out = &mut self.out;
        if out.buffer().is_empty() {
            return Ok(());
        }
        Ok(self.progress.around_stdout(|| out.flush())?)
    }

    /// Prints an error, after the results before it.
    pub fn report(&mut self, report: &miette::Report) -> Result<(), Failure> {
        self.flush()?;
        self.progress.around_stderr(|| self.context.report(report));
        Ok(())
    }

    /// Prints the panic of a worker: a record if the output is JSON, and an error.
    pub fn report_panic(&mut self, panic: &Panic) -> Result<(), Failure> {
        if self.context.global.json {
            self.write(&panic.record())?;
        }
        self.report(&panic.report())
    }
}
