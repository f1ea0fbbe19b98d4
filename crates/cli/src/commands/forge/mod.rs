//! `clearway forge`: generates puzzles. Each method is a file.

mod backward;
mod climb;
pub mod enumerate;
mod merge;
pub mod pack;
pub mod pack_output;
mod random;
mod shape;

use crate::failure::CommandResult;
use crate::output::Context;
use clap::{Args, Subcommand};

/// Generate puzzles: at random, backwards, by hill climbing, or by enumeration
#[derive(Debug, Args)]
pub struct ForgeArgs {
    /// Method
    #[command(subcommand)]
    pub command: ForgeCommand,
}

/// The methods of generating and merging puzzles.
#[derive(Debug, Subcommand)]
pub enum ForgeCommand {
    Random(random::RandomArgs),
    Backward(backward::BackwardArgs),
    Climb(Box<climb::ClimbArgs>),
    Enumerate(enumerate::EnumerateArgs),
    Pack(pack::PackArgs),
    Merge(merge::MergeArgs),
}

/// Runs the method.
pub fn run(args: &ForgeArgs, context: &Context) -> CommandResult {
    // Merging may wait for input; all other methods write their results when they are interrupted.
    if !matches!(args.command, ForgeCommand::Merge(_)) {
        context.interrupt.extend_grace();
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
