//! `clearway forge pack`.

use crate::failure::Outcome;
use crate::output::Context;
use clap::Args;

/// Make a pack of graded puzzles
#[derive(Debug, Args)]
pub struct PackArgs {}

/// Does it.
pub fn run(_args: &PackArgs, _context: &Context) -> Outcome {
    todo!()
}
