//! `clearway tiles solve`: finds shortest solutions of sliding-tile boards, in input order.

use super::input::TileBoards;
use super::{GoalArgs, picture, program, puzzle};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::json;
use crate::output::Context;
use crate::panics::Panic;
use crate::pipeline::{self, ResultConsumer};
use crate::quantity;
use crate::result_writer::ResultWriter;
use crate::tally::Tally;
use clap::Args;
use clearway_search::{Limits, Verdict};
use clearway_tiles::optimal::{OptimalAnswer, Solver};
use clearway_tiles::{Board, Move, Puzzle, PuzzleError, moves};
use serde::Serialize;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Find a shortest solution of every sliding-tile board
///
/// Prints a table in input order; for a single board, also its picture and its solution, as the moves of the blank: u (up),
/// d (down), l (left) and r (right).
///
/// With --program, the boards are not solved by a search but by a program, such as clearway tiles evolve produces; its
/// solutions are not proven optimal.
///
/// Exit code for a single board: 0 if it is solved, 4 if it is unsolvable, 5 if a limit was reached or the program does not
/// solve it. For several boards: 0 if all were decided, 5 if any was not. The exit code is 3 if any input was invalid.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway tiles solve 867254301
  clearway tiles solve '2 8 3 / 1 6 4 / 7 _ 5' --goal '1 2 3 / 8 _ 4 / 7 6 5'
  clearway tiles solve tiles.txt --json              one board per line in, one object per line out
  clearway tiles random --size 4x4 --count 5 | clearway tiles solve -
  clearway tiles solve --program champion.program 123456708")]
pub struct TilesSolveArgs {
    /// Boards, files with one board per line, or - for stdin
    ///
    /// A board lists its tiles row by row, with 0 or _ for the blank: 867254301, with letters from 10 on, or numbers
    /// separated by spaces and rows by slashes.
    #[arg(value_name = "BOARD|FILE|-", required = true)]
    boards: Vec<OsString>,

    #[command(flatten)]
    goal: GoalArgs,

    /// Solve with a program: a file, or the name of a built-in program
    #[arg(long, value_name = "FILE")]
    program: Option<String>,

    /// Maximum number of moves of a program per board [default: 10000]
    #[arg(long, value_name = "N", requires = "program", value_parser = clap::value_parser!(u32).range(1..))]
    move_limit: Option<u32>,

    /// Report invalid boards, and continue with the next
    #[arg(short, long)]
    keep_going: bool,
}

/// The result of a board, as `clearway tiles solve --json` prints it.
#[derive(Serialize)]
struct TilesSolveRecord<'a> {
    /// The tiles, row by row; 0 is the blank, letters stand for 10 and more.
    board: String,
    /// `solved`, `unsolvable` or `limit`.
    status: &'static str,
    /// Whether the solution is proven optimal; false if there is none.
    optimal: bool,
    /// The number of moves of the solution, or null.
    moves: Option<usize>,
    /// The moves of the blank: u, d, l and r; or null.
    solution: Option<String>,
    /// Number of states expanded.
    expanded: u64,
    /// Number of nodes generated, duplicates included: the start and all successors.
    generated: u64,
    /// Wall-clock time of the search, including the time to build tables that did not exist yet.
    seconds: f64,
    /// Method that gave the answer, such as `exact-table`.
    algorithm: &'a str,
    /// Lower bound on the solution length; null if the board is unsolvable.
    lower_bound: Option<u32>,
    /// Only with the status `limit`: `nodes`, `time`, `memory` or `interrupted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
}

/// Default maximum number of moves of a program per board.
const DEFAULT_MOVE_LIMIT: u32 = 10_000;

/// Solves every board.
pub fn run(args: &TilesSolveArgs, context: &Context) -> CommandResult {
    if let Some(name) = &args.program {
        if context.global.node_limit.is_some() || context.global.time_limit.is_some() {
            let message = "--node-limit and --time-limit cannot be used with --program, which does not search";
            return Err(Failure::usage(message, "use --move-limit to limit the moves of a program"));
        }
        let max_moves = args.move_limit.unwrap_or(DEFAULT_MOVE_LIMIT) as usize;
        let program = program::open(name)?;
        return solve_all(args, context, move || {
            let program = program.clone();
            move |puzzle: &Puzzle| program::ProgramAnswer::new(&program, puzzle, max_moves)
        });
    }
    // The tables of the 15-puzzle are shared, and the search itself needs almost no memory: each thread may use the whole
    // limit.
    let limits = Limits {
        nodes: context.global.node_limit,
        time: context.global.time_limit,
        memory: Some(context.global.memory),
        cancel: Some(context.interrupt.flag()),
    };
    solve_all(args, context, move || {
        let (mut solver, limits) = (Solver::new(), limits.clone());
        move |puzzle: &Puzzle| SearchAnswer { board: *puzzle.board(), answer: solver.solve(puzzle, &limits) }
    })
}

/// Solves all boards on several threads, each with its own solver.
fn solve_all<A, S>(
    args: &TilesSolveArgs,
    context: &Context,
    make_solver: impl Fn() -> S + Clone + Send + 'static,
) -> CommandResult
where
    A: TilesAnswer + Send + 'static,
    S: FnMut(&Puzzle) -> A,
{
    let goal = args.goal.read()?;
    let boards = TileBoards::open(args.boards.clone(), args.keep_going);
    let make_worker = move || {
        let mut solver = make_solver();
        move |item: Result<Board, miette::Report>| {
            let board = item?;
            let puzzle = puzzle(board, goal.as_ref()).map_err(|error| {
                message_with_help(format!("{board}: {error}"), "pass a goal of the same size as the board")
            })?;
            Ok(solver(&puzzle))
        }
    };
    let writer = ResultWriter::new(context, None, header::<A>());
    let mut printer = TilesPrinter { context, writer, tally: Tally::default() };
    let started = Instant::now();
    pipeline::run(boards, context.threads(), make_worker, &context.interrupt, &mut printer)?;
    printer.writer.finish()?;
    let mut tally = printer.tally;
    tally.time = started.elapsed();
    if !context.global.json && tally.is_several() {
        context.note(&tally.summary(A::UNIT));
    }
    Ok(if context.interrupt.is_raised() { ExitCode::Interrupted } else { tally.exit_code() })
}

/// The result of a board, from a search or a program.
pub trait TilesAnswer {
    /// The noun for the unit of work.
    const UNIT: &'static str;

    /// Returns the board.
    fn board(&self) -> &Board;

    /// Returns the solution, if there is one.
    fn solution(&self) -> Option<&[Move]>;

    /// Returns the amount of work and the time.
    fn work(&self) -> (u64, Duration);

    /// Returns the reason for a missing solution, or an empty string.
    fn remark(&self) -> String;

    /// Returns details for `--verbose`, if there are any.
    fn details(&self) -> Option<String> {
        None
    }

    /// Adds the result to the tally.
    fn count(&self, tally: &mut Tally);

    /// Returns the JSON line.
    fn record(&self) -> String;
}

/// A board and its result from a search.
struct SearchAnswer {
    board: Board,
    answer: OptimalAnswer,
}

impl TilesAnswer for SearchAnswer {
    const UNIT: &'static str = "state";

    fn board(&self) -> &Board {
        &self.board
    }

    fn solution(&self) -> Option<&[Move]> {
        self.answer.solution.as_deref()
    }

    fn work(&self) -> (u64, Duration) {
        (self.answer.statistics.expanded, self.answer.time)
    }

    fn remark(&self) -> String {
        match self.answer.verdict {
            Verdict::Solved => String::new(),
            Verdict::Unsolvable => PuzzleError::Unsolvable.to_string(),
            Verdict::Limit(limit) => {
                let bound = quantity::plural(self.answer.lower_bound.into(), "move");
                format!("{limit}; at least {bound} needed")
            }
        }
    }

    fn details(&self) -> Option<String> {
        let OptimalAnswer { algorithm, statistics, lower_bound, .. } = &self.answer;
        let memory = quantity::count(statistics.peak_memory);
        Some(format!("by {algorithm}, {memory} bytes, lower bound {lower_bound}"))
    }

    fn count(&self, tally: &mut Tally) {
        tally.count(self.answer.verdict, self.answer.statistics.expanded);
    }

    fn record(&self) -> String {
        let answer = &self.answer;
        json::line(&TilesSolveRecord {
            board: self.board.to_string(),
            status: answer.verdict.as_str(),
            optimal: answer.verdict == Verdict::Solved,
            moves: answer.solution.as_ref().map(Vec::len),
            solution: answer.solution.as_deref().map(moves::text),
            expanded: answer.statistics.expanded,
            generated: answer.statistics.generated,
            seconds: answer.time.as_secs_f64(),
            algorithm: answer.algorithm,
            lower_bound: (answer.verdict != Verdict::Unsolvable).then_some(answer.lower_bound),
            limit: match answer.verdict {
                Verdict::Limit(limit) => Some(limit.as_str()),
                Verdict::Solved | Verdict::Unsolvable => None,
            },
        })
    }
}

/// Formats the row of a board, with details if `verbose` is set.
fn row<A: TilesAnswer>(answered: &A, verbose: bool) -> String {
    let length = answered.solution().map_or_else(|| "-".to_owned(), |moves| moves.len().to_string());
    let (work, time) = answered.work();
    let (work, time) = (quantity::count(work), quantity::time(time));
    let mut row = format!("{:<25}  {length:>5}  {work:>12}  {time:>8}", answered.board().to_string());
    let remark = answered.remark();
    if !remark.is_empty() {
        row += "  ";
        row += &remark;
    }
    row.push('\n');
    if verbose {
        let solution = answered.solution().map(moves::text);
        for line in answered.details().into_iter().chain(solution) {
            // Writing to a string cannot fail.
            let _ = writeln!(row, "  {line}");
        }
    }
    row
}

fn header<A: TilesAnswer>() -> String {
    format!("{:<25}  {:>5}  {:>12}  {:>8}\n", "board", "moves", format!("{}s", A::UNIT), "time")
}

/// Formats a single board: its picture, the table, and its solution.
fn alone<A: TilesAnswer>(answered: &A, verbose: bool) -> String {
    let solution = match answered.solution().filter(|_| !verbose) {
        None => String::new(),
        Some([]) => "\nalready solved\n".to_owned(),
        Some(solution) => format!("\n{}\n", moves::text(solution)),
    };
    picture(answered.board()) + "\n" + &header::<A>() + &row(answered, verbose) + &solution
}

/// Prints results as they arrive: a table, and for a single board also its picture and its solution.
struct TilesPrinter<'a> {
    context: &'a Context,
    writer: ResultWriter<'a>,
    tally: Tally,
}

impl<A: TilesAnswer> ResultConsumer<Result<A, miette::Report>> for TilesPrinter<'_> {
    type Error = Failure;

    fn take(&mut self, result: Result<A, miette::Report>) -> Result<(), Failure> {
        match result {
            Err(report) => {
                self.tally.invalid += 1;
                self.writer.report(&report)
            }
            Ok(answered) => {
                answered.count(&mut self.tally);
                if self.context.global.json {
                    return self.writer.write(answered.record(), None);
                }
                let verbose = self.context.global.verbose;
                let is_first = self.tally.boards() == 1;
                self.writer.write(row(&answered, verbose), is_first.then(|| alone(&answered, verbose)))
            }
        }
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        self.tally.failed += 1;
        self.writer.report_panic(&panic)
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.writer.idle(self.tally.boards())
    }
}
