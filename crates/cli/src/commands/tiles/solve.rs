//! `clearway tiles solve`: boards in, shortest solutions out, in order.

use super::input::Boards;
use super::{GoalArgs, picture, program, puzzle};
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::json;
use crate::output::Context;
use crate::panics::Panic;
use crate::pipeline::{self, Consumer};
use crate::quantity;
use crate::tally::Tally;
use clap::Args;
use clearway_lab::records::limit_word;
use clearway_search::{Limits, Verdict};
use clearway_tiles::optimal::{Answer, Solver};
use clearway_tiles::{Board, Move, Puzzle, PuzzleError, moves};
use serde::Serialize;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::time::{Duration, Instant};

/// Find a shortest solution of every board of tiles
///
/// Prints a table, in the order of the input; for a single board also its picture and its solution, as the moves of the
/// blank: u (up), d (down), l (left) and r (right).
///
/// With --program it is not a search that solves the boards, but a program, such as clearway tiles evolve breeds; its
/// solutions are not proven shortest.
///
/// The exit code for a single board is 0 if it is solved, 4 if it cannot be, 5 if a limit was reached or the program does
/// not solve it; for several it is 0 if every board got its answer and 5 if any did not; and 3 if any input was refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway tiles solve 867254301
  clearway tiles solve '2 8 3 / 1 6 4 / 7 _ 5' --goal '1 2 3 / 8 _ 4 / 7 6 5'
  clearway tiles solve tiles.txt --json              one board a line in, one object a line out
  clearway tiles random --size 4x4 --count 5 | clearway tiles solve -
  clearway tiles solve --program champion.program 123456708")]
pub struct SolveArgs {
    /// Boards, files with a board on each line, or - for stdin
    ///
    /// A board is its tiles row by row, the blank as 0 or _: 867254301, with letters from 10 on, or numbers between spaces
    /// and rows between slashes.
    #[arg(value_name = "BOARD|FILE|-", required = true)]
    boards: Vec<OsString>,

    #[command(flatten)]
    goal: GoalArgs,

    /// Solve with a program: a file, or the name of one that comes with clearway
    #[arg(long, value_name = "FILE")]
    program: Option<String>,

    /// Stop a program that has made so many moves on a board [default: 10000]
    #[arg(long, value_name = "N", requires = "program", value_parser = clap::value_parser!(u32).range(1..))]
    move_limit: Option<u32>,

    /// Report a board that is refused, and go on with the next
    #[arg(short, long)]
    keep_going: bool,
}

/// The answer to one board, as `clearway tiles solve --json` prints it.
#[derive(Serialize)]
struct SolveRecord<'a> {
    /// The tiles, row by row; 0 is the blank, letters stand for 10 and more.
    board: String,
    /// `solved`, `unsolvable` or `limit`.
    status: &'static str,
    /// Whether the solution is proven shortest; false if there is none.
    optimal: bool,
    /// The number of moves of the solution, or null.
    moves: Option<usize>,
    /// The moves of the blank: u, d, l and r; or null.
    solution: Option<String>,
    /// States whose successors were made.
    expanded: u64,
    /// Nodes generated, new or not: the start and all successors.
    generated: u64,
    /// Wall-clock time of the search, with that for tables that were not there yet.
    seconds: f64,
    /// How it was found.
    algorithm: &'a str,
    /// No solution is shorter than this; null if there is none at all.
    lower_bound: Option<u32>,
    /// Only with the status `limit`: `nodes`, `time`, `memory` or `interrupted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
}

/// How many moves a program may make on a board.
const MOVE_LIMIT: u32 = 10_000;

/// Solves every board.
pub fn run(args: &SolveArgs, context: &Context) -> Outcome {
    if let Some(name) = &args.program {
        if context.global.node_limit.is_some() || context.global.time_limit.is_some() {
            let message = "--node-limit and --time-limit are for searches, and --program does not search";
            return Err(Failure::usage(message, "use --move-limit to stop a program that makes too many moves"));
        }
        let most = args.move_limit.unwrap_or(MOVE_LIMIT) as usize;
        let program = program::open(name)?;
        return answer_all(args, context, move || {
            let program = program.clone();
            move |puzzle: &Puzzle| program::Answer::new(&program, puzzle, most)
        });
    }
    // The tables of the 15-puzzle are shared, and the search needs next to nothing beside them: each thread may have all
    // the memory.
    let limits = Limits {
        nodes: context.global.node_limit,
        time: context.global.time_limit,
        memory: Some(context.global.memory),
        cancel: Some(context.interrupt.flag()),
    };
    answer_all(args, context, move || {
        let (mut solver, limits) = (Solver::new(), limits.clone());
        move |puzzle: &Puzzle| Solved { board: *puzzle.board(), answer: solver.solve(puzzle, &limits) }
    })
}

/// Answers all boards on several threads, each with a solver of its own.
fn answer_all<A, S>(
    args: &SolveArgs,
    context: &Context,
    make_solver: impl Fn() -> S + Clone + Send + 'static,
) -> Outcome
where
    A: Answered + Send + 'static,
    S: FnMut(&Puzzle) -> A,
{
    let goal = args.goal.read()?;
    let boards = Boards::open(args.boards.clone(), args.keep_going);
    let make_worker = move || {
        let mut solver = make_solver();
        move |item: Result<Board, miette::Report>| {
            let board = item?;
            let puzzle = puzzle(board, goal.as_ref()).map_err(|error| {
                message_with_help(format!("{board}: {error}"), "give a goal of the same size as the board")
            })?;
            Ok(solver(&puzzle))
        }
    };
    let mut printer = Printer { context, out: context.stdout(), first: None, tally: Tally::default() };
    let started = Instant::now();
    pipeline::run(boards, context.threads(), make_worker, &context.interrupt, &mut printer)?;
    printer.finish()?;
    let mut tally = printer.tally;
    tally.time = started.elapsed();
    if !context.global.json && tally.boards() + tally.refused + tally.failed > 1 {
        context.note(&tally.summary(A::UNIT));
    }
    Ok(if context.interrupt.is_raised() { ExitCode::Interrupted } else { tally.exit_code() })
}

/// A board and its answer, by whatever solved it.
pub trait Answered {
    /// What its work is counted in.
    const UNIT: &'static str;

    /// The board.
    fn board(&self) -> &Board;

    /// The solution, if there is one.
    fn solution(&self) -> Option<&[Move]>;

    /// How much work it was, and the time.
    fn work(&self) -> (u64, Duration);

    /// What is to be said where there is no solution.
    fn remark(&self) -> String;

    /// More about how it was found, if there is more.
    fn details(&self) -> Option<String> {
        None
    }

    /// Adds it to what was found.
    fn count(&self, tally: &mut Tally);

    /// As JSON.
    fn record(&self) -> String;
}

/// A board and the answer of a search.
struct Solved {
    board: Board,
    answer: Answer,
}

impl Answered for Solved {
    const UNIT: &'static str = "state";

    fn board(&self) -> &Board {
        &self.board
    }

    fn solution(&self) -> Option<&[Move]> {
        self.answer.solution.as_deref()
    }

    fn work(&self) -> (u64, Duration) {
        (self.answer.counters.expanded, self.answer.time)
    }

    fn remark(&self) -> String {
        match self.answer.verdict {
            Verdict::Solved => String::new(),
            Verdict::Unsolvable => PuzzleError::Parity.to_string(),
            Verdict::Limit(limit) => format!("{limit}; at least {} needed", self.answer.lower_bound),
        }
    }

    fn details(&self) -> Option<String> {
        let Answer { algorithm, counters, lower_bound, .. } = &self.answer;
        let memory = quantity::count(counters.peak_memory);
        Some(format!("by {algorithm}, {memory} bytes, lower bound {lower_bound}"))
    }

    fn count(&self, tally: &mut Tally) {
        tally.count(self.answer.verdict, self.answer.counters.expanded);
    }

    fn record(&self) -> String {
        let answer = &self.answer;
        json::line(&SolveRecord {
            board: self.board.to_string(),
            status: answer.verdict.word(),
            optimal: answer.verdict == Verdict::Solved,
            moves: answer.solution.as_ref().map(Vec::len),
            solution: answer.solution.as_deref().map(moves::text),
            expanded: answer.counters.expanded,
            generated: answer.counters.generated,
            seconds: answer.time.as_secs_f64(),
            algorithm: answer.algorithm,
            lower_bound: (answer.verdict != Verdict::Unsolvable).then_some(answer.lower_bound),
            limit: match answer.verdict {
                Verdict::Limit(limit) => Some(limit_word(limit)),
                Verdict::Solved | Verdict::Unsolvable => None,
            },
        })
    }
}

/// The row of the table, and what follows it.
fn row<A: Answered>(answered: &A, verbose: bool) -> String {
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

fn header<A: Answered>() -> String {
    format!("{:<25}  {:>5}  {:>12}  {:>8}\n", "board", "moves", format!("{}s", A::UNIT), "time")
}

/// Prints results as they come. The first row of a table waits until it is known whether it is the only one, because
/// then the picture goes above it, and the solution below.
struct Printer<'a, A> {
    context: &'a Context,
    out: crate::output::Stdout,
    first: Option<A>,
    tally: Tally,
}

impl<A: Answered> Printer<'_, A> {
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// Prints the row that was waiting, as one of many.
    fn release_first(&mut self) -> Result<(), Failure> {
        match self.first.take() {
            Some(first) => self.write(&(header::<A>() + &row(&first, self.context.global.verbose))),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        if let Some(first) = self.first.take() {
            let verbose = self.context.global.verbose;
            let solution = match first.solution().filter(|_| !verbose) {
                None => String::new(),
                Some([]) => "\nsolved as it stands\n".to_owned(),
                Some(solution) => format!("\n{}\n", moves::text(solution)),
            };
            self.write(&(picture(first.board()) + "\n" + &header::<A>() + &row(&first, verbose) + &solution))?;
        }
        Ok(self.out.flush()?)
    }
}

impl<A: Answered> Consumer<Result<A, miette::Report>> for Printer<'_, A> {
    type Error = Failure;

    fn take(&mut self, result: Result<A, miette::Report>) -> Result<(), Failure> {
        let is_first = self.tally.boards() == 0;
        match result {
            Err(report) => {
                self.release_first()?;
                self.tally.refused += 1;
                // What came before the error on stdout shall be seen before it.
                self.out.flush()?;
                self.context.report(&report);
            }
            Ok(answered) => {
                answered.count(&mut self.tally);
                if self.context.global.json {
                    self.write(&answered.record())?;
                } else if is_first {
                    self.first = Some(answered);
                } else {
                    self.release_first()?;
                    self.write(&row(&answered, self.context.global.verbose))?;
                }
            }
        }
        Ok(())
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        self.release_first()?;
        self.tally.failed += 1;
        if self.context.global.json {
            self.write(&panic.record())?;
        }
        self.out.flush()?;
        self.context.report(&panic.report());
        Ok(())
    }

    fn idle(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}
