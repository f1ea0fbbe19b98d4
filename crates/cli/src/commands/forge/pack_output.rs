//! Writes packs: to files, whose extensions determine the format, or to stdout.

use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::output::{Context, Sink, is_device};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clearway_forge::grade::Level;
use clearway_forge::pack::{Entry, Language, PackFormat, Paper, Printing};
use std::path::PathBuf;

/// Options for the output of a pack.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Output file; its extension determines the format; can be repeated
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,

    /// Title of the pack
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Paper of .pdf and .svg files
    #[arg(long, value_name = "NAME", default_value = "a4", value_parser = PossibleValuesParser::new(Paper::ALL.map(Paper::as_str)))]
    pub paper: String,

    /// Draw the boards of .pdf files as black lines on white
    #[arg(long)]
    pub black_and_white: bool,

    /// Language of the words in .html, .pdf and .svg files
    #[arg(long, value_name = "NAME", default_value = "en", value_parser = PossibleValuesParser::new(Language::ALL.map(Language::as_str)))]
    pub language: String,
}

impl OutputArgs {
    /// Returns the options for printable cards.
    pub fn printing(&self) -> Printing {
        let paper = Paper::from_name(&self.paper).unwrap_or_default();
        let language = Language::from_name(&self.language).unwrap_or_default();
        Printing { paper, black_and_white: self.black_and_white, language }
    }
}

/// The output files of a pack, with their formats.
#[derive(Debug)]
pub struct Outputs(Vec<(PathBuf, PackFormat)>);

impl Outputs {
    /// Checks before the work that every extension is that of a format, and that every file can be written.
    pub fn check(paths: &[PathBuf], context: &Context) -> Result<Outputs, Failure> {
        let mut outputs = Vec::new();
        for path in paths {
            let format = PackFormat::from_path(path).ok_or_else(|| {
                let extensions: Vec<String> =
                    PackFormat::ALL.iter().map(|format| format!(".{}", format.name())).collect();
                Failure::usage(
                    format!("unknown pack format of {}", path.display()),
                    format!("use one of the extensions {}", extensions.join(", ")),
                )
            })?;
            // The reader of a named pipe would take a trial for the end of the pack.
            if !is_device(path) {
                drop(Sink::open(Some(path), context)?);
            }
            outputs.push((path.clone(), format));
        }
        Ok(Outputs(outputs))
    }

    /// Returns whether the pack is written to stdout, because there are no files.
    pub fn is_stdout(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes a pack. An error of one file does not prevent writing the others.
    pub fn write(&self, entries: &[Entry], title: &str, printing: Printing, context: &Context) -> Result<(), Failure> {
        if self.is_stdout() {
            let format = if context.global.json { PackFormat::Jsonl } else { PackFormat::Txt };
            return put(Sink::open(None, context)?, &format.write(entries, title));
        }
        let mut failed = None;
        for (path, format) in &self.0 {
            let missing = format.missing_characters(entries, title);
            if !missing.is_empty() {
                let list = missing.into_iter().map(|c| format!("'{c}'")).collect::<Vec<_>>().join(", ");
                context.warn(&format!("{} has ? for {list}, which its fonts lack; .html has them", path.display()));
            }
            let contents = format.print(entries, title, printing);
            let written = Sink::open(Some(path), context).and_then(|sink| put(sink, &contents));
            if let Err(failure) = written
                && let Some(Failure::Report(_, report)) = failed.replace(failure)
            {
                context.report(&report);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Returns the names of the files.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|(path, _)| path.display().to_string()).collect()
    }
}

fn put(mut sink: Sink, bytes: &[u8]) -> Result<(), Failure> {
    sink.put_bytes(bytes)?;
    sink.finish()
}

/// Formats the number of puzzles of each level: `3 beginner, 2 expert`.
pub fn levels(entries: &[Entry]) -> String {
    let count = |level| entries.iter().filter(|entry| entry.level == level).count();
    let levels = Level::ALL.into_iter().map(|level| (count(level), level)).filter(|(count, _)| *count > 0);
    levels.map(|(count, level)| format!("{count} {level}")).collect::<Vec<_>>().join(", ")
}

/// Returns the exit code of a command that wrote a pack. `limited` means that a limit was reached.
pub fn exit_code(context: &Context, limited: bool) -> ExitCode {
    if context.interrupt.is_raised() {
        ExitCode::Interrupted
    } else if limited {
        ExitCode::Limit
    } else {
        ExitCode::Done
    }
}
