//! `clearway convert`: boards from any format into another.

use crate::args::ConvertArgs;
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::input::{Boards, Entry, Fallback};
use crate::output::{self, Context, Sink};
use clearway_rush::formats::{self, Format, Writer, ansi, pddl, svg};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

/// A format that boards are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Text(Format),
    Ansi,
    Svg,
    Pddl,
}

impl Target {
    /// Whether a file of this format holds a single board.
    fn is_one_per_file(self) -> bool {
        matches!(self, Target::Svg | Target::Pddl)
    }

    fn extension(self) -> &'static str {
        if self == Target::Svg { "svg" } else { "pddl" }
    }

    /// The text of a board by itself.
    fn write(self, entry: &Entry, colour: bool) -> Result<String, Failure> {
        let board = &entry.puzzle.board;
        Ok(match self {
            Target::Text(format) => formats::write(&entry.puzzle, format).map_err(Failure::bad_input)?,
            Target::Ansi => format!("{}\n{}\n", entry.title(), ansi::board(board, colour)),
            Target::Svg => {
                svg::board(board, &svg::SvgOptions { title: entry.puzzle.name.clone(), ..svg::SvgOptions::default() })
            }
            Target::Pddl => pddl::problem(board, &entry.title()),
        })
    }

    /// The writer of many boards into one text, where that takes more than to put them one behind the other.
    fn writer(self) -> Option<Writer> {
        match self {
            Target::Text(format) => Some(Writer::new(format)),
            Target::Ansi | Target::Svg | Target::Pddl => None,
        }
    }
}

/// Converts every board.
pub fn run(args: &ConvertArgs, context: &Context) -> Outcome {
    let target = match args.to.as_deref() {
        Some("ansi") => Target::Ansi,
        Some("svg") => Target::Svg,
        Some("pddl") => Target::Pddl,
        Some("pddl-domain") => {
            let path = args.out.as_deref().unwrap_or(Path::new("-"));
            output::write_file(path, &pddl::domain(), context)?;
            return Ok(ExitCode::Done);
        }
        Some(name) => Target::Text(Format::from_name(name).unwrap_or(Format::Json)),
        None => Target::Text(Format::Json),
    };
    let boards = Boards::open(&args.input, Fallback::Stdin)?;
    let mut refusals = Refusals { context, keep_going: args.input.keep_going, any: false };
    match &args.out {
        Some(path) if target.is_one_per_file() && names_directory(path) => {
            write_directory(boards, target, path, &mut refusals)?;
        }
        path if target.is_one_per_file() => write_single(boards, target, path.as_deref(), context)?,
        path => write_stream(boards, target, path.as_deref(), &mut refusals)?,
    }
    Ok(if context.interrupt.is_raised() {
        ExitCode::Interrupted
    } else if refusals.any {
        ExitCode::BadInput
    } else {
        ExitCode::Done
    })
}

/// What happens to boards that are refused, by the reader or by the format that they should be written in.
struct Refusals<'a> {
    context: &'a Context,
    keep_going: bool,
    any: bool,
}

impl Refusals<'_> {
    /// Reports a refusal and goes on, or ends everything with it.
    fn handle(&mut self, failure: Failure) -> Result<(), Failure> {
        match failure {
            Failure::Report(_, report) if self.keep_going => {
                self.context.report(&report);
                self.any = true;
                Ok(())
            }
            failure => Err(failure),
        }
    }
}

/// Writes all boards one after the other.
fn write_stream(
    boards: Boards,
    target: Target,
    path: Option<&Path>,
    refusals: &mut Refusals<'_>,
) -> Result<(), Failure> {
    let mut sink = Sink::open(path, refusals.context)?;
    let colour = path.is_none() && refusals.context.stdout_colour();
    let mut writer = target.writer();
    for item in boards {
        if refusals.context.interrupt.is_raised() {
            break;
        }
        let text = item.map_err(Failure::bad_input).and_then(|entry| match &mut writer {
            Some(writer) => writer.append(&entry.puzzle).map_err(Failure::bad_input),
            None => target.write(&entry, colour),
        });
        match text {
            Ok(text) => sink.put(&text)?,
            Err(failure) => {
                if matches!(sink, Sink::Stdout(_)) {
                    sink.flush()?;
                }
                refusals.handle(failure)?;
            }
        }
    }
    if refusals.context.interrupt.is_raised() && !matches!(sink, Sink::Stdout(_)) {
        return Ok(()); // half a file is no file
    }
    sink.finish()
}

/// Writes the only board.
fn write_single(boards: Boards, target: Target, path: Option<&Path>, context: &Context) -> Result<(), Failure> {
    let mut boards = boards;
    let entry =
        boards.next().unwrap_or_else(|| Err(miette::miette!("there is no board"))).map_err(Failure::bad_input)?;
    match boards.next() {
        None => output::write_file(path.unwrap_or(Path::new("-")), &target.write(&entry, false)?, context),
        Some(Err(report)) => Err(Failure::bad_input(report)),
        Some(Ok(_)) => Err(Failure::usage(
            format!("a file of {} holds one board, and there are more", target.extension()),
            "let --out name a directory, such as --out boards/, to get a file for every board",
        )),
    }
}

/// Writes a file for every board, and the domain that PDDL problems need.
fn write_directory(boards: Boards, target: Target, folder: &Path, refusals: &mut Refusals<'_>) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::io(&format!("make {}", folder.display()), &error))?;
    let mut names = FileNames::default();
    let context = refusals.context;
    if target == Target::Pddl {
        output::write_file(&folder.join(names.take("domain", 0) + ".pddl"), &pddl::domain(), context)?;
    }
    for item in boards {
        if refusals.context.interrupt.is_raised() {
            break;
        }
        let written = item.map_err(Failure::bad_input).and_then(|entry| {
            let name = names.take(entry.puzzle.name.as_deref().unwrap_or_default(), entry.number);
            output::write_file(
                &folder.join(format!("{name}.{}", target.extension())),
                &target.write(&entry, false)?,
                context,
            )
        });
        if let Err(failure) = written {
            refusals.handle(failure)?;
        }
    }
    Ok(())
}

/// Whether a path means a directory: one that exists, or one written with a slash at its end.
fn names_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// File names made of the names of boards, each used once.
#[derive(Default)]
struct FileNames(HashSet<String>);

impl FileNames {
    /// A file name like that of the board, or with the number of the board if that is taken or empty.
    fn take(&mut self, name: &str, number: u64) -> String {
        let is_safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let safe: String = name.chars().take(60).map(|c| if is_safe(c) { c } else { '_' }).collect();
        let safe = safe.trim_start_matches('.');
        let mut file = if safe.is_empty() { format!("board-{number:04}") } else { safe.to_owned() };
        // File systems that do not tell apart upper and lower case must not lose a board.
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
    fn a_slash_at_the_end_means_a_directory() {
        assert!(names_directory(Path::new("no/such/place/")));
        assert!(!names_directory(Path::new("no/such/place")));
    }
}
