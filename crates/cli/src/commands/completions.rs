//! `clearway completions`: prints a shell completion script.

use crate::args::{Cli, CompletionsArgs};
use crate::exit::ExitCode;
use crate::failure::CommandResult;
use crate::output::Context;
use clap::CommandFactory;
use std::io::Write;

/// Prints the script.
pub fn run(args: &CompletionsArgs, context: &Context) -> CommandResult {
    // The generator panics on a write error, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "clearway", &mut script);
    let mut out = context.stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(ExitCode::Done)
}
