//! `clearway`, the command line: a thin door to the library. Each command is a file under `commands/`.
//!
//! Programs in other languages [call] the same commands, with the same options and the same words, or spread their work
//! over a [cluster].

// Both would panic when the stream is closed: `output` has the ways to write.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod algorithms;
mod args;
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
mod searcher;
mod table;
mod tally;

pub use exit::ExitCode;
pub use interrupt::Interrupt;
pub use output::Listener;

use args::{Cli, Command};
use clap::{ColorChoice, CommandFactory, FromArgMatches};
use failure::{Failure, Outcome};
use output::Context;
use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

/// The program: does what a command line says, its words without that of the program, and ends the process.
pub fn main(words: impl IntoIterator<Item = OsString>) -> ! {
    std::panic::set_hook(Box::new(|panic| {
        if panics::is_caught(panic) {
            return;
        }
        output::write_stderr(&format!(
            "clearway: internal error: {panic}\nThis is a fault of clearway: please report it with the command that you ran.\n"
        ));
        clearway_util::atomic::remove_unfinished();
        ExitCode::Internal.exit();
    }));
    let cli = parse(&words.into_iter().collect::<Vec<_>>()).unwrap_or_else(|error| error.exit());
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

/// Why a command that was called did not do its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The code that the program would have ended with.
    pub code: ExitCode,
    /// What it would have said.
    pub text: String,
}

/// Does what a command line says, its words without that of the program. The listener hears what the program would have
/// printed.
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
/// let words = ["solve", "...BAA.B........", "--json"].map(Into::into);
/// assert_eq!(call(&words, &Interrupt::default(), printed.clone()), Ok(ExitCode::Done));
/// assert!(printed.0.lock().unwrap().starts_with(br#"{"name":null,"board":"#));
///
/// let refusal = call(&["dissolve".into()], &Interrupt::default(), printed).unwrap_err();
/// assert_eq!(refusal.code, ExitCode::Usage);
/// assert!(refusal.text.contains("unrecognized subcommand 'dissolve'"));
/// ```
pub fn call(words: &[OsString], interrupt: &Interrupt, listener: Arc<dyn Listener>) -> Result<ExitCode, Refusal> {
    let cli = match parse(words) {
        Ok(cli) => cli,
        // Help and version are answers, and no errors.
        Err(answer) if !answer.use_stderr() => {
            let heard = listener.data(answer.to_string().as_bytes());
            return Ok(if heard.is_ok() { ExitCode::Done } else { ExitCode::Interrupted });
        }
        Err(error) => return Err(Refusal { code: ExitCode::Usage, text: error.to_string() }),
    };
    let context = Context { global: cli.global, interrupt: interrupt.clone(), listener: Some(listener) };
    match run(cli.command.as_ref(), &context) {
        Ok(code) => Ok(code),
        Err(Failure::ClosedPipe) => Ok(ExitCode::Done),
        Err(Failure::Report(code, report)) => Err(Refusal { code, text: context.render(&report) }),
    }
}

/// Checks a command line, given as the words after the name of the program, without running it: the command, its options
/// and their values must be valid. Files are not opened.
///
/// ```
/// use clearway_cli::check;
/// assert_eq!(check(&["solve", "boards.txt", "--node-limit", "1000"].map(Into::into)), Ok(()));
/// assert!(check(&["solve", "--nodes", "1000"].map(Into::into)).unwrap_err().text.contains("unexpected argument"));
/// ```
pub fn check(words: &[OsString]) -> Result<(), Refusal> {
    match parse(words) {
        Err(error) if error.use_stderr() => Err(Refusal { code: ExitCode::Usage, text: error.to_string() }),
        _ => Ok(()),
    }
}

fn run(command: Option<&Command>, context: &Context) -> Outcome {
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
        Some(Command::Convert(args)) => commands::convert::run(args, context),
        Some(Command::Suites(args)) => commands::suites::run(args, context),
        Some(Command::Compare(args)) => commands::compare::run(args, context),
        Some(Command::Evolve(args)) => commands::evolve::run(args, context),
        Some(Command::Repro(args)) => commands::repro::run(args, context),
        Some(Command::Grade(args)) => commands::grade::run(args, context),
        Some(Command::Forge(args)) => commands::forge::run(args, context),
        Some(Command::Policy(args)) => commands::policy::run(args, context),
        Some(Command::Tiles(args)) => commands::tiles::run(args, context),
        Some(Command::Serve(args)) => commands::serve::run(args, context),
        Some(Command::Bench(args)) => commands::bench::run(args, context),
        Some(Command::Completions(args)) => commands::completions::run(args, context),
        Some(Command::Man(args)) => commands::man::run(args, context),
    }
}

/// Reads a command line. Help that was asked for is an error as well, whose words are the help.
fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    let program = OsString::from("clearway");
    let command = Cli::command().color(colour_of_help(words));
    Cli::from_arg_matches(&command.try_get_matches_from(std::iter::once(&program).chain(words))?)
}

/// Whether help and usage errors are coloured has to be known before the command line is read.
fn colour_of_help(words: &[OsString]) -> ColorChoice {
    let chosen = |when: &str| {
        words.iter().any(|word| *word == *format!("--color={when}"))
            || words.windows(2).any(|pair| pair[0] == *"--color" && pair[1] == *when)
    };
    if chosen("never") {
        ColorChoice::Never
    } else if chosen("always") {
        ColorChoice::Always
    } else {
        ColorChoice::Auto
    }
}
