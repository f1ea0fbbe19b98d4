//! `clearway grade`: rates how hard boards are, for people and for machines.

mod fit;
mod model;
mod text;

use crate::args::InputArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::input::{Boards, Fallback, InputEntry};
use crate::json;
use crate::output::{Context, Sink};
use crate::panics::Panic;
use crate::pipeline::{self, ResultConsumer};
use crate::progress::BoardProgress;
use crate::quantity;
use crate::result_writer::ResultWriter;
use crate::searcher::{Searcher, SharedLimits};
use crate::tally::Tally;
use clap::Args;
use clearway_answers::records::GradeRecord;
use clearway_forge::grade::{DataRange, Grader, Level, Status};
use clearway_search::Limit;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

/// Grade boards: how hard they are, for people and for machines
///
/// Prints a table in input order; for a single board, a card with all its properties and the reasons for its grade.
/// Without arguments, the forty cards of the standard game are graded.
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
  clearway grade boards.txt --no-machine           only difficulty for people: much faster
  clearway grade --fit clearway-results.json --out model.json
  clearway grade boards.txt --time-model model.json")]
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

    /// Predict times with a model that --fit has written
    #[arg(long, value_name = "FILE", conflicts_with = "fit")]
    time_model: Option<PathBuf>,

    /// Fit the model of the time to results exported from the page, one file or several for each player
    ///
    /// Prints the exponents of the fitted model and of the built-in one, and their errors on boards that they were not fitted to.
    /// Only the times of games without help count, and of each player and board only the first one.
    #[arg(long, value_name = "RESULTS", num_args = 1.., conflicts_with_all = ["boards", "suite", "csv", "machine_nodes", "no_machine"])]
    fit: Vec<PathBuf>,

    /// Write the model fitted with --fit to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Grades all boards.
pub fn run(args: &GradeArgs, context: &Context) -> CommandResult {
    if !args.fit.is_empty() {
        return fit::run(&args.fit, args.out.as_deref(), context);
    }
    if args.out.is_some() {
        return Err(Failure::usage("--out requires --fit", "pass exported results with --fit RESULTS"));
    }
    let time_model = args.time_model.as_deref().map(model::read).transpose()?.unwrap_or_default();
    let boards = Boards::open(&args.input, Fallback::Cards)?;
    let csv = args.csv.as_deref().map(|path| Sink::open(Some(path), context)).transpose()?;
    let threads = context.threads();
    let threads = threads.min(boards.known_count().unwrap_or(threads)).max(1);
    let progress = BoardProgress::new(&boards, context);
    let complete = Grader::new().with_machine_nodes(args.machine_nodes).with_time_model(time_model);
    let job = GradeJob {
        grader: if args.no_machine { complete.without_machine() } else { complete },
        json: context.global.json,
        csv: csv.is_some(),
        range: time_model.range,
        colour: context.stdout_colour(),
    };
    let limits = SharedLimits::new(threads, context);
    let make_worker = move || {
        let mut searcher = limits.searcher();
        move |item: Result<InputEntry, miette::Report>| item.map(|entry| job.grade(&entry, &mut searcher))
    };
    let started = Instant::now();
    let mut printer = GradePrinter::new(context, progress, csv)?;
    let printed = pipeline::run(boards, threads, make_worker, &context.interrupt, &mut printer);
    // The file is written even if stdout was closed.
    let kept = printer.csv.take().map_or(Ok(()), Sink::finish);
    printed.and_then(|()| printer.writer.finish()).and(kept)?;
    let tally = printer.tally;
    drop(printer);
    if !context.global.json && tally.counts.is_several() {
        context.note(&tally.summary(started));
    }
    Ok(if context.interrupt.is_raised() { ExitCode::Interrupted } else { tally.counts.exit_code() })
}

/// The task for each board.
#[derive(Clone, Copy)]
struct GradeJob {
    grader: Grader,
    json: bool,
    csv: bool,
    /// The range that the model of the time was fitted to.
    range: DataRange,
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
    fn grade(&self, entry: &InputEntry, searcher: &mut Searcher) -> GradedBoard {
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
            card: may_be_only.then(|| text::card(&entry.title(), board, &graded, &self.range, self.colour)),
            csv: self.csv.then(|| text::csv_row(&record())),
        }
    }
}

/// The results of all boards.
#[derive(Clone, Copy, Default)]
struct GradeTally {
    counts: Tally,
    levels: [u64; Level::ALL.len()],
}

impl GradeTally {
    fn count(&mut self, board: &GradedBoard) {
        match board.status {
            Status::Solved => self.counts.solved += 1,
            Status::Unsolvable => self.counts.unsolvable += 1,
            Status::Limit => self.counts.limits += 1,
        }
        // A board may be solved, and another part of its grade unknown.
        self.counts.analysis_limits += u64::from(board.status != Status::Limit && board.limit.is_some());
        if let Some(level) = board.level {
            self.levels[level as usize] += 1;
        }
    }

    fn summary(self, started: Instant) -> String {
        let levels = Level::ALL.iter().zip(self.levels).map(|(level, count)| (count, level.as_str()));
        let others = [
            (self.counts.unsolvable, "unsolvable"),
            (self.counts.limits + self.counts.analysis_limits, "stopped by a limit"),
            (self.counts.invalid, "invalid"),
            (self.counts.failed, "failed"),
        ];
        let counts = levels.chain(others).filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, label)| format!("{} {label}", quantity::count(count))).collect();
        let mut text = quantity::plural(self.counts.boards(), "board");
        // Writing to a string cannot fail.
        let _ = write!(text, ": {}; in {}", counts.join(", "), quantity::time(started.elapsed()));
        text
    }
}

/// Prints results as they arrive: a table or, for a single board, a card.
struct GradePrinter<'a> {
    writer: ResultWriter<'a>,
    csv: Option<Sink>,
    tally: GradeTally,
}

impl<'a> GradePrinter<'a> {
    fn new(context: &'a Context, progress: BoardProgress, mut csv: Option<Sink>) -> Result<GradePrinter<'a>, Failure> {
        if let Some(csv) = &mut csv {
            csv.put(&text::csv_header())?;
        }
        let writer = ResultWriter::new(context, Some(progress), text::header());
        Ok(GradePrinter { writer, csv, tally: GradeTally::default() })
    }
}

impl ResultConsumer<Result<GradedBoard, miette::Report>> for GradePrinter<'_> {
    type Error = Failure;

    fn take(&mut self, result: Result<GradedBoard, miette::Report>) -> Result<(), Failure> {
        match result {
            Err(report) => {
                self.tally.counts.invalid += 1;
                self.writer.report(&report)?;
            }
            Ok(board) => {
                self.tally.count(&board);
                if let (Some(csv), Some(line)) = (&mut self.csv, &board.csv) {
                    csv.put(line)?;
                }
                self.writer.write(board.text, board.card)?;
            }
        }
        self.writer.show_progress(self.tally.counts.boards());
        Ok(())
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        self.tally.counts.failed += 1;
        self.writer.report_panic(&panic)
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.writer.idle(self.tally.counts.boards())
    }
}
