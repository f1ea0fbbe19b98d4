//! `clearway forge backward`.

use crate::failure::Outcome;
use crate::output::Context;
use clap::Args;

/// Make puzzles backwards, from solved boards
#[derive(Debug, Args)]
pub struct BackwardArgs {}

/// Does it.
pub fn run(_args: &BackwardArgs, _context: &Context) -> Outcome {
    todo!()
}
