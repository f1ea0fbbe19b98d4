//! `clearway forge merge`: merges packs and removes duplicates.

use super::pack_output::{self, OutputArgs, Outputs};
use crate::algorithms::reject_zero_limits;
use crate::args::{ReadingArgs, suite_names};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::Context;
use crate::panics::Panic;
use crate::pipeline::{self, ResultConsumer, Titled};
use crate::progress::Bar;
use crate::quantity;
use crate::searcher::SharedLimits;
use clap::Args;
use clearway_forge::canonical::canonical;
use clearway_forge::pack::{Entry, EntryError, PackMerger, PackReader, SourcedPuzzle};
use clearway_rush::Solver;
use clearway_rush::formats::{Format, ReadOptions};
use clearway_rush::suites::Suite;
use clearway_search::{Limit, Limits};
use serde::Serialize;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Merge packs, remove duplicates and grade the puzzles
///
/// Reads packs (.jsonl, .txt, .csv) and boards in any format. Of boards that are the same puzzle (mirrored, rotated, with
/// other labels, or another state of the same component), only the hardest is kept. Boards are not changed, unless --hardest
/// replaces each by the hardest state of its component. All boards are solved and graded again, so no claim of the input is
/// trusted; the origin and the licence of each puzzle are kept.
///
/// Unsolvable boards are reported and left out, as are boards whose component exceeds the limits (the exit code is then 5).
/// Ctrl-C leaves the files unchanged.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge merge a.jsonl b.txt c.csv --out all.jsonl
  clearway forge merge boards.txt --minimal --out good.jsonl --out cards.pdf
  clearway forge merge --suite walls --hardest --json")]
pub struct MergeArgs {
    /// Packs and files with boards, or - for stdin
    #[arg(value_name = "FILE|-", required_unless_present = "suite")]
    pub files: Vec<PathBuf>,

    /// Add the boards of an embedded suite
    #[arg(long, value_name = "NAME", value_parser = suite_names())]
    pub suite: Vec<String>,

    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Report invalid boards and files, and continue with the next
    #[arg(short, long)]
    pub keep_going: bool,

    /// Leave out boards with a removable vehicle: one whose removal does not make the board easier
    #[arg(long)]
    pub minimal: bool,

    /// Replace each board by the hardest state of its component; boards larger than 8x8 are kept
    #[arg(long)]
    pub hardest: bool,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// The summary that `clearway forge merge --json` prints if the pack is written to files.
#[derive(Serialize)]
struct MergeSummary {
    /// The number of puzzles in the pack.
    puzzles: usize,
    /// The number of boards read.
    boards: usize,
    /// Boards that were the same puzzle as another.
    duplicates: u64,
    /// Puzzles in the pack with a removable vehicle; with `--minimal`, boards left out for that reason.
    not_minimal: usize,
    /// Boards left out because they are unsolvable or already solved.
    unsolvable: usize,
    /// Boards left out because a limit was reached.
    limited: usize,
    /// Invalid boards and files.
    refused: usize,
    /// Boards left out because of an internal error.
    failed: usize,
    /// The files written.
    files: Vec<String>,
}

/// Merges the packs.
pub fn run(args: &MergeArgs, context: &Context) -> CommandResult {
    reject_zero_limits(context)?;
    let outputs = Outputs::check(&args.output.out, context)?;
    let (boards, refused) = read(args, context)?;
    let count = boards.len();
    let threads = context.threads();
    let (limits, hardest) = (SharedLimits::for_many(threads, context), args.hardest);
    let make_worker = move || {
        let mut searcher = limits.searcher();
        move |(place, sourced): (String, SourcedPuzzle)| {
            let (entry, _) = searcher.search(
                |solver, limits| entry(&sourced, hardest, solver, limits),
                |entry| matches!(entry, Err(EntryError::Limit(Limit::Memory))),
            );
            (place, entry)
        }
    };
    let mut merger = Merger::new(count, args.minimal, context);
    pipeline::run(boards.into_iter(), threads, make_worker, &context.interrupt, &mut merger)?;
    let Merger { merge, not_minimal, unsolvable, limited, failed, .. } = merger;
    if context.interrupt.is_raised() {
        return Ok(ExitCode::Interrupted); // an incomplete pack must not replace a complete one
    }
    let duplicates = merge.duplicates();
    let entries = merge.into_pack();
    let title = args.output.title.clone().unwrap_or_else(|| quantity::plural(entries.len() as u64, "puzzle"));
    outputs.write(&entries, &title, args.output.printing(), context)?;
    if context.global.json && !outputs.is_stdout() {
        let not_minimal = if args.minimal { not_minimal } else { entries.iter().filter(|e| !e.minimal).count() };
        let (puzzles, files) = (entries.len(), outputs.names());
        let boards = count;
        let summary =
            MergeSummary { puzzles, boards, duplicates, not_minimal, unsolvable, limited, refused, failed, files };
        let mut out = context.stdout();
        out.write_all(json::line(&summary).as_bytes())?;
        out.flush()?;
    }
    let puzzles = quantity::plural(entries.len() as u64, "puzzle");
    let doubled = quantity::plural(duplicates, "duplicate");
    context.note(&format!(
        "{puzzles} ({}) of {}; {doubled}",
        pack_output::levels(&entries),
        quantity::plural(count as u64, "board")
    ));
    if not_minimal > 0 {
        let boards = quantity::plural(not_minimal as u64, "board");
        let (have, fate) =
            (if not_minimal == 1 { "has" } else { "have" }, if args.minimal { "left out" } else { "kept" });
        context.note(&format!("{boards} {have} a removable vehicle: {fate}"));
    }
    Ok(if failed > 0 {
        ExitCode::Internal
    } else if refused > 0 {
        ExitCode::BadInput
    } else if count > 0 && unsolvable == count {
        ExitCode::Unsolvable
    } else {
        pack_output::exit_code(context, limited > 0)
    })
}

/// Reads all boards, each with its place in the input; also returns the number of invalid boards and files.
fn read(args: &MergeArgs, context: &Context) -> Result<(Vec<(String, SourcedPuzzle)>, usize), Failure> {
    let (mut boards, mut refused) = (Vec::new(), 0);
    let mut take = |input: Box<dyn BufRead>, options: ReadOptions| {
        let name = options.source_name.clone();
        for item in PackReader::new(input, options) {
            match item {
                Ok(sourced) => {
                    let place = sourced.puzzle.name.clone();
                    boards.push((place.unwrap_or_else(|| format!("{name}, line {}", sourced.puzzle.line)), sourced));
                }
                Err(error) if args.keep_going => {
                    context.report(&error.into());
                    refused += 1;
                }
                Err(error) => return Err(Failure::bad_input(error)),
            }
        }
        Ok(())
    };
    for suite in args.suite.iter().filter_map(|name| Suite::find(name)) {
        let source_name = format!("suite {}", suite.name);
        let options = ReadOptions { format: Some(Format::Tsv), source_name, ..ReadOptions::default() };
        take(Box::new(suite.text().as_bytes()), options)?;
    }
    let mut missing = 0;
    for path in &args.files {
        let is_stdin = path.as_os_str() == "-";
        let options = ReadOptions {
            format: args.reading.format(),
            size: args.reading.size,
            exit: args.reading.exit,
            source_name: if is_stdin { "stdin".to_owned() } else { path.display().to_string() },
        };
        match open(path, is_stdin) {
            Ok(input) => take(input, options)?,
            Err(error) => {
                let report = miette::miette!("cannot read {}: {error}", path.display());
                if !args.keep_going {
                    return Err(Failure::bad_input(report));
                }
                context.report(&report);
                missing += 1;
            }
        }
    }
    Ok((boards, refused + missing))
}

fn open(path: &Path, is_stdin: bool) -> std::io::Result<Box<dyn BufRead>> {
    if is_stdin {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    if path.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, File::open(path)?)))
}

/// Creates the entry of a board, with its name, origin and licence from the input.
fn entry(sourced: &SourcedPuzzle, hardest: bool, solver: &mut Solver, limits: &Limits) -> Result<Entry, EntryError> {
    let SourcedPuzzle { puzzle, origin, license } = sourced;
    let mut entry = if hardest {
        let found = canonical(solver, &puzzle.board, limits).map_err(EntryError::Limit)?;
        let found = found.ok_or(EntryError::Unsolvable)?;
        let board = found.facing(puzzle.board.exit().side(), puzzle.board.exit_line());
        Entry::from_canonical(&found, board, solver, limits)?
    } else {
        Entry::new(puzzle.board.clone(), solver, limits)?
    };
    entry.name.clone_from(&puzzle.name);
    entry.origin.clone_from(origin);
    entry.license.clone_from(license);
    Ok(entry)
}

/// Collects the entries in the order of the boards.
struct Merger<'a> {
    merge: PackMerger,
    only_minimal: bool,
    not_minimal: usize,
    unsolvable: usize,
    limited: usize,
    failed: usize,
    done: usize,
    count: usize,
    bar: Bar,
    context: &'a Context,
}

/// The title of a board is its place in the input.
impl Titled for (String, SourcedPuzzle) {
    fn title(&self) -> String {
        self.0.clone()
    }
}

impl Merger<'_> {
    fn new(count: usize, only_minimal: bool, context: &Context) -> Merger<'_> {
        let bar = Bar::new("boards", context);
        let merge = PackMerger::default();
        Merger {
            merge,
            only_minimal,
            not_minimal: 0,
            unsolvable: 0,
            limited: 0,
            failed: 0,
            done: 0,
            count,
            bar,
            context,
        }
    }
}

impl ResultConsumer<(String, Result<Entry, EntryError>)> for Merger<'_> {
    type Error = Failure;

    fn take(&mut self, (place, result): (String, Result<Entry, EntryError>)) -> Result<(), Failure> {
        self.done += 1;
        match result {
            Ok(entry) => {
                self.not_minimal += usize::from(!entry.minimal);
                if entry.minimal || !self.only_minimal {
                    self.merge.add(entry);
                }
            }
            Err(reason) => {
                match reason {
                    EntryError::Unsolvable | EntryError::Solved => self.unsolvable += 1,
                    _ => self.limited += 1,
                }
                if !self.context.interrupt.is_raised() {
                    self.bar.around_stderr(|| self.context.note(&format!("{place} is left out: {reason}")));
                }
            }
        }
        self.bar.show(self.done, self.count);
        Ok(())
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        self.done += 1;
        self.failed += 1;
        self.bar.around_stderr(|| self.context.report(&panic.report()));
        Ok(())
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.bar.show(self.done, self.count);
        Ok(())
    }
}
