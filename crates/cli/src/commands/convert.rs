//! `clearway convert`: converts boards between formats.

use crate::args::ConvertArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::input::{Boards, Fallback, InputEntry};
use crate::output::{self, Context, Sink};
use clearway_rush::formats::{self, Format, OutputFormat, Writer, ansi, pddl, svg};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

/// Returns whether a file of this format holds a single board.
fn is_one_per_file(target: OutputFormat) -> bool {
    matches!(target, OutputFormat::Svg | OutputFormat::Pddl)
}

fn extension(target: OutputFormat) -> &'static str {
    if target == OutputFormat::Svg { "svg" } else { "pddl" }
}

/// Formats a single board.
fn format_board(target: OutputFormat, entry: &InputEntry, colour: bool) -> Result<String, Failure> {
    let board = &entry.puzzle.board;
    Ok(match target {
        OutputFormat::Board(format) => formats::write(&entry.puzzle, format).map_err(Failure::unwritable)?,
        OutputFormat::Svg => {
            svg::board(board, &svg::SvgOptions { title: entry.puzzle.name.clone(), ..svg::SvgOptions::default() })
        }
        OutputFormat::Pddl => pddl::problem(board, &entry.title()),
        OutputFormat::PddlDomain => pddl::domain(),
        _ => format!("{}\n{}\n", entry.title(), ansi::board(board, colour)),
    })
}

/// Converts every board.
pub fn run(args: &ConvertArgs, context: &Context) -> CommandResult {
    let target = args.to.as_deref().and_then(|name| name.parse().ok()).unwrap_or(OutputFormat::Board(Format::Json));
    if target == OutputFormat::PddlDomain {
        output::write_file(args.out.as_deref().unwrap_or(Path::new("-")), &pddl::domain(), context)?;
        return Ok(ExitCode::Done);
    }
    let boards = Boards::open(&args.input, Fallback::Stdin)?;
    let mut errors = ErrorHandler { context, keep_going: args.input.keep_going, has_errors: false };
    match &args.out {
        Some(path) if is_one_per_file(target) && names_directory(path) => {
            write_directory(boards, target, path, &mut errors)?;
        }
        path if is_one_per_file(target) => write_single(boards, target, path.as_deref(), context)?,
        path => write_stream(boards, target, path.as_deref(), &mut errors)?,
    }
    Ok(if context.interrupt.is_raised() {
        ExitCode::Interrupted
    } else if errors.has_errors {
        ExitCode::BadInput
    } else {
        ExitCode::Done
    })
}

/// Handles boards that are invalid, or that the output format cannot express.
struct ErrorHandler<'a> {
    context: &'a Context,
    keep_going: bool,
    has_errors: bool,
}

impl ErrorHandler<'_> {
    /// Reports the failure if `keep_going` is set, else returns it.
    fn handle(&mut self, failure: Failure) -> Result<(), Failure> {
        match failure {
            Failure::Report(_, report) if self.keep_going => {
                self.context.report(&report);
                self.has_errors = true;
                Ok(())
            }
            failure => Err(failure),
        }
    }
}

/// Writes all boards to one file or to stdout.
fn write_stream(
    boards: Boards,
    target: OutputFormat,
    path: Option<&Path>,
    errors: &mut ErrorHandler<'_>,
) -> Result<(), Failure> {
    let mut sink = Sink::open(path, errors.context)?;
    let colour = path.is_none() && errors.context.stdout_colour();
    let mut writer = match target {
        OutputFormat::Board(format) => Some(Writer::new(format)),
        _ => None, // texts in these formats are simply concatenated
    };
    for item in boards {
        if errors.context.interrupt.is_raised() {
            break;
        }
        let text = item.map_err(Failure::bad_input).and_then(|entry| match &mut writer {
            Some(writer) => writer.append(&entry.puzzle).map_err(Failure::unwritable),
            None => format_board(target, &entry, colour),
        });
        match text {
            Ok(text) => sink.put(&text)?,
            Err(failure) => {
                if matches!(sink, Sink::Stdout(_)) {
                    sink.flush()?;
                }
                errors.handle(failure)?;
            }
        }
    }
    if errors.context.interrupt.is_raised() && !matches!(sink, Sink::Stdout(_)) {
        return Ok(()); // an incomplete file is never written
    }
    sink.finish()
}

/// Writes a single board.
fn write_single(boards: Boards, target: OutputFormat, path: Option<&Path>, context: &Context) -> Result<(), Failure> {
    let mut boards = boards;
    let entry =
        boards.next().unwrap_or_else(|| Err(miette::miette!("the input has no board"))).map_err(Failure::bad_input)?;
    match boards.next() {
        None => output::write_file(path.unwrap_or(Path::new("-")), &format_board(target, &entry, false)?, context),
        Some(Err(report)) => Err(Failure::bad_input(report)),
        Some(Ok(_)) => Err(Failure::usage(
            format!("the input has more than one board, but a file of {} holds one", extension(target)),
            "pass a directory to --out, such as --out boards/, to write a file per board",
        )),
    }
}

/// Writes a file for every board, and the domain that PDDL problems need.
fn write_directory(
    boards: Boards,
    target: OutputFormat,
    folder: &Path,
    errors: &mut ErrorHandler<'_>,
) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::io(&format!("create {}", folder.display()), &error))?;
    let mut names = FileNames::default();
    let context = errors.context;
    if target == OutputFormat::Pddl {
        output::write_file(&folder.join(names.take("domain", 0) + ".pddl"), &pddl::domain(), context)?;
    }
    for item in boards {
        if errors.context.interrupt.is_raised() {
            break;
        }
        let written = item.map_err(Failure::bad_input).and_then(|entry| {
            let name = names.take(entry.puzzle.name.as_deref().unwrap_or_default(), entry.number);
            output::write_file(
                &folder.join(format!("{name}.{}", extension(target))),
                &format_board(target, &entry, false)?,
                context,
            )
        });
        if let Err(failure) = written {
            errors.handle(failure)?;
        }
    }
    Ok(())
}

/// Returns whether a path is an existing directory or ends with a slash.
fn names_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// Unique file names derived from the names of boards.
#[derive(Default)]
struct FileNames(HashSet<String>);

impl FileNames {
    /// Returns a file name similar to the board's name, with the number of the board if that is taken or empty.
    fn take(&mut self, name: &str, number: u64) -> String {
        let is_safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let safe: String = name.chars().take(60).map(|c| if is_safe(c) { c } else { '_' }).collect();
        let safe = safe.trim_start_matches('.');
        let mut file = if safe.is_empty() { format!("board-{number:04}") } else { safe.to_owned() };
        // File systems that ignore case must not lose a board.
        while !self.0.insert(file.to_lowercase()) {
            file = format!("{file}-{number}");
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_safe_and_unique() {
        let mut names = FileNames::default();
        assert_eq!(names.take("JAM01", 1), "JAM01");
        assert_eq!(names.take("jam01", 2), "jam01-2");
        assert_eq!(names.take("../../etc/passwd", 3), "_.._etc_passwd");
        assert_eq!(names.take("", 4), "board-0004");
        assert_eq!(names.take("..", 5), "board-0005");
    }

    #[test]
    fn a_trailing_slash_means_a_directory() {
        assert!(names_directory(Path::new("no/such/place/")));
        assert!(!names_directory(Path::new("no/such/place")));
    }
}
