//! Commands whose work is spread over many machines. One program, the driver, reads the command line, hands out pieces of
//! the work and puts together what comes back; others do the pieces. What travels between them is text and Parquet.
//!
//! Each job is a file: what it is cut into, how a piece is done, and its end, which is that of the command.

mod compare;
mod enumerate;
mod evolve;
mod pack;
mod seeds;

pub use compare::{Compare, ComparePart};
pub use enumerate::Enumerate;
pub use evolve::{Ask, evolve};
pub use pack::Pack;
pub use seeds::{SeedRun, lay_out};

use crate::Refusal;
use crate::args::Command;
use crate::commands::forge::ForgeCommand;
use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::Context;
use clearway_forge::parts::PartError;
use std::ffi::OsString;

/// The command of a command line, and what it is given beside its arguments.
fn open(words: &[OsString], interrupt: &Interrupt) -> Result<(Command, Context), Refusal> {
    let cli = crate::parse(words).map_err(|error| {
        // Help and version are answers, and no errors.
        let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Done };
        Refusal { code, text: error.to_string() }
    })?;
    let context = Context { global: cli.global, interrupt: interrupt.clone(), listener: None };
    match cli.command {
        Some(command @ (Command::Compare(_) | Command::Evolve(_) | Command::Forge(_))) => Ok((command, context)),
        _ => Err(elsewhere(words)),
    }
}

/// The refusal of a command that is no job for a cluster.
fn elsewhere(words: &[OsString]) -> Refusal {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let text = format!("clearway {}: this is no work for a cluster", words.join(" "));
    Refusal { code: ExitCode::Usage, text }
}

/// How a forge is called.
fn forge(command: Command, words: &[OsString]) -> Result<ForgeCommand, Refusal> {
    match command {
        Command::Forge(args) => Ok(args.command),
        _ => Err(elsewhere(words)),
    }
}

impl Context {
    /// A failure in words.
    fn refusal(&self, failure: Failure) -> Refusal {
        match failure {
            // The reader of our output went away: that is its right.
            Failure::ClosedPipe => Refusal { code: ExitCode::Done, text: String::new() },
            Failure::Report(code, report) => Refusal { code, text: self.render(&report) },
        }
    }

    /// An option that makes no sense here.
    fn senseless(&self, option: &str, help: &str) -> Refusal {
        self.refusal(Failure::usage(format!("{option} is not for a cluster"), help))
    }

    /// Why a piece that was kept is damaged, so that it is to be done again; none if it is sound. Refuses one of other work.
    fn damage<T>(&self, read: Result<T, PartError>) -> Result<Option<String>, Refusal> {
        match read {
            Ok(_) => Ok(None),
            Err(PartError::Broken(why)) => Ok(Some(why)),
            Err(error) => Err(self.unfit(&error)),
        }
    }

    /// A piece that is not what it should be.
    fn unfit(&self, error: &PartError) -> Refusal {
        self.refusal(Failure::bad_input(miette::miette!("{error}")))
    }
}
