//! The command line of `clearway`: a thin layer over the libraries. Each command is a file in `commands/`.
//!
//! Programs in other languages [call] the same commands with the same arguments, or distribute their work over a
//! [cluster].

// The print macros panic if the stream is closed; the functions in `output` do not.
#![deny(clippy::print_stderr, clippy::print_stdout)]
// The cluster, which needs Parquet, uses parts of many commands.
#![cfg_attr(not(feature = "parquet"), allow(dead_code))]

mod algorithms;
mod args;
#[cfg(feature = "parquet")]
pub mod cluster;
mod commands;
mod exit;
mod failure;
mod input;
mod interrupt;
mod json;
mod output;
mod panics;
mod pipeline;
mod progress;
mod quantity;
mod result_writer;
mod searcher;
mod table;
mod table_files;
mod tally;

pub use exit::ExitCode;
pub use interrupt::Interrupt;
pub use output::Listener;

use args::{Cli, Command};
use clap::{ColorChoice, CommandFactory, FromArgMatches};
use failure::{CommandResult, Failure};
use output::Context;
use std::ffi::OsString;
use std::fmt;
use std::io::Write;
use std::sync::Arc;

/// Runs the program with these arguments, without the program name, and exits the process.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ! {
    std::panic::set_hook(Box::new(|panic| {
        if panics::is_caught(panic) {
            return;
        }
        output::write_stderr(&format!(
            "clearway: internal error: {panic}\nThis is a bug in clearway; please report it with the command that you ran.\n"
        ));
        clearway_util::atomic::remove_unfinished();
        ExitCode::Internal.exit();
    }));
    let cli = parse(&args.into_iter().collect::<Vec<_>>()).unwrap_or_else(|error| error.exit());
    let context = Context { global: cli.global, interrupt: Interrupt::install(), listener: None };
    let code = match run(cli.command.as_ref(), &context) {
        Ok(code) => code,
        Err(Failure::ClosedPipe) => ExitCode::Done,
        Err(Failure::Report(code, report)) => {
            context.report(&report);
            code
        }
    };
    code.exit();
}

/// The error of a command that another program called.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandError {
    /// The exit code of the program for this error.
    pub code: ExitCode,
    /// The message that the program would print on stderr.
    pub text: String,
}

impl CommandError {
    /// Creates an error of an invalid call.
    pub fn usage(text: String) -> CommandError {
        CommandError { code: ExitCode::Usage, text }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

impl std::error::Error for CommandError {}

/// Runs a command, given as its arguments without the program name. The listener receives the output that the program
/// would print.
///
/// ```
/// use clearway_cli::{ExitCode, Interrupt, Listener, call};
/// use std::sync::{Arc, Mutex};
/// #[derive(Default)]
/// struct Printed(Mutex<Vec<u8>>);
/// impl Listener for Printed {
///     fn data(&self, bytes: &[u8]) -> std::io::Result<()> {
///         Ok(self.0.lock().unwrap().extend(bytes))
///     }
///     fn note(&self, _: &str) {}
///     fn report(&self, _: &str) {}
/// }
/// let printed = Arc::new(Printed::default());
/// let args = ["solve", "...BAA.B........", "--json"].map(Into::into);
/// assert_eq!(call(&args, &Interrupt::default(), printed.clone()), Ok(ExitCode::Done));
/// assert!(printed.0.lock().unwrap().starts_with(br#"{"name":null,"board":"#));
///
/// let refusal = call(&["dissolve".into()], &Interrupt::default(), printed).unwrap_err();
/// assert_eq!(refusal.code, ExitCode::Usage);
/// assert!(refusal.text.contains("unrecognized subcommand 'dissolve'"));
/// ```
pub fn call(args: &[OsString], interrupt: &Interrupt, listener: Arc<dyn Listener>) -> Result<ExitCode, CommandError> {
    let cli = match parse(args) {
        Ok(cli) => cli,
        // clap returns help and version as errors.
        Err(answer) if !answer.use_stderr() => {
            let written = listener.data(answer.to_string().as_bytes());
            return Ok(if written.is_ok() { ExitCode::Done } else { ExitCode::Interrupted });
        }
        Err(error) => return Err(CommandError::usage(error.to_string())),
    };
    let context = Context { global: cli.global, interrupt: interrupt.clone(), listener: Some(listener) };
    match run(cli.command.as_ref(), &context) {
        Ok(code) => Ok(code),
        Err(Failure::ClosedPipe) => Ok(ExitCode::Done),
        Err(Failure::Report(code, report)) => Err(CommandError { code, text: context.render(&report) }),
    }
}

/// Checks a command line, given as its arguments without the program name, without running it: the command, its options
/// and their values must be valid. Files are not opened.
///
/// ```
/// use clearway_cli::check;
/// assert_eq!(check(&["solve", "boards.txt", "--node-limit", "1000"].map(Into::into)), Ok(()));
/// assert!(check(&["solve", "--nodes", "1000"].map(Into::into)).unwrap_err().text.contains("unexpected argument"));
/// ```
pub fn check(args: &[OsString]) -> Result<(), CommandError> {
    match parse(args) {
        Err(error) if error.use_stderr() => Err(CommandError::usage(error.to_string())),
        _ => Ok(()),
    }
}

fn run(command: Option<&Command>, context: &Context) -> CommandResult {
    match command {
        None => {
            let help = Cli::command().render_help();
            let mut out = context.stdout();
            let coloured = context.stdout_colour();
            if coloured {
                write!(out, "{}", help.ansi())?;
            } else {
                write!(out, "{help}")?;
            }
            out.flush()?;
            Ok(ExitCode::Done)
        }
        Some(Command::Solve(args)) => commands::solve::run(args, context),
        Some(Command::Show(args)) => commands::show::run(args, context),
        Some(Command::Verify(args)) => commands::verify::run(args, context),
        Some(Command::Prove(args)) => commands::prove::run(args, context),
        Some(Command::Convert(args)) => commands::convert::run(args, context),
        Some(Command::Suites(args)) => commands::suites::run(args, context),
        Some(Command::Compare(args)) => commands::compare::run(args, context),
        Some(Command::Evolve(args)) => commands::evolve::run(args, context),
        Some(Command::Repro(args)) => commands::repro::run(args, context),
        Some(Command::Grade(args)) => commands::grade::run(args, context),
        Some(Command::Forge(args)) => commands::forge::run(args, context),
        Some(Command::Policy(args)) => commands::policy::run(args, context),
        Some(Command::Runs(args)) => commands::runs::run(args, context),
        Some(Command::Tiles(args)) => commands::tiles::run(args, context),
        #[cfg(feature = "serve")]
        Some(Command::Serve(args)) => commands::serve::run(args, context),
        Some(Command::Bench(args)) => commands::bench::run(args, context),
        Some(Command::Completions(args)) => commands::completions::run(args, context),
        Some(Command::Man(args)) => commands::man::run(args, context),
    }
}

/// Parses a command line. A request for help is an error, whose message is the help.
fn parse(args: &[OsString]) -> Result<Cli, clap::Error> {
    let program = OsString::from("clearway");
    let command = Cli::command().color(colour_of_help(args));
    Cli::from_arg_matches(&command.try_get_matches_from(std::iter::once(&program).chain(args))?)
}

/// Finds `--color` in the arguments: the colour of help and usage errors must be known before they are parsed.
fn colour_of_help(args: &[OsString]) -> ColorChoice {
    let chosen = |when: &str| {
        args.iter().any(|arg| *arg == *format!("--color={when}"))
            || args.windows(2).any(|pair| pair[0] == *"--color" && pair[1] == *when)
    };
    if chosen("never") {
        ColorChoice::Never
    } else if chosen("always") {
        ColorChoice::Always
    } else {
        ColorChoice::Auto
    }
}
