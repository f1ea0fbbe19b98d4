//! `clearway tiles test`: checks that moves solve a board.

use super::{GoalArgs, board, picture, puzzle};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::json;
use crate::output::Context;
use crate::quantity;
use clap::Args;
use clearway_tiles::heuristics::PaperMeasure;
use clearway_tiles::moves;
use clearway_util::syntax::{ParseError, SyntaxError};
use serde::Serialize;
use std::io::Write;

/// Check that moves solve a sliding-tile board, with code that is independent of the solvers
///
/// Reports whether the board is solved after the last move, and its distance from the goal in the measure of Barnes, Hasan
/// and Lee: h = 36 x the number of misplaced tiles + 18 x the distance of the first of them from its place + its distance
/// from the blank. Exits with 0 if the board is solved, and with 3 if it is not, or if a move is illegal.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway tiles test 123456708 r
  clearway tiles test 123450786 'd'
  clearway tiles test 102345678 l --goal 012345678 --json")]
pub struct TilesTestArgs {
    /// Board
    #[arg(value_name = "BOARD")]
    board: String,

    /// Moves of the blank: u (up), d (down), l (left) and r (right)
    #[arg(value_name = "MOVES")]
    moves: String,

    #[command(flatten)]
    goal: GoalArgs,
}

/// The result of replaying moves, as `clearway tiles test --json` prints it.
#[derive(Serialize)]
struct ReplayRecord {
    /// The board before the moves, on one line.
    board: String,
    /// Whether every move is legal.
    legal: bool,
    /// Whether the board is solved after the last move.
    solved: bool,
    /// The number of moves, or null if one is illegal.
    moves: Option<usize>,
    /// The board after the last move, or null if one is illegal.
    end: Option<String>,
    /// The measure of that board, 0 if it is solved; null if a move is illegal.
    h: Option<usize>,
    /// Only if a move is illegal: its number, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<usize>,
}

/// Replays the moves.
pub fn run(args: &TilesTestArgs, context: &Context) -> CommandResult {
    let start = board(&args.board, "the board")?;
    let puzzle = puzzle(start, args.goal.read()?.as_ref()).map_err(|error| {
        Failure::bad_input(message_with_help(error.to_string(), "pass a goal of the same size as the board"))
    })?;
    let typed =
        moves::parse(&args.moves).map_err(|fault| Failure::bad_input(ParseError::new(&args.moves, fault, "moves")))?;
    let end = moves::replay(&start, &typed);
    let after = end.as_ref().ok();
    let solved = after == Some(puzzle.goal());
    let mut out = context.stdout();
    if context.global.json {
        let record = ReplayRecord {
            board: start.to_string(),
            legal: after.is_some(),
            solved,
            moves: after.map(|_| typed.len()),
            end: after.map(ToString::to_string),
            h: after.map(|after| PaperMeasure::evaluate(&puzzle, after)),
            failed: end.as_ref().err().map(|number| number + 1),
        };
        out.write_all(json::line(&record).as_bytes())?;
    } else {
        let after = end.map_err(|number| Failure::bad_input(illegal_move(&args.moves, number)))?;
        let verdict = if solved { "solved" } else { "not solved" };
        let (length, h) = (quantity::plural(typed.len() as u64, "move"), PaperMeasure::evaluate(&puzzle, &after));
        writeln!(out, "{}{verdict} after {length}: h = {h}", picture(&after))?;
    }
    out.flush()?;
    Ok(if solved { ExitCode::Done } else { ExitCode::BadInput })
}

/// Returns the error of a move that would take the blank off the board.
fn illegal_move(text: &str, number: usize) -> ParseError {
    let span = moves::place(text, number);
    let message =
        format!("move {} ({}) is not possible: the blank would leave the board", number + 1, &text[span.clone()]);
    ParseError::new(text, SyntaxError::new(span, message), "moves")
}
