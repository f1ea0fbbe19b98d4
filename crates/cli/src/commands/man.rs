//! `clearway man`: prints or writes the manual pages.

use crate::args::{Cli, ManArgs};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::output::{self, Context};
use clap::CommandFactory;
use clap_mangen::Man;
use std::io::Write;

/// Prints the manual page of the program, or writes the pages of the program and of every command.
pub fn run(args: &ManArgs, context: &Context) -> CommandResult {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let Some(folder) = &args.out else {
        let mut out = context.stdout();
        out.write_all(page(program)?.as_bytes())?;
        out.flush()?;
        return Ok(ExitCode::Done);
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::io(&format!("create {}", folder.display()), &error))?;
    for command in program.get_subcommands() {
        let name = format!("clearway-{}", command.get_name());
        let command = command.clone().name(name.clone()).version(env!("CARGO_PKG_VERSION"));
        output::write_file(&folder.join(format!("{name}.1")), &page(command)?, context)?;
    }
    output::write_file(&folder.join("clearway.1"), &page(program)?, context)?;
    Ok(ExitCode::Done)
}

fn page(command: clap::Command) -> Result<String, Failure> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
