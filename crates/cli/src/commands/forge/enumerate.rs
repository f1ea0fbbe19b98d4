//! `clearway forge enumerate`.

use crate::failure::Outcome;
use crate::output::Context;
use clap::Args;

/// List every puzzle of a size
#[derive(Debug, Args)]
pub struct EnumerateArgs {}

/// Does it.
pub fn run(_args: &EnumerateArgs, _context: &Context) -> Outcome {
    todo!()
}
