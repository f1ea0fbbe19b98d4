//! `clearway compare`, some boards at a time.

use super::open;
use crate::args::{Command, CompareArgs};
use crate::commands::compare::{finish, prepare};
use crate::output::Context;
use crate::{ExitCode, Interrupt, Refusal};
use clearway_forge::parts::PartError;
use clearway_lab::compare::{Comparison, Log, Record};
use std::ffi::OsString;
use std::ops::Range;
use std::time::Instant;

/// A comparison, and the runs that were made.
pub struct Compare {
    args: CompareArgs,
    context: Context,
    comparison: Comparison,
    refused: usize,
    runs: Vec<(usize, Record)>,
    started: Instant,
}

/// A comparison where its runs are made.
pub struct ComparePart(Comparison);

impl ComparePart {
    /// From the [text](Compare::text) of a comparison.
    pub fn new(text: &str, interrupt: &Interrupt) -> Result<ComparePart, PartError> {
        let mut comparison = Comparison::from_text(text)?;
        comparison.limits.cancel = Some(interrupt.flag());
        Ok(ComparePart(comparison))
    }

    /// Makes all runs of some of the boards. Nothing if it was interrupted.
    pub fn boards(&self, boards: Range<usize>) -> Result<Option<Vec<u8>>, PartError> {
        self.0.part(boards).transpose()
    }
}

impl Compare {
    /// The comparison of a command line. Reads the boards, and refuses files that cannot be written.
    pub fn new(words: &[OsString], interrupt: &Interrupt) -> Result<Compare, Refusal> {
        let (command, context) = open(words, interrupt)?;
        let Command::Compare(args) = command else { return Err(super::elsewhere(words)) };
        if args.list {
            return Err(context.senseless("--list", "clearway compare --list tells what there is"));
        }
        if args.resume.is_some() {
            return Err(context.senseless("--resume", "what is done is kept in --folder, and the same command goes on"));
        }
        let (comparison, refused) = prepare(&args, &context).map_err(|failure| context.refusal(failure))?;
        Ok(Compare { args, context, comparison, refused, runs: Vec::new(), started: Instant::now() })
    }

    /// What is compared, for those who make the runs.
    pub fn text(&self) -> String {
        self.comparison.to_text()
    }

    /// How many boards there are.
    pub fn boards(&self) -> usize {
        self.comparison.boards.len()
    }

    /// Refuses a file that does not hold the runs of these boards. If it is one that was damaged, says how.
    pub fn check(&self, boards: Range<usize>, bytes: &[u8]) -> Result<Option<String>, Refusal> {
        self.context.damage(self.read(boards, bytes))
    }

    /// Takes the runs of some boards.
    pub fn add(&mut self, boards: Range<usize>, bytes: &[u8]) -> Result<(), Refusal> {
        let runs = self.read(boards, bytes).map_err(|error| self.context.unfit(&error))?;
        self.runs.extend(runs);
        Ok(())
    }

    /// Writes and prints all runs.
    pub fn finish(&mut self) -> Result<ExitCode, Refusal> {
        let mut log = Log::of(std::mem::take(&mut self.runs));
        finish(&self.args, &self.comparison, &mut log, self.refused, self.started, &self.context)
            .map_err(|failure| self.context.refusal(failure))
    }

    fn read(&self, boards: Range<usize>, bytes: &[u8]) -> Result<Vec<(usize, Record)>, PartError> {
        let runs = self.comparison.read_part(bytes)?;
        // Of each board the exact solver's run, and one of every algorithm.
        let each = self.comparison.algorithms.len() + 1;
        let (first, last) = (boards.start + 1, boards.end);
        let expected = boards.flat_map(|board| std::iter::repeat_n(board, each));
        if runs.iter().map(|(board, _)| *board).eq(expected) {
            return Ok(runs);
        }
        Err(PartError::Senseless(format!("it does not hold the runs of boards {first} to {last}")))
    }
}
