//! `clearway suites`: lists and prints the embedded suites.

use crate::args::SuitesArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::Context;
use clearway_answers::records::SuiteRecord;
use clearway_rush::formats::{self, Format};
use clearway_rush::suites::{self, Suite};
use std::io::Write;

/// Lists the suites, or prints one.
pub fn run(args: &SuitesArgs, context: &Context) -> CommandResult {
    let mut out = context.stdout();
    match args.name.as_deref().and_then(Suite::find) {
        None => list(&mut out, context.global.json)?,
        Some(suite) if context.global.json => {
            for puzzle in suite.puzzles() {
                out.write_all(formats::write(&puzzle, Format::Json).map_err(Failure::unwritable)?.as_bytes())?;
            }
        }
        Some(suite) => out.write_all(suite.text().as_bytes())?,
    }
    out.flush()?;
    Ok(ExitCode::Done)
}

fn list(out: &mut impl Write, json: bool) -> Result<(), Failure> {
    let width = suites::all().iter().map(|suite| suite.name.len()).max().unwrap_or_default();
    if !json {
        writeln!(out, "{:<width$}  {:>6}  description", "name", "boards")?;
    }
    for suite in suites::all() {
        let record = SuiteRecord::new(suite);
        if json {
            out.write_all(json::line(&record).as_bytes())?;
        } else {
            writeln!(out, "{:<width$}  {:>6}  {}", record.name, record.boards, record.about)?;
        }
    }
    Ok(())
}
