//! `clearway forge merge`.

use crate::failure::Outcome;
use crate::output::Context;
use clap::Args;

/// Merge packs, without duplicates
#[derive(Debug, Args)]
pub struct MergeArgs {}

/// Does it.
pub fn run(_args: &MergeArgs, _context: &Context) -> Outcome {
    todo!()
}
