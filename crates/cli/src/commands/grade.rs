//! `clearway grade`: how hard boards are, for people and for machines.

mod text;

use crate::args::InputArgs;
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::input::{Boards, Entry, Fallback};
use crate::json;
use crate::output::{Context, Sink};
use crate::panics::Panic;
use crate::pipeline::{self, Consumer};
use crate::progress::Progress;
use crate::quantity;
use crate::searcher::{Plan, Searcher};
use clap::Args;
use clearway_forge::grade::{Grader, Level, Status};
use clearway_lab::records::GradeRecord;
use clearway_search::Limit;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Grade boards: how hard they are, for people and for machines
///
/// Prints a table, in the order of the input; for a single board a card with everything that is known about it, and why
/// it is hard. Without any argument it grades the forty classic cards.
///
/// The level (beginner, intermediate, advanced, expert, fiendish) goes by the time that people are predicted to need.
/// A machine's difficulty is another matter: it is given as the nodes that two plain searches expand.
///
/// The exit code is that of solve: for a single board 0 if it has a solution, 4 if it is proven to have none; 5 if a
/// limit was reached on any board, so that a part of its grade is missing; 3 if any input was refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway grade BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
  clearway grade --suite cards                     a table of the forty cards
  clearway grade boards.txt --json > grades.jsonl  one object per board and line
  clearway grade boards.txt --csv grades.csv       a table for a spreadsheet, too
  clearway grade boards.txt --no-machine           only what is hard for people: much faster")]
pub struct GradeArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Count the nodes of a machine's search up to so many, and say 'at least' beyond
    #[arg(long, value_name = "N", default_value_t = Grader::MACHINE_NODES, conflicts_with = "no_machine")]
    machine_nodes: u64,

    /// Leave out the work of a machine, which takes the most time
    #[arg(long)]
    no_machine: bool,

    /// Write all grades to a file of comma-separated values as well
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Grades them.
pub fn run(args: &GradeArgs, context: &Context) -> Outcome {
    let boards = Boards::open(&args.input, Fallback::Cards)?;
    let csv = args.csv.as_deref().map(|path| Sink::open(Some(path), context)).transpose()?;
    let threads = context.threads();
    let threads = threads.min(boards.known_count().unwrap_or(threads)).max(1);
    let progress = Progress::new(&boards, context);
    let complete = Grader::new().with_machine_nodes(args.machine_nodes);
    let job = Job {
        grader: if args.no_machine { complete.without_machine() } else { complete },
        json: context.global.json,
        csv: csv.is_some(),
        colour: context.stdout_colour(),
    };
    let plan = Plan::new(threads, context);
    let make_worker = move || {
        let mut searcher = plan.searcher();
        move |item: Result<Entry, miette::Report>| item.map(|entry| job.grade(&entry, &mut searcher))
    };
    let mut printer = Printer::new(context, progress, csv)?;
    let printed = pipeline::run(boards, threads, make_worker, &context.interrupt, &mut printer);
    // The file is kept even if nobody reads stdout any more.
    let kept = printer.csv.take().map_or(Ok(()), Sink::finish);
    printed.and_then(|()| printer.finish()).and(kept)?;
    let tally = printer.tally;
    drop(printer.progress);
    if !context.global.json && tally.boards + tally.refused + tally.failed > 1 {
        context.note(&tally.summary(printer.started));
    }
    Ok(if context.interrupt.is_raised() { ExitCode::Interrupted } else { tally.exit_code() })
}

/// What to do with every board.
#[derive(Clone, Copy)]
struct Job {
    grader: Grader,
    json: bool,
    csv: bool,
    colour: bool,
}

/// A board with its grade, ready to be printed.
struct Printed {
    status: Status,
    level: Option<Level>,
    limit: Option<Limit>,
    /// The JSON record or the row of the table.
    text: String,
    /// The card to print instead if this is the only board.
    card: Option<String>,
    /// The line of the file of comma-separated values.
    csv: Option<String>,
}

impl Job {
    fn grade(&self, entry: &Entry, searcher: &mut Searcher) -> Printed {
        let board = &entry.puzzle.board;
        let graded = searcher.grade(board, &self.grader);
        let grade = &graded.grade;
        let record = || GradeRecord::new(entry.puzzle.name.as_deref(), board, &graded);
        let may_be_only = entry.number == 1 && !self.json;
        Printed {
            status: grade.status,
            level: grade.level,
            limit: grade.unfinished.first().map(|unfinished| unfinished.limit),
            text: if self.json { json::line(&record()) } else { text::row(&entry.title(), grade) },
            card: may_be_only.then(|| text::card(&entry.title(), board, &graded, self.colour)),
            csv: self.csv.then(|| text::csv_row(&record())),
        }
    }
}

/// What was found, over all boards.
#[derive(Clone, Copy, Default)]
struct Tally {
    boards: u64,
    unsolvable: u64,
    limits: u64,
    refused: u64,
    /// Boards that a panic left without a grade.
    failed: u64,
    levels: [u64; Level::ALL.len()],
}

impl Tally {
    fn count(&mut self, printed: &Printed) {
        self.boards += 1;
        self.unsolvable += u64::from(printed.status == Status::Unsolvable);
        self.limits += u64::from(printed.limit.is_some());
        if let Some(level) = printed.level {
            self.levels[level as usize] += 1;
        }
    }

    fn exit_code(self) -> ExitCode {
        if self.failed > 0 {
            ExitCode::Internal
        } else if self.refused > 0 {
            ExitCode::BadInput
        } else if self.limits > 0 {
            ExitCode::Limit
        } else if self.unsolvable == 1 && self.boards == 1 {
            ExitCode::Unsolvable
        } else {
            ExitCode::Done
        }
    }

    fn summary(self, started: Instant) -> String {
        let levels = Level::ALL.iter().zip(self.levels).map(|(level, count)| (count, level.word()));
        let others = [
            (self.unsolvable, "unsolvable"),
            (self.limits, "ended at a limit"),
            (self.refused, "refused"),
            (self.failed, "failed"),
        ];
        let counts = levels.chain(others).filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{} {what}", quantity::count(count))).collect();
        let mut text = quantity::of(self.boards, "board");
        // Writing to a string cannot fail.
        let _ = write!(text, ": {}; in {}", counts.join(", "), quantity::time(started.elapsed()));
        text
    }
}

/// Prints results as they come. The first row of a table waits until it is known whether it is the only one, because
/// then its card is printed instead.
struct Printer<'a> {
    context: &'a Context,
    progress: Progress,
    out: crate::output::Stdout,
    csv: Option<Sink>,
    first: Option<Printed>,
    started: Instant,
    tally: Tally,
}

impl<'a> Printer<'a> {
    fn new(context: &'a Context, progress: Progress, mut csv: Option<Sink>) -> Result<Printer<'a>, Failure> {
        if let Some(csv) = &mut csv {
            csv.put(&text::csv_header())?;
        }
        let (out, started) = (context.stdout(), Instant::now());
        Ok(Printer { context, progress, out, csv, first: None, started, tally: Tally::default() })
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let out = &mut self.out;
        if out.buffer().is_empty() {
            return Ok(());
        }
        Ok(self.progress.around_stdout(|| out.flush())?)
    }

    /// Prints the row that was waiting, as one of many.
    fn release_first(&mut self) -> Result<(), Failure> {
        match self.first.take() {
            Some(first) => self.write(&(text::header() + &first.text)),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        if let Some(first) = self.first.take() {
            self.write(&first.card.unwrap_or_default())?;
        }
        self.flush()
    }
}

impl Consumer<Result<Printed, miette::Report>> for Printer<'_> {
    type Error = Failure;

    fn take(&mut self, result: Result<Printed, miette::Report>) -> Result<(), Failure> {
        match result {
            Err(report) => {
                self.release_first()?;
                self.tally.refused += 1;
                // What came before the error on stdout shall be seen before it.
                self.flush()?;
                self.progress.around(|| self.context.report(&report));
            }
            Ok(printed) => {
                let is_first = self.tally.boards == 0;
                self.tally.count(&printed);
                if let (Some(csv), Some(line)) = (&mut self.csv, &printed.csv) {
                    csv.put(line)?;
                }
                if self.context.global.json {
                    self.write(&printed.text)?;
                } else if is_first {
                    self.first = Some(printed);
                } else {
                    self.release_first()?;
                    self.write(&printed.text)?;
                }
            }
        }
        self.progress.done(self.tally.boards);
        Ok(())
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        self.release_first()?;
        self.tally.failed += 1;
        if self.context.global.json {
            self.write(&panic.record())?;
        }
        self.flush()?;
        self.progress.around(|| self.context.report(&panic.report()));
        Ok(())
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.progress.done(self.tally.boards);
        self.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_that_happened_is_the_exit_code() {
        let done = Tally { boards: 2, ..Tally::default() };
        let limit = Tally { limits: 1, ..done };
        let refused = Tally { refused: 1, ..limit };
        let failed = Tally { failed: 1, ..refused };
        let codes = [done, limit, refused, failed].map(Tally::exit_code);
        assert_eq!(codes, [ExitCode::Done, ExitCode::Limit, ExitCode::BadInput, ExitCode::Internal]);
        assert_eq!(Tally { boards: 1, unsolvable: 1, ..Tally::default() }.exit_code(), ExitCode::Unsolvable);
        assert_eq!(Tally { unsolvable: 1, ..done }.exit_code(), ExitCode::Done);
    }
}
