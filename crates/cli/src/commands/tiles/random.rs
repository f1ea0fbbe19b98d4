//! `clearway tiles random`: prints random boards.

use super::parse_size;
use crate::exit::ExitCode;
use crate::failure::CommandResult;
use crate::json;
use crate::output::Context;
use clap::Args;
use clearway_gp::rng;
use clearway_tiles::{Board, Size};
use serde::Serialize;
use std::io::Write;

/// Print random solvable sliding-tile boards
///
/// All boards that can be brought into order, with the blank last, are equally likely. The same seed gives the same boards;
/// a larger count appends more of them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway tiles random
  clearway tiles random --size 4x4 --count 100 --seed 1 > tiles.txt
  clearway tiles random --size 4x3 --count 2 --json")]
pub struct TilesRandomArgs {
    /// Board size, from 2x2 to 5x5
    #[arg(long, value_name = "WxH", default_value = "3x3", value_parser = parse_size)]
    size: Size,

    /// Number of boards
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// A board, as `clearway tiles random --json` prints it.
#[derive(Serialize)]
struct TilesBoardRecord {
    /// The tiles, row by row; 0 is the blank, letters stand for 10 and more.
    board: String,
}

/// Prints the boards.
pub fn run(args: &TilesRandomArgs, context: &Context) -> CommandResult {
    let goal = Board::ordered(args.size);
    let mut out = context.stdout();
    for index in 0..args.count {
        if context.interrupt.is_raised() {
            out.flush()?;
            return Ok(ExitCode::Interrupted);
        }
        let board = Board::random(&goal, &mut rng::stream(args.seed, 0, index)).to_string();
        if context.global.json {
            out.write_all(json::line(&TilesBoardRecord { board }).as_bytes())?;
        } else {
            writeln!(out, "{board}")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::Done)
}
