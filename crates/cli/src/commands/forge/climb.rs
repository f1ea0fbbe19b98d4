//! `clearway forge climb`.

use crate::failure::Outcome;
use crate::output::Context;
use clap::Args;

/// Climb to hard boards by small changes
#[derive(Debug, Args)]
pub struct ClimbArgs {}

/// Does it.
pub fn run(_args: &ClimbArgs, _context: &Context) -> Outcome {
    todo!()
}
