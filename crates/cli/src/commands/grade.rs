//! `clearway grade`: rates how hard boards are, for people and for machines.

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
use crate::result_writer::ResultWriter;
use crate::searcher::{Searcher, SharedLimits};
use clap::Args;
use clearway_answers::records::GradeRecord;
use clearway_forge::grade::{Grader, Level, Status};
use clearway_search::Limit;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// Grade boards: how hard they are, for people and for machines
///
/// Prints a table in input order; for a single board, a card with all its properties and the reasons for its grade.
/// Without arguments, the forty classic cards are graded.
///
/// The level (beginner, intermediate, advanced, expert, fiendish) follows from the predicted solving time of people.
/// Difficulty for machines is a separate measure: the number of nodes that two uninformed searches expand.
///
/// Exit codes are those of solve: for a single board, 0 if it is solvable and 4 if it is proven unsolvable; 5 if a limit
/// was reached on any board, so that part of its grade is missing; 3 if any input was invalid.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway grade BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
  clearway grade --suite cards                     a table of the forty cards
  clearway grade boards.txt --json > grades.jsonl  one object per board and line
  clearway grade boards.txt --csv grades.csv       also write a table for a spreadsheet
  clearway grade boards.txt --no-machine           only difficulty for people: much faster")]
pub struct GradeArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Maximum number of nodes to count for difficulty for machines; beyond it, the count is a lower bound
    #[arg(long, value_name = "N", default_value_t = Grader::MACHINE_NODES, conflicts_with = "no_machine")]
    machine_nodes: u64,

    /// Skip difficulty for machines, which takes most of the time
    #[arg(long)]
    no_machine: bool,

    /// Also write all grades to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Grades all boards.
pub fn run(args: &GradeArgs, context: &Context) -> Outcome {
    let boards = Boards::open(&args.input, Fallback::Cards)?;
    let csv = args.csv.as_deref().map(|path| Sink::open(Some(path), context)).transpose()?;
    let threads = context.threads();
    let threads = threads.min(boards.known_count().unwrap_or(threads)).max(1);
    let progress = Progress::new(&boards, context);
    let complete = Grader::new().with_machine_nodes(args.machine_nodes);
    let job = GradeJob {
        grader: if args.no_machine { complete.without_machine() } else { complete },
        json: context.global.json,
        csv: csv.is_some(),
        colour: context.stdout_colour(),
    };
    let limits = SharedLimits::new(threads, context);
    let make_worker = move || {
        let mut searcher = limits.searcher();
        move |item: Result<Entry, miette::Report>| item.map(|entry| job.grade(&entry, &mut searcher))
    };
    let mut printer = GradePrinter::new(context, progress, csv)?;
    let printed = pipeline::run(boards, threads, make_worker, &context.interrupt, &mut printer);
    // The file is written even if stdout was closed.
    let kept = printer.csv.take().map_or(Ok(()), Sink::finish);
    printed.and_then(|()| printer.finish()).and(kept)?;
    let tally = printer.tally;
    drop(printer.writer.progress);
    if !context.global.json && tally.boards + tally.invalid + tally.failed > 1 {
        context.note(&tally.summary(printer.started));
    }
    Ok(if context.interrupt.is_raised() { ExitCode::Interrupted } else { tally.exit_code() })
}

/// The task for each board.
#[derive(Clone, Copy)]
struct GradeJob {
    grader: Grader,
    json: bool,
    csv: bool,
    colour: bool,
}

/// The formatted grade of a board.
struct GradedBoard {
    status: Status,
    level: Option<Level>,
    limit: Option<Limit>,
    /// The JSON record or the row of the table.
    text: String,
    /// For the first board: the card to print instead if there is no other.
    card: Option<String>,
    /// The line of the CSV file.
    csv: Option<String>,
}

impl GradeJob {
    fn grade(&self, entry: &Entry, searcher: &mut Searcher) -> GradedBoard {
        let board = &entry.puzzle.board;
        let graded = searcher.grade(board, &self.grader);
        let grade = &graded.grade;
        let record = || GradeRecord::new(entry.puzzle.name.as_deref(), board, &graded);
        let may_be_only = entry.number == 1 && !self.json;
        GradedBoard {
            status: grade.status,
            level: grade.level,
            limit: grade.unfinished.first().map(|unfinished| unfinished.limit),
            text: if self.json { json::line(&record()) } else { text::row(&entry.title(), grade) },
            card: may_be_only.then(|| text::card(&entry.title(), board, &graded, self.colour)),
            csv: self.csv.then(|| text::csv_row(&record())),
        }
    }
}

/// The results of all boards.
#[derive(Clone, Copy, Default)]
struct GradeTally {
    boards: u64,
    unsolvable: u64,
    limits: u64,
    invalid: u64,
    /// Boards without a grade because of a panic.
    failed: u64,
    levels: [u64; Level::ALL.len()],
}

impl GradeTally {
    fn count(&mut self, board: &GradedBoard) {
        self.boards += 1;
        self.unsolvable += u64::from(board.status == Status::Unsolvable);
        self.limits += u64::from(board.limit.is_some());
        if let Some(level) = board.level {
            self.levels[level as usize] += 1;
        }
    }

    fn exit_code(self) -> ExitCode {
        if self.failed > 0 {
            ExitCode::Internal
        } else if self.invalid > 0 {
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
        let levels = Level::ALL.iter().zip(self.levels).map(|(level, count)| (count, level.as_str()));
        let others = [
            (self.unsolvable, "unsolvable"),
            (self.limits, "stopped by a limit"),
            (self.invalid, "invalid"),
            (self.failed, "failed"),
        ];
        let counts = levels.chain(others).filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, label)| format!("{} {label}", quantity::count(count))).collect();
        let mut text = quantity::plural(self.boards, "board");
        // Writing to a string cannot fail.
        let _ = write!(text, ": {}; in {}", counts.join(", "), quantity::time(started.elapsed()));
        text
    }
}

/// Prints results as they arrive. The first row is held back until a second one arrives or the input ends, because a single
/// board is printed as a card.
struct GradePrinter<'a> {
    writer: ResultWriter<'a>,
    csv: Option<Sink>,
    first: Option<GradedBoard>,
    started: Instant,
    tally: GradeTally,
}

impl<'a> GradePrinter<'a> {
    fn new(context: &'a Context, progress: Progress, mut csv: Option<Sink>) -> Result<GradePrinter<'a>, Failure> {
        if let Some(csv) = &mut csv {
            csv.put(&text::csv_header())?;
        }
        let (writer, started) = (ResultWriter::new(context, progress), Instant::now());
        Ok(GradePrinter { writer, csv, first: None, started, tally: GradeTally::default() })
    }

    /// Prints the row that was held back, as the first of several.
    fn release_first(&mut self) -> Result<(), Failure> {
        match self.first.take() {
            Some(first) => self.writer.write(&(text::header() + &first.text)),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        if let Some(first) = self.first.take() {
            self.writer.write(&first.card.unwrap_or_default())?;
        }
        self.writer.flush()
    }
}

impl Consumer<Result<GradedBoard, miette::Report>> for GradePrinter<'_> {
    type Error = Failure;

    fn take(&mut self, result: Result<GradedBoard, miette::Report>) -> Result<(), Failure> {
        match result {
            Err(report) => {
                self.release_first()?;
                self.tally.invalid += 1;
                self.writer.report(&report)?;
            }
            Ok(board) => {
                let is_first = self.tally.boards == 0;
                self.tally.count(&board);
                if let (Some(csv), Some(line)) = (&mut self.csv, &board.csv) {
                    csv.put(line)?;
                }
                if self.writer.context.global.json {
                    self.writer.write(&board.text)?;
                } else if is_first {
                    self.first = Some(board);
                } else {
                    self.release_first()?;
                    self.writer.write(&board.text)?;
                }
            }
        }
        self.writer.progress.done(self.tally.boards);
        Ok(())
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        self.release_first()?;
        self.tally.failed += 1;
        self.writer.report_panic(&panic)
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.writer.progress.done(self.tally.boards);
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_severe_result_decides_the_exit_code() {
        let done = GradeTally { boards: 2, ..GradeTally::default() };
        let limit = GradeTally { limits: 1, ..done };
        let invalid = GradeTally { invalid: 1, ..limit };
        let failed = GradeTally { failed: 1, ..invalid };
        let codes = [done, limit, invalid, failed].map(GradeTally::exit_code);
        assert_eq!(codes, [ExitCode::Done, ExitCode::Limit, ExitCode::BadInput, ExitCode::Internal]);
        assert_eq!(GradeTally { boards: 1, unsolvable: 1, ..GradeTally::default() }.exit_code(), ExitCode::Unsolvable);
        assert_eq!(GradeTally { unsolvable: 1, ..done }.exit_code(), ExitCode::Done);
    }
}
