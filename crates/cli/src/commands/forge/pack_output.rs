//! Where packs are written to: files whose endings say the format, or stdout.

use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::output::{Context, Sink, is_device};
use clearway_forge::grade::Level;
use clearway_forge::pack::{Entry, PackFormat};
use std::path::PathBuf;

/// The files to write a pack to, in their formats.
#[derive(Debug)]
pub struct Outputs(Vec<(PathBuf, PackFormat)>);

impl Outputs {
    /// Checks that every ending is that of a format, and that every file can be written: better known before the work
    /// than after it.
    pub fn check(paths: &[PathBuf], context: &Context) -> Result<Outputs, Failure> {
        let mut outputs = Vec::new();
        for path in paths {
            let format = PackFormat::of_file(path).ok_or_else(|| {
                let endings = PackFormat::ALL.map(|format| format!(".{}", format.name())).join(", ");
                Failure::usage(
                    format!("the ending of {} says no format for a pack", path.display()),
                    format!("the endings are {endings}"),
                )
            })?;
            // Whoever reads from a named pipe would take a trial for the end of the pack.
            if !is_device(path) {
                drop(Sink::open(Some(path), context)?);
            }
            outputs.push((path.clone(), format));
        }
        Ok(Outputs(outputs))
    }

    /// Whether the pack goes to stdout, as there is no file.
    pub fn is_stdout(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes a pack. A file that cannot be written is reported, and the others are written all the same.
    pub fn write(&self, entries: &[Entry], title: &str, context: &Context) -> Result<(), Failure> {
        if self.is_stdout() {
            let format = if context.global.json { PackFormat::Jsonl } else { PackFormat::Txt };
            return put(Sink::open(None, context)?, &format.write(entries, title));
        }
        let mut failed = None;
        for (path, format) in &self.0 {
            let written = Sink::open(Some(path), context).and_then(|sink| put(sink, &format.write(entries, title)));
            if let Err(failure) = written
                && let Some(Failure::Report(_, report)) = failed.replace(failure)
            {
                context.report(&report);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// The names of the files.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|(path, _)| path.display().to_string()).collect()
    }
}

fn put(mut sink: Sink, bytes: &[u8]) -> Result<(), Failure> {
    sink.put_bytes(bytes)?;
    sink.finish()
}

/// How many puzzles of each level there are, as in `3 beginner, 2 expert`.
pub fn levels(entries: &[Entry]) -> String {
    let count = |level| entries.iter().filter(|entry| entry.level == level).count();
    let levels = Level::ALL.into_iter().map(|level| (count(level), level)).filter(|(count, _)| *count > 0);
    levels.map(|(count, level)| format!("{count} {level}")).collect::<Vec<_>>().join(", ")
}

/// The exit code of a command that made a pack: whether it was interrupted, or ended at a limit.
pub fn exit_code(context: &Context, limited: bool) -> ExitCode {
    if context.interrupt.is_raised() {
        ExitCode::Interrupted
    } else if limited {
        ExitCode::Limit
    } else {
        ExitCode::Done
    }
}
