//! What the commands that breed have in common: runs in folders, generation after generation.

use crate::exit::ExitCode;
use crate::failure::{Failure, message_with_help};
use crate::json;
use crate::output::Context;
use crate::progress::Bar;
use clearway_lab::runs::{FolderError, LogLine};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often the champion so far and the report are written.
const WRITE_EVERY: Duration = Duration::from_secs(30);

/// What becomes of a line of a run's log that was damaged.
pub const RESTORED: &str = "restored from the checkpoint";

/// A run that makes generations.
pub trait Generations {
    /// A line of its log.
    type Line: LogLine;

    /// Whether no more are to be made.
    fn is_done(&self) -> bool;

    /// Makes the next one; none if it was interrupted.
    fn next(&mut self, threads: usize) -> Result<Option<Self::Line>, Failure>;

    /// How many there are, and how many there will be as far as can be told.
    fn count(&self) -> (usize, usize);

    /// How it goes, in a few words.
    fn state(&self, line: &Self::Line) -> String;

    /// Writes the best so far, and the report.
    fn write_so_far(&self) -> Result<(), Failure>;
}

/// Makes generations until the run is done or interrupted.
pub fn breed(run: &mut impl Generations, context: &Context) -> Result<(), Failure> {
    let bar = Bar::new("generations", context);
    let mut out = context.stdout();
    let mut written = Instant::now();
    while !run.is_done() && !context.interrupt.is_raised() {
        let Some(line) = run.next(context.threads())? else { break };
        if context.global.json {
            bar.around_stdout(|| -> std::io::Result<()> {
                out.write_all(json::line(&line).as_bytes())?;
                out.flush()
            })?;
        }
        let state = run.state(&line);
        if context.global.verbose {
            bar.around_stderr(|| context.note(&format!("generation {}: {state}", line.generation().generation)));
        }
        let (made, expected) = run.count();
        bar.tell(made, expected, format!("generations: {state}"));
        if written.elapsed() >= WRITE_EVERY {
            run.write_so_far()?;
            written = Instant::now();
        }
    }
    Ok(())
}

/// A name that no file has yet.
pub fn new_folder(prefix: &str, seed: u64) -> PathBuf {
    let names = (2..).map(|number| format!("{prefix}-{seed}-{number}"));
    let mut paths = std::iter::once(format!("{prefix}-{seed}")).chain(names).map(PathBuf::from);
    paths.find(|path| !path.exists()).unwrap_or_default()
}

/// What a person is told about a folder that is of no use to a command, or else begins anew with.
pub fn folder_failure(error: &FolderError, folder: &Path, command: &str, anew: &str) -> Failure {
    let help = match error {
        FolderError::IsRun(_) => {
            format!("go on with it by {command} --resume {}, or give another --out", folder.display())
        }
        FolderError::NotEmpty(_) => "give the name of a new folder".to_owned(),
        FolderError::NoRun(_) => format!("give the folder that {command} --out named"),
        FolderError::Version { .. } => format!("use that version, or begin anew: {anew}"),
        FolderError::InUse(_) => "wait until it ends, or give another --out".to_owned(),
        FolderError::Settings { .. } => "begin anew, with the options of the run".to_owned(),
        FolderError::File { .. } => return Failure::bad_input(miette::miette!("{error}")),
    };
    Failure::Report(ExitCode::BadInput, message_with_help(error.to_string(), help))
}

/// Takes a value that was given.
pub fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
