//! Failures of commands: a report for the user and an exit code for scripts.

use crate::exit::ExitCode;
use clearway_rush::formats::WriteError;
use std::io;

/// Why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// An error to print on stderr, and the exit code.
    Report(ExitCode, miette::Report),
    /// The reader of stdout closed the pipe, which is not an error.
    ClosedPipe,
}

/// The exit code of a command, or why it ended early.
pub type CommandResult = Result<ExitCode, Failure>;

impl Failure {
    /// Invalid input, or a file that cannot be read or written.
    pub fn bad_input(report: impl Into<miette::Report>) -> Failure {
        Failure::Report(ExitCode::BadInput, report.into())
    }

    /// A board that a format cannot represent.
    #[expect(clippy::needless_pass_by_value, reason = "for map_err")]
    pub fn unwritable(error: WriteError) -> Failure {
        Failure::bad_input(miette::miette!("{error}"))
    }

    /// A command line that is invalid although clap accepts it.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Report(ExitCode::Usage, message_with_help(message, help))
    }

    /// An I/O error, or a closed pipe. The message is `cannot {doing}: {error}`.
    pub fn io(doing: &str, error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::ClosedPipe
        } else {
            Failure::bad_input(miette::miette!("cannot {doing}: {error}"))
        }
    }
}

impl From<io::Error> for Failure {
    /// Treats an I/O error as one of stdout: errors of files are converted by [`Failure::io`].
    fn from(error: io::Error) -> Failure {
        Failure::io("write to stdout", &error)
    }
}

/// Creates a report from a message and advice on what to do.
pub fn message_with_help(message: impl Into<String>, help: impl Into<String>) -> miette::Report {
    miette::MietteDiagnostic::new(message).with_help(help).into()
}
