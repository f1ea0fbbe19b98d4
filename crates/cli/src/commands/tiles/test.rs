//! `clearway tiles test`: do these moves solve this board?

use super::{GoalArgs, board, located, picture, puzzle};
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome, message_with_help};
use crate::json;
use crate::output::Context;
use crate::quantity;
use clap::Args;
use clearway_rush::formats::ParseError;
use clearway_tiles::heuristics::Paper;
use clearway_tiles::moves;
use serde::Serialize;
use std::io::Write;

/// Check that moves solve a board of tiles, by code that no solver shares
///
/// Says whether the board is solved after the last move, and how far it is from that by the measure of Barnes, Hasan and
/// Lee: h = 36 x the misplaced tiles + 18 x the distance of the first of them from its place + its distance from the
/// blank. Exits with 0 if the board is solved, and with 3 if it is not, or if a move is not possible.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway tiles test 123456708 r
  clearway tiles test 123450786 'd'
  clearway tiles test 102345678 l --goal 012345678 --json")]
pub struct TestArgs {
    /// The board
    #[arg(value_name = "BOARD")]
    board: String,

    /// The moves of the blank: u (up), d (down), l (left) and r (right)
    #[arg(value_name = "MOVES")]
    moves: String,

    #[command(flatten)]
    goal: GoalArgs,
}

/// What moves do to a board, as `clearway tiles test --json` prints it.
#[derive(Serialize)]
struct TestRecord {
    /// The board.
    board: String,
    /// Whether every move is possible.
    legal: bool,
    /// Whether the board is solved after the last move.
    solved: bool,
    /// The number of moves, or null if one is not possible.
    moves: Option<usize>,
    /// The board after the last move, or null if one is not possible.
    end: Option<String>,
    /// The measure of that board, 0 if it is solved; or null.
    h: Option<usize>,
    /// Only if a move is not possible: its place in the sequence, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<usize>,
}

/// Replays the moves.
pub fn run(args: &TestArgs, context: &Context) -> Outcome {
    let start = board(&args.board, "the board")?;
    let puzzle = puzzle(start, args.goal.read()?.as_ref()).map_err(|error| {
        Failure::bad_input(message_with_help(error.to_string(), "give a goal of the same size as the board"))
    })?;
    let typed = moves::parse(&args.moves).map_err(|fault| Failure::bad_input(located(&args.moves, fault, "moves")))?;
    let end = moves::replay(&start, &typed);
    let after = end.as_ref().ok();
    let solved = after == Some(puzzle.goal());
    let mut out = context.stdout();
    if context.global.json {
        let record = TestRecord {
            board: start.to_string(),
            legal: after.is_some(),
            solved,
            moves: after.map(|_| typed.len()),
            end: after.map(ToString::to_string),
            h: after.map(|after| Paper::of(&puzzle, after)),
            failed: end.as_ref().err().map(|number| number + 1),
        };
        out.write_all(json::line(&record).as_bytes())?;
    } else {
        let after = end.map_err(|number| Failure::bad_input(impossible(&args.moves, number)))?;
        let verdict = if solved { "solved" } else { "not solved" };
        let (length, h) = (quantity::of(typed.len() as u64, "move"), Paper::of(&puzzle, &after));
        writeln!(out, "{}{verdict} after {length}: h = {h}", picture(&after))?;
    }
    out.flush()?;
    Ok(if solved { ExitCode::Done } else { ExitCode::BadInput })
}

/// The report of a move that the frame is in the way of.
fn impossible(text: &str, number: usize) -> ParseError {
    let span = moves::place(text, number);
    let message =
        format!("move {} ({}) is not possible: the blank would leave the frame", number + 1, &text[span.clone()]);
    ParseError::in_text(text, span, message, None, "moves")
}
