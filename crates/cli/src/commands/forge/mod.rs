//! `clearway forge`: new puzzles. Each method is a file.

mod backward;
mod climb;
pub mod enumerate;
mod merge;
pub mod pack;
pub mod pack_output;
mod random;
mod shape;

use crate::failure::Outcome;
use crate::output::Context;
use clap::{Args, Subcommand};

/// Make new puzzles, by chance, backwards, by climbing, or all there are
#[derive(Debug, Args)]
pub struct ForgeArgs {
    /// How
    #[command(subcommand)]
    pub command: ForgeCommand,
}

/// How puzzles are made.
#[derive(Debug, Subcommand)]
pub enum ForgeCommand {
    Random(random::RandomArgs),
    Backward(backward::BackwardArgs),
    Climb(Box<climb::ClimbArgs>),
    Enumerate(enumerate::EnumerateArgs),
    Pack(pack::PackArgs),
    Merge(merge::MergeArgs),
}

/// Makes them.
pub fn run(args: &ForgeArgs, context: &Context) -> Outcome {
    // All but merging, which reads, can write what they have made when they are interrupted.
    if !matches!(args.command, ForgeCommand::Merge(_)) {
        context.interrupt.ends_by_itself();
    }
    match &args.command {
        ForgeCommand::Random(args) => random::run(args, context),
        ForgeCommand::Backward(args) => backward::run(args, context),
        ForgeCommand::Climb(args) => climb::run(args, context),
        ForgeCommand::Enumerate(args) => enumerate::run(args, context),
        ForgeCommand::Pack(args) => pack::run(args, context),
        ForgeCommand::Merge(args) => merge::run(args, context),
    }
}
