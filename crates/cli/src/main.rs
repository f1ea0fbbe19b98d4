//! `clearway`, the command line: a thin door to the library. Each command is a file under `commands/`.

mod algorithms;
mod args;
mod commands;
mod exit;
mod failure;
mod input;
mod interrupt;
mod json;
mod output;
mod pipeline;
mod progress;
mod quantity;
mod searcher;
mod table;
mod tally;

use args::{Cli, Command};
use clap::{ColorChoice, CommandFactory, FromArgMatches};
use exit::ExitCode;
use failure::{Failure, Outcome};
use output::Context;
use std::io::Write;

fn main() {
    std::panic::set_hook(Box::new(|panic| {
        // Stderr may be closed, and then there is nobody to tell.
        let _ = writeln!(
            std::io::stderr(),
            "clearway: internal error: {panic}\nThis is a fault of clearway: please report it with the command that you ran."
        );
        ExitCode::Internal.exit();
    }));
    let cli = parse();
    let context = Context { global: cli.global, interrupt: interrupt::Interrupt::install() };
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

fn run(command: Option<&Command>, context: &Context) -> Outcome {
    match command {
        None => {
            let help = Cli::command().render_help();
            let mut out = output::stdout();
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
        Some(Command::Bench(_)) => commands::bench::run(context),
        Some(Command::Completions(args)) => commands::completions::run(args),
        Some(Command::Man(args)) => commands::man::run(args),
    }
}

/// Reads the command line. Help and usage errors are printed, and end the program, here.
fn parse() -> Cli {
    let matches = Cli::command().color(colour_of_help()).get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Whether help and usage errors are coloured has to be known before the command line is read.
fn colour_of_help() -> ColorChoice {
    let arguments: Vec<_> = std::env::args_os().collect();
    let chosen = |when: &str| {
        arguments.iter().any(|argument| *argument == *format!("--color={when}"))
            || arguments.windows(2).any(|pair| pair[0] == *"--color" && pair[1] == *when)
    };
    if chosen("never") {
        ColorChoice::Never
    } else if chosen("always") {
        ColorChoice::Always
    } else {
        ColorChoice::Auto
    }
}
