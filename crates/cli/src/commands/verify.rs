//! `clearway verify`: checks that moves solve a board.

use crate::args::VerifyArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::input::Boards;
use crate::json;
use crate::output::Context;
use crate::quantity;
use clearway_answers::TypedMoves;
use clearway_answers::records::VerifyRecord;
use std::io::Write;

/// Replays the moves.
pub fn run(args: &VerifyArgs, context: &Context) -> CommandResult {
    let puzzle = Boards::open_one(&args.board, &args.reading)?.only()?.puzzle;
    let text = match (&args.moves[..], &puzzle.solution) {
        ([], Some(solution)) => solution.to_string(),
        ([], None) => {
            let help = "pass the moves after the board: clearway verify BOARD 'C-1 A+2'";
            return Err(Failure::usage("missing moves: the input has no solution for the board", help));
        }
        (moves, _) => moves.join(" "),
    };
    let typed = TypedMoves::parse(&text).map_err(Failure::bad_input)?;
    let mut out = context.stdout();
    if context.global.json {
        let record = VerifyRecord::new(puzzle.name.as_deref(), &puzzle.board, &typed.moves);
        out.write_all(json::line(&record).as_bytes())?;
        out.flush()?;
        return Ok(if record.solved { ExitCode::Done } else { ExitCode::BadInput });
    }
    let done = typed.replay(&puzzle.board).map_err(Failure::bad_input)?;
    let length =
        format!("{}, {}", quantity::plural(done.moves.into(), "move"), quantity::plural(done.steps.into(), "step"));
    if !done.solved {
        let message = format!("the moves are legal, but do not solve the board ({length})");
        let help = format!("after the last move, the vehicle that leaves must touch the exit: {}", puzzle.board.exit());
        return Err(Failure::bad_input(message_with_help(message, help)));
    }
    writeln!(out, "the moves solve the board: {length}")?;
    out.flush()?;
    Ok(ExitCode::Done)
}
