//! Shared code of the commands that run evolution: folders, generations and progress; and `clearway runs`.

mod compare;

pub use compare::{RunsArgs, run};

use crate::exit::ExitCode;
use crate::failure::{Failure, message_with_help};
use crate::json;
use crate::output::Context;
use crate::progress::Bar;
use crate::quantity;
use clap::ValueEnum;
use clearway_gp::{CheckpointError, EvolutionError};
use clearway_lab::runs::{FolderError, LogLine, Run, RunError, RunKind, TooFewGenerations};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often the current champion and the report are written.
pub const WRITE_EVERY: Duration = Duration::from_secs(30);

/// An evolution run that proceeds generation by generation.
pub trait EvolutionRun {
    /// What is evolved.
    type Kind: RunKind;

    /// Returns the run itself.
    fn run(&self) -> &Run<Self::Kind>;

    /// Computes the next generation; returns `None` if it was interrupted.
    fn next_generation(&mut self, threads: usize) -> Result<Option<<Self::Kind as RunKind>::Line>, Failure>;

    /// Returns a short status after a generation.
    fn status(&self, line: &<Self::Kind as RunKind>::Line) -> String;

    /// Writes the current champion and the report.
    fn write_current(&self) -> Result<(), Failure>;
}

/// A kind of run that a command computes in this process.
pub trait LocalKind: RunKind + Sized {
    /// Computes the next generation; returns `None` if it was interrupted.
    fn step(run: &mut Run<Self>, threads: usize) -> Result<Option<Self::Line>, RunError>;

    /// Returns a short status after a generation.
    fn status(run: &Run<Self>, line: &Self::Line) -> String;

    /// Writes the best individual and the report, if there is one.
    fn write_best(run: &Run<Self>) -> Result<(), RunError>;

    /// Converts an error of a run into a message with advice.
    fn failure(error: &RunError, folder: &Path) -> Failure;
}

impl<K: LocalKind> EvolutionRun for Run<K> {
    type Kind = K;

    fn run(&self) -> &Run<K> {
        self
    }

    fn next_generation(&mut self, threads: usize) -> Result<Option<K::Line>, Failure> {
        K::step(self, threads).map_err(|error| K::failure(&error, self.folder().path()))
    }

    fn status(&self, line: &K::Line) -> String {
        K::status(self, line)
    }

    fn write_current(&self) -> Result<(), Failure> {
        K::write_best(self).map_err(|error| K::failure(&error, self.folder().path()))
    }
}

/// Computes generations until the run is finished or interrupted.
pub fn evolve(run: &mut impl EvolutionRun, context: &Context) -> Result<(), Failure> {
    let bar = Bar::new("generations", context);
    let mut out = context.stdout();
    let mut written = Instant::now();
    while !run.run().is_done() && !context.interrupt.is_raised() {
        let Some(line) = run.next_generation(context.threads())? else { break };
        if context.global.json {
            bar.around_stdout(|| -> std::io::Result<()> {
                out.write_all(json::line(&line).as_bytes())?;
                out.flush()
            })?;
        }
        let status = run.status(&line);
        if context.global.verbose {
            bar.around_stderr(|| context.note(&format!("generation {}: {status}", line.generation().generation)));
        }
        let (made, expected) = (run.run().generations().len(), run.run().expected_generations() as usize);
        bar.show_with_message(made, expected, format!("generations: {status}"));
        if written.elapsed() >= WRITE_EVERY {
            run.write_current()?;
            written = Instant::now();
        }
    }
    Ok(())
}

/// Reports that a run was resumed, and what was damaged in its folder. `fault` is what is wrong with the newest checkpoint.
pub fn report_resumed<K: RunKind>(run: &Run<K>, fault: Option<CheckpointError>, context: &Context) {
    if let Some(fault) = fault {
        context.warn(&format!("{fault}; using the previous checkpoint"));
    }
    context.warn_corrupt(run.corrupt_log_lines(), "restored from the checkpoint");
    let made = quantity::plural(run.generations().len() as u64, "generation");
    context.note(&format!("resuming the run in {} after {made}", run.folder().path().display()));
}

/// Reports the end of a run, after its results were printed.
pub fn report_end<K: RunKind>(run: &Run<K>, command: &str, context: &Context) -> ExitCode {
    let made = quantity::plural(run.generations().len() as u64, "generation");
    if context.interrupt.is_raised() {
        let is_new = run.generations().is_empty();
        let when =
            if is_new { "before the first generation was completed".to_owned() } else { format!("after {made}") };
        let folder = run.folder().path().display();
        context.note(&format!("interrupted {when}; resume with: {command} --resume {folder}"));
        return ExitCode::Interrupted;
    }
    context.note(&format!(
        "{made} in {}; the champion is in {}, the report in {}",
        quantity::time(Duration::from_secs_f64(run.seconds())),
        run.champion_file().display(),
        run.folder().report().display()
    ));
    ExitCode::Done
}

/// Converts an error of a run into a message with advice. `restart` is the advice on how to start the run again.
pub fn run_failure(error: &RunError, folder: &Path, command: &str, restart: &str) -> Failure {
    let help = match error {
        RunError::Folder(error) => return folder_failure(error, folder, command, restart),
        RunError::NoTrainingBoards(_) | RunError::NoValidationBoards(_) => {
            "usable boards are solvable, and small enough in states and in the search without a heuristic".to_owned()
        }
        RunError::OutOfMemory(_) => "raise --memory, or use fewer or smaller boards".to_owned(),
        RunError::InvalidSettings(_)
        | RunError::Evolution(EvolutionError::InvalidOptions(_) | EvolutionError::InvalidLayout(_)) => {
            return Failure::usage(error.to_string(), format!("see {command} --help for the options"));
        }
        RunError::TooFewGenerations(TooFewGenerations { made, .. }) => {
            return Failure::usage(error.to_string(), format!("use --generations {made} or more, or omit it"));
        }
        RunError::Checkpoint(CheckpointError::Io { .. }) => "free disk space, or use another --out".to_owned(),
        RunError::Checkpoint(_) | RunError::Evolution(_) | RunError::FolderMismatch { .. } => {
            format!("start again: {restart}")
        }
        _ => return Failure::bad_input(miette::miette!("{error}")),
    };
    let code = if matches!(error, RunError::OutOfMemory(_)) { ExitCode::Limit } else { ExitCode::BadInput };
    Failure::Report(code, message_with_help(error.to_string(), help))
}

/// Returns a path for the run of a seed that does not exist yet.
pub fn new_folder(prefix: &str, seed: u64) -> PathBuf {
    unused_path(&format!("{prefix}-{seed}"))
}

/// Returns a path that does not exist yet: this name, or one with a number.
pub fn unused_path(name: &str) -> PathBuf {
    let names = (2..).map(|number| format!("{name}-{number}"));
    first_unused(std::iter::once(name.to_owned()).chain(names))
}

/// Returns the first of endlessly many paths that does not exist yet.
pub fn first_unused(names: impl Iterator<Item = String>) -> PathBuf {
    names.map(PathBuf::from).find(|path| !path.exists()).unwrap_or_default()
}

/// Converts an error of a run folder. `restart` is the advice on how to start the run again.
fn folder_failure(error: &FolderError, folder: &Path, command: &str, restart: &str) -> Failure {
    let help = match error {
        FolderError::AlreadyHoldsRun(_) => {
            format!("resume it with {command} --resume {}, or use another --out", folder.display())
        }
        FolderError::NotEmpty(_) => "use a new or empty folder".to_owned(),
        FolderError::NoRun(_) => format!("pass the folder of a run of {command}"),
        FolderError::OtherVersion { .. } => format!("use that version, or start again: {restart}"),
        FolderError::InUse(_) => "wait until it ends, or use another --out".to_owned(),
        FolderError::InvalidSettings { .. } => "start again with the options of the run".to_owned(),
        _ => return Failure::bad_input(miette::miette!("{error}")),
    };
    Failure::Report(ExitCode::BadInput, message_with_help(error.to_string(), help))
}

/// Replaces a setting if a value is given.
pub fn set<T>(setting: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *setting = value;
    }
}

/// Returns the name of a value on the command line.
pub fn value_name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
