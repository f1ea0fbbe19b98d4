//! `clearway forge random`: generates random boards, each solved or proven unsolvable.

use super::shape::ShapeArgs;
use crate::algorithms::reject_zero_limits;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::{Context, Sink};
use crate::panics::Panic;
use crate::pipeline::{self, ResultConsumer};
use crate::progress::Bar;
use crate::quantity::{self, parse_time};
use crate::searcher::SharedLimits;
use clap::Args;
use clearway_answers::SolveMethod;
use clearway_forge::random::{Fleet, PlacementError, board};
use clearway_forge::rng;
use clearway_rush::{Board, Metric, formats};
use clearway_search::{Limit, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Generate random boards, and solve each or prove it unsolvable
///
/// Vehicles are placed one at a time at random; after five failed placements the previous vehicle is placed again, as in
/// van Dijk's thesis. Each board is then solved or proven unsolvable. Prints the solvable boards as lines `MOVES BOARD`, and
/// a report on stderr: boards per second, the share of solvable boards, and the distribution of solution lengths.
///
/// The boards are the same for any number of threads. The exit code is 5 if fewer boards were generated than requested,
/// because --budget ran out or there was no room for the vehicles, or if a board was left undecided at a limit.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge random --count 1000 --seed 1
  clearway forge random --cars 5 --trucks 3 --count 1000 --out boards.txt
  clearway forge random --size 7x5 --exit top --walls 2 --cars 6 --trucks 2
  clearway forge random --count 1000000 --budget 1m --json")]
pub struct RandomArgs {
    #[command(flatten)]
    shape: ShapeArgs,

    /// Number of vehicles of length 2 per board, including the target
    #[arg(long, value_name = "N", default_value_t = 9)]
    cars: u8,

    /// Number of vehicles of length 3 per board
    #[arg(long, value_name = "N", default_value_t = 4)]
    trucks: u8,

    /// Number of boards to generate
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Maximum run time: 30s, 10m, 1h
    #[arg(short, long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,

    /// Write the boards to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Generates and solves the boards.
pub fn run(args: &RandomArgs, context: &Context) -> CommandResult {
    reject_zero_limits(context)?;
    let shape = args.shape.shape(6)?;
    let fleet = Fleet { cars: args.cars, trucks: args.trucks };
    if let Err(error @ (PlacementError::NoTarget | PlacementError::TooFewCells { .. })) =
        board(shape, fleet, &mut rng::stream(args.seed, 0))
    {
        return Err(Failure::usage(error.to_string(), "change --cars, --trucks, --walls or --size"));
    }
    let threads = context.threads();
    let mut printer = BoardPrinter {
        out: Sink::open(args.out.as_deref(), context)?,
        json: context.global.json,
        bar: Bar::new("boards", context),
        count: args.count,
        report: Report::default(),
        no_room: None,
        context,
    };
    let started = Instant::now();
    let until = args.budget.and_then(|budget| started.checked_add(budget));
    let is_over = move || until.is_some_and(|until| Instant::now() >= until);
    let (limits, seed) = (SharedLimits::for_many(threads, context).with_deadline(until), args.seed);
    let make_worker = move || {
        let mut searcher = limits.searcher();
        move |index: u64| {
            let started = Instant::now();
            let board = board(shape, fleet, &mut rng::stream(seed, index))?;
            let placing = started.elapsed();
            let answer = searcher.solve(&SolveMethod::default(), &board, Metric::Moves, &|_| {}).answer;
            let solving = started.elapsed().saturating_sub(placing);
            let was_stopped = match answer.verdict {
                Verdict::Limit(Limit::Cancelled) => true,
                Verdict::Limit(Limit::Time) => is_over(),
                _ => false,
            };
            let (verdict, moves) = (answer.verdict, answer.lower_bound);
            Ok(DecidedBoard { board, verdict, moves, was_stopped, placing, solving })
        }
    };
    let indices = (0..args.count).take_while(move |_| !is_over());
    let made = pipeline::run(indices, threads, make_worker, &context.interrupt, &mut printer);
    let BoardPrinter { out, mut report, no_room, bar, .. } = printer;
    drop(bar);
    match made {
        Ok(()) | Err(GenerationStop::PlacementError) => {}
        Err(GenerationStop::Failure(failure)) => return Err(failure),
    }
    report.seconds = started.elapsed().as_secs_f64();
    finish(args, context, out, &report, no_room)
}

/// Writes the report, and notes why boards are missing.
fn finish(
    args: &RandomArgs,
    context: &Context,
    mut out: Sink,
    report: &Report,
    no_room: Option<PlacementError>,
) -> CommandResult {
    if context.global.json {
        let text = json::line(&ReportRecord { report });
        if matches!(out, Sink::Stdout(_)) {
            out.put(&text)?;
            out.finish()?;
        } else {
            out.finish()?;
            let mut stdout = Sink::open(None, context)?;
            stdout.put(&text)?;
            stdout.finish()?;
        }
    } else {
        out.finish()?;
        context.note(report.text().trim_end());
    }
    if context.interrupt.is_raised() {
        return Ok(ExitCode::Interrupted);
    }
    if report.failed > 0 {
        return Ok(ExitCode::Internal);
    }
    if let Some(error) = no_room {
        context.note(&format!("stopped at board {}: {error}", quantity::count(report.boards + 1)));
        return Ok(ExitCode::Limit);
    }
    if report.boards < args.count {
        context
            .note(&format!("the time budget ran out before {} were generated", quantity::plural(args.count, "board")));
        return Ok(ExitCode::Limit);
    }
    Ok(if report.undecided > 0 { ExitCode::Limit } else { ExitCode::Done })
}

/// A board and its result, with the time for both.
struct DecidedBoard {
    board: Board,
    verdict: Verdict,
    moves: u32,
    /// Whether the search was stopped by Ctrl-C or by the time budget: then the board is not counted.
    was_stopped: bool,
    placing: Duration,
    solving: Duration,
}

/// A solvable board, as `clearway forge random --json` prints it.
#[derive(Serialize)]
struct BoardRecord {
    /// The length of its shortest solutions.
    moves: u32,
    /// The board in line format.
    board: String,
}

/// The last line of `--json`.
#[derive(Serialize)]
struct ReportRecord<'a> {
    report: &'a Report,
}

/// Statistics of the run.
#[derive(Default, Serialize)]
struct Report {
    /// Boards generated.
    boards: u64,
    /// Boards with a solution.
    solvable: u64,
    /// Boards proven unsolvable.
    unsolvable: u64,
    /// Boards whose search reached a limit.
    undecided: u64,
    /// Only if there are any: boards without a result because of an internal error.
    #[serde(skip_serializing_if = "is_zero")]
    failed: u64,
    /// The number of boards for each length of their shortest solutions.
    moves: BTreeMap<u32, u64>,
    /// Time to place the vehicles, summed over all threads.
    placing_seconds: f64,
    /// Time to solve the boards, summed over all threads.
    solving_seconds: f64,
    /// Wall-clock time.
    seconds: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Report {
    fn text(&self) -> String {
        let boards = self.boards.max(1) as f64;
        let rate = (self.boards as f64 / self.seconds.max(1e-9)) as u64;
        let share = |part: u64| 100.0 * part as f64 / boards;
        let per_board = |seconds: f64| quantity::time(Duration::from_secs_f64(seconds / boards));
        let mut text = format!(
            "{} in {}: {} per second\n{} solvable ({:.1} %), {} proven unsolvable",
            quantity::plural(self.boards, "board"),
            quantity::time(Duration::from_secs_f64(self.seconds)),
            quantity::plural(rate, "board"),
            quantity::count(self.solvable),
            share(self.solvable),
            quantity::count(self.unsolvable),
        );
        // Writing to a string cannot fail.
        if self.undecided > 0 {
            let _ = write!(text, ", {} undecided at a limit", quantity::count(self.undecided));
        }
        if self.failed > 0 {
            let _ = write!(text, ", {} failed", quantity::count(self.failed));
        }
        let (placing, solving) = (per_board(self.placing_seconds), per_board(self.solving_seconds));
        let _ = writeln!(text, "\nplacing the vehicles took {placing} per board, solving {solving}");
        if !self.moves.is_empty() {
            text += "moves   boards\n";
        }
        for (moves, &count) in &self.moves {
            let _ = writeln!(text, "{moves:>5} {:>8} {:>5.1} %", quantity::count(count), share(count));
        }
        text
    }
}

/// Prints the solvable boards in order, and collects the statistics.
struct BoardPrinter<'a> {
    out: Sink,
    json: bool,
    bar: Bar,
    count: u64,
    report: Report,
    no_room: Option<PlacementError>,
    context: &'a Context,
}

/// The reason for stopping early.
enum GenerationStop {
    /// There is no room for the vehicles.
    PlacementError,
    Failure(Failure),
}

impl From<Failure> for GenerationStop {
    fn from(failure: Failure) -> GenerationStop {
        GenerationStop::Failure(failure)
    }
}

impl ResultConsumer<Result<DecidedBoard, PlacementError>> for BoardPrinter<'_> {
    type Error = GenerationStop;

    fn take(&mut self, decided: Result<DecidedBoard, PlacementError>) -> Result<(), GenerationStop> {
        let decided = decided.map_err(|error| {
            self.no_room = Some(error);
            GenerationStop::PlacementError
        })?;
        if decided.was_stopped {
            return Ok(());
        }
        let report = &mut self.report;
        report.boards += 1;
        report.placing_seconds += decided.placing.as_secs_f64();
        report.solving_seconds += decided.solving.as_secs_f64();
        match decided.verdict {
            Verdict::Unsolvable => report.unsolvable += 1,
            Verdict::Limit(_) => report.undecided += 1,
            Verdict::Solved => {
                report.solvable += 1;
                *report.moves.entry(decided.moves).or_default() += 1;
                let (moves, board) = (decided.moves, formats::line(&decided.board));
                let text =
                    if self.json { json::line(&BoardRecord { moves, board }) } else { format!("{moves} {board}\n") };
                self.bar.around_stdout(|| self.out.put(&text))?;
            }
        }
        Ok(())
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), GenerationStop> {
        self.report.boards += 1;
        self.report.failed += 1;
        if self.json {
            self.bar.around_stdout(|| self.out.put(&panic.record()))?;
        }
        self.bar.around_stderr(|| self.context.report(&panic.report()));
        Ok(())
    }

    fn idle(&mut self) -> Result<(), GenerationStop> {
        self.bar.show(self.report.boards as usize, self.count as usize);
        if let Sink::Stdout(stdout) = &mut self.out {
            stdout.flush().map_err(Failure::from)?;
        }
        Ok(())
    }
}
