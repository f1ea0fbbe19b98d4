//! `clearway forge backward`: minimal puzzles, from solved boards.

use super::shape::{ShapeArgs, lengths};
use crate::algorithms::refuse_zero_limits;
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::json;
use crate::output::{Context, Sink};
use crate::panics::Panic;
use crate::pipeline::{self, Consumer};
use crate::progress::Bar;
use crate::quantity::{self, parse_time};
use clap::Args;
use clearway_forge::Puzzle;
use clearway_forge::backward::{Attempt, Request, puzzle};
use clearway_forge::canonical::canonical;
use clearway_rush::{Solver, formats};
use clearway_search::Limits;
use serde::Serialize;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Make minimal puzzles backwards, from solved boards
///
/// The states that can be reached from a random solved board are walked, and the hardest of them is taken: nothing
/// unsolvable is ever made. Vehicles that it does not need are dropped, and it is changed a little again and again
/// until it is as long as was aimed at. Prints lines `MOVES BOARD STATES`: minimal puzzles, each the hardest of its
/// states.
///
/// Every attempt aims at a length of its own between --from and --to, and settles for a shorter one in that range.
///
/// The puzzles are the same for any number of threads. If they are not found within --patience attempts or within
/// --budget, what was found is kept, and the exit code is 5.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway forge backward --count 10 --seed 7
  clearway forge backward --count 100 --from 20 --to 40 --out hard.txt
  clearway forge backward --size 5x6 --exit bottom --walls 2 --from 5 --to 12
  clearway forge backward --count 1000 --from 45 --to 51 --budget 10m --json")]
pub struct BackwardArgs {
    #[command(flatten)]
    shape: ShapeArgs,

    /// The fewest moves that a puzzle may need
    #[arg(long, value_name = "MOVES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    from: u32,

    /// The most moves that a puzzle may need
    #[arg(long, value_name = "MOVES", default_value_t = 45, value_parser = clap::value_parser!(u32).range(1..=1000))]
    to: u32,

    /// How many puzzles to make
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// Where the randomness comes from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Stop after so many attempts in a row that gave no new puzzle
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,

    /// Stop after so long: 30s, 10m, 1h
    #[arg(short, long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,

    /// Write the puzzles to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Makes them.
pub fn run(args: &BackwardArgs, context: &Context) -> Outcome {
    refuse_zero_limits(context)?;
    let shape = args.shape.shape(6)?;
    let request = Request::new(lengths(args.from, args.to)?);
    let (threads, memory) = context.threads_and_memory();
    let mut printer = Printer {
        out: Sink::open(args.out.as_deref(), context)?,
        json: context.global.json,
        bar: Bar::new("puzzles", context),
        args,
        known: HashSet::new(),
        attempts: 0,
        in_vain: 0,
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
    let Printer { out, known, attempts, longest, failed, bar, .. } = printer;
    drop(bar);
    if let Err(Stop::Failure(failure)) = made {
        return Err(failure);
    }
    out.finish()?;
    let found = known.len() as u64;
    let (puzzles, tries) = (quantity::of(found, "puzzle"), quantity::of(attempts, "attempt"));
    context.note(&format!("{puzzles} from {tries} in {}", quantity::time(started.elapsed())));
    if context.interrupt.is_raised() {
        return Ok(ExitCode::Interrupted);
    }
    if failed > 0 {
        return Ok(ExitCode::Internal);
    }
    if found < args.count {
        let wanted = quantity::of(args.count, "puzzle");
        let why = if until.is_some_and(|until| Instant::now() >= until) {
            "the budget ended".to_owned()
        } else {
            format!("{} in a row gave nothing new", quantity::of(args.patience, "attempt"))
        };
        context.note(&format!(
            "{why} before {wanted} were found; the longest had {}",
            quantity::of(longest.into(), "move")
        ));
        return Ok(ExitCode::Limit);
    }
    Ok(ExitCode::Done)
}

/// A puzzle, as `--json` prints it.
#[derive(Serialize)]
struct PuzzleRecord {
    /// The length of its shortest solutions.
    moves: u32,
    /// The board in line format.
    board: String,
    /// The states that can be reached.
    states: u64,
}

/// Prints puzzles in order, each once.
struct Printer<'a> {
    out: Sink,
    json: bool,
    bar: Bar,
    args: &'a BackwardArgs,
    /// The ids of the puzzles printed: mirror images and other states of a component have the same.
    known: HashSet<String>,
    attempts: u64,
    in_vain: u64,
    /// The most moves of any minimal puzzle met, but for those above --to.
    longest: u32,
    /// Attempts that ended in a panic.
    failed: u64,
    context: &'a Context,
}

/// Why no more attempts are taken.
enum Stop {
    Enough,
    Failure(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl Printer<'_> {
    fn go_on(&self) -> Result<(), Stop> {
        let enough = self.known.len() as u64 >= self.args.count || self.in_vain >= self.args.patience;
        if enough { Err(Stop::Enough) } else { Ok(()) }
    }

    fn print(&mut self, Puzzle { board, moves, states }: &Puzzle, id: String) -> Result<(), Failure> {
        let (moves, states, board) = (*moves, *states, formats::line(board));
        if !self.known.insert(id) {
            return Ok(());
        }
        self.in_vain = 0;
        let text = if self.json {
            json::line(&PuzzleRecord { moves, board, states })
        } else {
            format!("{moves} {board} {states}\n")
        };
        self.bar.around_stdout(|| self.out.put(&text))
    }
}

/// An attempt, with the id of its puzzle.
impl Consumer<(Attempt, Option<String>)> for Printer<'_> {
    type Error = Stop;

    fn take(&mut self, (attempt, id): (Attempt, Option<String>)) -> Result<(), Stop> {
        self.attempts += 1;
        self.in_vain += 1;
        self.longest = self.longest.max(attempt.longest);
        if let Some((puzzle, id)) = attempt.puzzle.as_ref().zip(id) {
            self.print(puzzle, id)?;
        }
        self.go_on()
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Stop> {
        self.attempts += 1;
        self.in_vain += 1;
        self.failed += 1;
        if self.json {
            self.bar.around_stdout(|| self.out.put(&panic.record()))?;
        }
        self.bar.around_stderr(|| self.context.report(&panic.report()));
        self.go_on()
    }

    fn idle(&mut self) -> Result<(), Stop> {
        self.bar.show(self.known.len(), self.args.count as usize);
        if let Sink::Stdout(stdout) = &mut self.out {
            stdout.flush().map_err(Failure::from)?;
        }
        Ok(())
    }
}
