//! A command that could not do its work: the report for the person, and the exit code for the script.

use crate::exit::ExitCode;
use std::io;

/// Why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// Something to be told on stderr.
    Report(ExitCode, miette::Report),
    /// The reader of our output went away. That is its right, and no error.
    ClosedPipe,
}

/// What a command returns.
pub type Outcome = Result<ExitCode, Failure>;

impl Failure {
    /// An input that was refused.
    pub fn bad_input(report: impl Into<miette::Report>) -> Failure {
        Failure::Report(ExitCode::BadInput, report.into())
    }

    /// A command line that makes no sense, although it could be parsed.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Report(ExitCode::Usage, message_with_help(message, help))
    }

    /// An error of the operating system on a file, or a closed pipe.
    pub fn io(doing: &str, error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::ClosedPipe
        } else {
            Failure::bad_input(miette::miette!("cannot {doing}: {error}"))
        }
    }
}

impl From<io::Error> for Failure {
    /// Errors without a file of their own are those of stdout.
    fn from(error: io::Error) -> Failure {
        Failure::io("write to stdout", &error)
    }
}

/// A report that says what is wrong and what to do.
pub fn message_with_help(message: impl Into<String>, help: impl Into<String>) -> miette::Report {
    miette::MietteDiagnostic::new(message).with_help(help).into()
}
