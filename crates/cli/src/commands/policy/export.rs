//! `clearway policy export`: writes a policy as a function of another program.

use super::open;
use crate::exit::ExitCode;
use crate::failure::CommandResult;
use crate::output::{Context, Sink};
use clap::Args;
use clearway_policy::{Language, export};
use std::path::PathBuf;

/// Write a policy as a function in Rust or Python
///
/// The function takes the values of the policy's heuristics and returns the same estimates as a search that the policy
/// guides, bit for bit. It depends on nothing else.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway policy export hand --to rust
  clearway policy export best-first-6x6 --to python --out best_first.py")]
pub struct ExportArgs {
    /// Policy file, or name of a built-in policy
    #[arg(value_name = "POLICY")]
    pub policy: String,

    /// Language of the function
    #[arg(long, value_name = "LANGUAGE")]
    pub to: Language,

    /// Write the function to a file instead of stdout
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
}

/// Exports the policy.
pub fn run(args: &ExportArgs, context: &Context) -> CommandResult {
    let policy = open(&args.policy)?;
    let mut sink = Sink::open(args.out.as_deref(), context)?;
    sink.put(&export(&policy.policy, &policy.name, args.to))?;
    sink.finish()?;
    Ok(ExitCode::Done)
}
