//! Commands whose work is distributed over many machines. The driver parses the command line, distributes parts of the work
//! and combines their results; workers process the parts. Parts and results are exchanged as text and Parquet.
//!
//! Each job is a file: how it is split, how a part is processed, and how it ends, which is the same as for the command.

mod compare;
mod enumerate;
mod evolve;
mod pack;
mod seeds;

pub use compare::{Compare, ComparePart};
pub use enumerate::Enumerate;
pub use evolve::{EvaluationRequest, evolve};
pub use pack::Pack;
pub use seeds::{SeedRun, prepare_run};

use crate::CommandError;
use crate::args::Command;
use crate::commands::forge::ForgeCommand;
use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::Context;
use clearway_forge::parts::PartError;
use std::ffi::OsString;

/// Parses a command line; returns the command and its context.
fn open(args: &[OsString], interrupt: &Interrupt) -> Result<(Command, Context), CommandError> {
    let cli = crate::parse(args).map_err(|error| {
        // clap returns help and version as errors.
        let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Done };
        CommandError { code, text: error.to_string() }
    })?;
    let context = Context { global: cli.global, interrupt: interrupt.clone(), listener: None };
    match cli.command {
        Some(command @ (Command::Compare(_) | Command::Evolve(_) | Command::Forge(_))) => Ok((command, context)),
        _ => Err(unsupported_command(args)),
    }
}

/// Returns the error of a command that cannot run on a cluster.
fn unsupported_command(args: &[OsString]) -> CommandError {
    let args: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    CommandError::usage(format!("clearway {}: this command cannot run on a cluster", args.join(" ")))
}

/// Returns the subcommand of `forge`.
fn forge(command: Command, args: &[OsString]) -> Result<ForgeCommand, CommandError> {
    match command {
        Command::Forge(forge) => Ok(forge.command),
        _ => Err(unsupported_command(args)),
    }
}

impl Context {
    /// Converts a failure to an error for the caller.
    fn refusal(&self, failure: Failure) -> CommandError {
        match failure {
            // A closed pipe is not an error.
            Failure::ClosedPipe => CommandError { code: ExitCode::Done, text: String::new() },
            Failure::Report(code, report) => CommandError { code, text: self.render(&report) },
        }
    }

    /// Returns the error of an option that a cluster does not support.
    fn unsupported_option(&self, option: &str, help: &str) -> CommandError {
        self.refusal(Failure::usage(format!("{option} is not supported on a cluster"), help))
    }

    /// Checks a saved part. Returns a description of its damage, so that it can be repeated, or `None` if it is valid. Fails if
    /// the part belongs to other work.
    fn damage<T>(&self, read: Result<T, PartError>) -> Result<Option<String>, CommandError> {
        match read {
            Ok(_) => Ok(None),
            Err(PartError::Damaged(error)) => Ok(Some(error.to_string())),
            Err(error) => Err(self.invalid_part(&error)),
        }
    }

    /// Returns the error of an invalid part.
    fn invalid_part(&self, error: &PartError) -> CommandError {
        self.refusal(Failure::bad_input(miette::miette!("{error}")))
    }
}
