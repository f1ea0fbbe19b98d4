//! `clearway forge backward`: generates minimal puzzles from solved boards.

use super::shape::{ShapeArgs, lengths};
use crate::algorithms::reject_zero_limits;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::json;
use crate::output::{Context, Sink};
use crate::panics::Panic;
use crate::pipeline::{self, ResultConsumer};
use crate::progress::Bar;
use crate::quantity::{self, parse_time};
use clap::Args;
use clearway_forge::GeneratedPuzzle;
use clearway_forge::canonical::canonical;
use clearway_forge::generate::{Attempt, Request, puzzle};
use clearway_rush::{Solver, formats};
use clearway_search::Limits;
use serde::Serialize;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Generate minimal puzzles backwards, from solved boards
///
/// Starts from a random solved board and takes the hardest state reachable from it, so no unsolvable board is ever
/// generated. Vehicles that it does not need are removed, and it is changed in small steps until it reaches the target length.
/// Prints lines `MOVES BOARD STATES`: minimal puzzles, each the hardest state of its component.
///
/// Boards larger than 8x8 have too many states to explore. There it starts with random boards, and each board that it solves
/// is a puzzle as it is; its line has no STATES.
///
/// Each attempt has its own target length between --from and --to, and may end with a shorter puzzle in that range.
///
/// The puzzles are the same for any number of threads. If --patience or --budget runs out first, the puzzles found so far
/// are kept, and the exit code is 5.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge backward --count 10 --seed 7
  clearway forge backward --count 20 --from 20 --to 40 --out hard.txt
  clearway forge backward --size 5x6 --exit bottom --walls 2 --from 5 --to 12
  clearway forge backward --count 1000 --from 45 --to 51 --budget 10m --json")]
pub struct BackwardArgs {
    #[command(flatten)]
    shape: ShapeArgs,

    /// Minimum solution length of a puzzle
    #[arg(long, value_name = "MOVES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    from: u32,

    /// Maximum solution length of a puzzle
    #[arg(long, value_name = "MOVES", default_value_t = 45, value_parser = clap::value_parser!(u32).range(1..=1000))]
    to: u32,

    /// Number of puzzles to generate
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Maximum number of consecutive attempts without a new puzzle
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,

    /// Maximum run time: 30s, 10m, 1h
    #[arg(short, long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,

    /// Write the puzzles to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Generates the puzzles.
pub fn run(args: &BackwardArgs, context: &Context) -> CommandResult {
    reject_zero_limits(context)?;
    let shape = args.shape.shape(6)?;
    let request = Request::new(lengths(args.from, args.to)?);
    let (threads, memory) = context.threads_and_memory();
    let mut printer = PuzzlePrinter {
        out: Sink::open(args.out.as_deref(), context)?,
        json: context.global.json,
        bar: Bar::new("puzzles", context),
        args,
        known: HashSet::new(),
        attempts: 0,
        fruitless: 0,
        longest: 0,
        failed: 0,
        context,
    };
    let started = Instant::now();
    let until = args.budget.and_then(|budget| started.checked_add(budget));
    let (seed, time_limit) = (args.seed, context.global.time_limit);
    let limits = Limits {
        nodes: context.global.node_limit,
        time: None,
        memory: Some(memory),
        cancel: Some(context.interrupt.flag()),
    };
    let make_worker = move || {
        let (mut solver, request, limits) = (Solver::new(), request.clone(), limits.clone());
        move |index: u64| {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let time = [left, time_limit].into_iter().flatten().min();
            let limits = Limits { time, ..limits.clone() };
            let attempt = puzzle(shape, &request, seed, index, &mut solver, &limits);
            let made = attempt.puzzle.as_ref();
            let same = made.and_then(|made| canonical(&mut solver, &made.board, &limits).ok().flatten());
            (attempt, same.map(|same| same.id()))
        }
    };
    let indices = (0..).take_while(move |_| until.is_none_or(|until| Instant::now() < until));
    let made = pipeline::run(indices, threads, make_worker, &context.interrupt, &mut printer);
    let PuzzlePrinter { out, known, attempts, longest, failed, bar, .. } = printer;
    drop(bar);
    if let Err(AttemptStop::Failure(failure)) = made {
        return Err(failure);
    }
    out.finish()?;
    let found = known.len() as u64;
    let (puzzles, tries) = (quantity::plural(found, "puzzle"), quantity::plural(attempts, "attempt"));
    context.note(&format!("{puzzles} from {tries} in {}", quantity::time(started.elapsed())));
    if context.interrupt.is_raised() {
        return Ok(ExitCode::Interrupted);
    }
    if failed > 0 {
        return Ok(ExitCode::Internal);
    }
    if found < args.count {
        let wanted = quantity::plural(args.count, "puzzle");
        let why = if until.is_some_and(|until| Instant::now() >= until) {
            "the time budget ran out".to_owned()
        } else {
            format!("{} in a row found nothing new", quantity::plural(args.patience, "attempt"))
        };
        context.note(&format!(
            "{why} before {wanted} were found; the longest has {}",
            quantity::plural(longest.into(), "move")
        ));
        return Ok(ExitCode::Limit);
    }
    Ok(ExitCode::Done)
}

/// A puzzle, as `clearway forge backward --json` prints it.
#[derive(Serialize)]
struct MinimalPuzzleRecord {
    /// The length of its shortest solutions.
    moves: u32,
    /// The board in line format.
    board: String,
    /// The number of reachable states; null on boards with a side of more than eight cells.
    states: Option<u64>,
}

/// Prints puzzles in the order of the attempts, without duplicates.
struct PuzzlePrinter<'a> {
    out: Sink,
    json: bool,
    bar: Bar,
    args: &'a BackwardArgs,
    /// The ids of the printed puzzles: mirror images and other states of a component have the same id.
    known: HashSet<String>,
    attempts: u64,
    /// Consecutive attempts without a new puzzle.
    fruitless: u64,
    /// The length of the longest minimal puzzle found, except for those above `--to`.
    longest: u32,
    /// Number of attempts that panicked.
    failed: u64,
    context: &'a Context,
}

/// The reason for stopping early.
enum AttemptStop {
    /// There are enough puzzles, or the patience is exhausted.
    Enough,
    Failure(Failure),
}

impl From<Failure> for AttemptStop {
    fn from(failure: Failure) -> AttemptStop {
        AttemptStop::Failure(failure)
    }
}

impl PuzzlePrinter<'_> {
    fn check_done(&self) -> Result<(), AttemptStop> {
        let enough = self.known.len() as u64 >= self.args.count || self.fruitless >= self.args.patience;
        if enough { Err(AttemptStop::Enough) } else { Ok(()) }
    }

    fn print(&mut self, GeneratedPuzzle { board, moves, states }: &GeneratedPuzzle, id: String) -> Result<(), Failure> {
        let (moves, states, board) = (*moves, *states, formats::line(board));
        if !self.known.insert(id) {
            return Ok(());
        }
        self.fruitless = 0;
        let text = if self.json {
            json::line(&MinimalPuzzleRecord { moves, board, states })
        } else {
            let states = states.map_or(String::new(), |states| format!(" {states}"));
            format!("{moves} {board}{states}\n")
        };
        self.bar.around_stdout(|| self.out.put(&text))
    }
}

/// Takes attempts, each with the id of its puzzle.
impl ResultConsumer<(Attempt, Option<String>)> for PuzzlePrinter<'_> {
    type Error = AttemptStop;

    fn take(&mut self, (attempt, id): (Attempt, Option<String>)) -> Result<(), AttemptStop> {
        self.attempts += 1;
        self.fruitless += 1;
        self.longest = self.longest.max(attempt.longest);
        if let Some((puzzle, id)) = attempt.puzzle.as_ref().zip(id) {
            self.print(puzzle, id)?;
        }
        self.check_done()
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), AttemptStop> {
        self.attempts += 1;
        self.fruitless += 1;
        self.failed += 1;
        if self.json {
            self.bar.around_stdout(|| self.out.put(&panic.record()))?;
        }
        self.bar.around_stderr(|| self.context.report(&panic.report()));
        self.check_done()
    }

    fn idle(&mut self) -> Result<(), AttemptStop> {
        self.bar.show(self.known.len(), self.args.count as usize);
        if let Sink::Stdout(stdout) = &mut self.out {
            stdout.flush().map_err(Failure::from)?;
        }
        Ok(())
    }
}
