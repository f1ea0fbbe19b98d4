//! `clearway forge random`.

use crate::failure::Outcome;
use crate::output::Context;
use clap::Args;

/// Make boards at random, and solve them
#[derive(Debug, Args)]
pub struct RandomArgs {}

/// Does it.
pub fn run(_args: &RandomArgs, _context: &Context) -> Outcome {
    todo!()
}
