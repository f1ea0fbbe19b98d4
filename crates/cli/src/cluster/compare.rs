//! `clearway compare` on a cluster, in parts of some boards.

use super::open;
use crate::args::{Command, CompareArgs};
use crate::commands::compare::{finish, prepare};
use crate::output::Context;
use crate::{CommandError, ExitCode, Interrupt};
use clearway_forge::parts::PartError;
use clearway_lab::compare::{Comparison, ComparisonLog, ComparisonRecord};
use std::ffi::OsString;
use std::ops::Range;
use std::time::Instant;

/// A comparison on the driver, with the finished runs.
pub struct Compare {
    args: CompareArgs,
    context: Context,
    comparison: Comparison,
    invalid: usize,
    runs: Vec<(usize, ComparisonRecord)>,
    started: Instant,
}

/// A comparison on a worker.
pub struct ComparePart(Comparison);

impl ComparePart {
    /// Parses the [text](Compare::text) of a comparison.
    pub fn new(text: &str, interrupt: &Interrupt) -> Result<ComparePart, PartError> {
        let mut comparison = Comparison::from_text(text)?;
        comparison.limits.cancel = Some(interrupt.flag());
        Ok(ComparePart(comparison))
    }

    /// Performs all runs on some of the boards. Returns `None` if it was interrupted.
    pub fn boards(&self, boards: Range<usize>) -> Result<Option<Vec<u8>>, PartError> {
        self.0.part(boards).transpose()
    }
}

impl Compare {
    /// Parses a command line and reads the boards. Fails if an output file cannot be written.
    pub fn new(args: &[OsString], interrupt: &Interrupt) -> Result<Compare, CommandError> {
        let (command, context) = open(args, interrupt)?;
        let Command::Compare(args) = command else { return Err(super::unsupported_command(args)) };
        if args.list {
            return Err(context.unsupported_option("--list", "use clearway compare --list"));
        }
        if args.resume.is_some() {
            return Err(
                context.unsupported_option("--resume", "use --folder, and run the same command again to resume")
            );
        }
        let (comparison, invalid) = prepare(&args, &context).map_err(|failure| context.refusal(failure))?;
        Ok(Compare { args, context, comparison, invalid, runs: Vec::new(), started: Instant::now() })
    }

    /// Returns the comparison as text, for workers.
    pub fn text(&self) -> String {
        self.comparison.to_text()
    }

    /// Returns the number of boards.
    pub fn boards(&self) -> usize {
        self.comparison.boards.len()
    }

    /// Checks a part with the runs of these boards. Returns a description of its damage, or `None` if it is valid. Fails if it
    /// belongs to other work.
    pub fn check(&self, boards: Range<usize>, bytes: &[u8]) -> Result<Option<String>, CommandError> {
        self.context.damage(self.read(boards, bytes))
    }

    /// Adds the runs of some boards.
    pub fn add(&mut self, boards: Range<usize>, bytes: &[u8]) -> Result<(), CommandError> {
        let runs = self.read(boards, bytes).map_err(|error| self.context.invalid_part(&error))?;
        self.runs.extend(runs);
        Ok(())
    }

    /// Writes and prints the comparison.
    pub fn finish(&mut self) -> Result<ExitCode, CommandError> {
        let mut log = ComparisonLog::from_runs(std::mem::take(&mut self.runs));
        finish(&self.args, &self.comparison, &mut log, self.invalid, self.started, &self.context)
            .map_err(|failure| self.context.refusal(failure))
    }

    fn read(&self, boards: Range<usize>, bytes: &[u8]) -> Result<Vec<(usize, ComparisonRecord)>, PartError> {
        let runs = self.comparison.read_part(bytes)?;
        // For each board, a run of the exact solver and one of every algorithm.
        let each = self.comparison.algorithms.len() + 1;
        let (first, last) = (boards.start + 1, boards.end);
        let expected = boards.flat_map(|board| std::iter::repeat_n(board, each));
        if runs.iter().map(|(board, _)| *board).eq(expected) {
            return Ok(runs);
        }
        Err(PartError::Inconsistent(format!("it does not contain the runs of boards {first} to {last}")))
    }
}
