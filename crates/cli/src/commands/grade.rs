//! `clearway grade`: how hard boards are, for people and for machines.

use crate::failure::Outcome;
use crate::output::Context;
use clap::Args;

/// Grade boards: how hard they are, for people and for machines
#[derive(Debug, Args)]
pub struct GradeArgs {}

/// Grades them.
pub fn run(_args: &GradeArgs, _context: &Context) -> Outcome {
    todo!()
}
