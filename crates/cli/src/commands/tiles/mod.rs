//! `clearway tiles`: the sliding-tile puzzle.

mod evolve;
mod input;
mod program;
mod random;
mod solve;
mod test;

use crate::failure::{CommandResult, Failure};
use crate::output::Context;
use clap::{Args, Subcommand};
use clearway_tiles::{Board, Puzzle, PuzzleError, Size};
use clearway_util::syntax::ParseError;

/// Solve, verify and generate sliding-tile boards, and evolve programs that solve them
#[derive(Debug, Args)]
pub struct TilesArgs {
    /// Command
    #[command(subcommand)]
    pub command: TilesCommand,
}

/// The commands for sliding-tile boards.
#[derive(Debug, Subcommand)]
pub enum TilesCommand {
    Solve(solve::TilesSolveArgs),
    Test(test::TilesTestArgs),
    Random(random::TilesRandomArgs),
    Evolve(evolve::TilesEvolveArgs),
}

/// Runs the command.
pub fn run(args: &TilesArgs, context: &Context) -> CommandResult {
    match &args.command {
        TilesCommand::Solve(args) => solve::run(args, context),
        TilesCommand::Test(args) => test::run(args, context),
        TilesCommand::Random(args) => random::run(args, context),
        TilesCommand::Evolve(args) => evolve::run(args, context),
    }
}

/// The goal of a board.
#[derive(Clone, Debug, Args)]
struct GoalArgs {
    /// Goal board [default: the tiles in order with the blank last]
    #[arg(long, value_name = "BOARD")]
    goal: Option<String>,
}

impl GoalArgs {
    /// Parses the goal, if one is given.
    fn read(&self) -> Result<Option<Board>, Failure> {
        self.goal.as_deref().map(|text| board(text, "the goal")).transpose()
    }
}

/// Parses a board. `source_name` is its name in error messages.
fn board(text: &str, source_name: &str) -> Result<Board, Failure> {
    Board::parse(text).map_err(|fault| Failure::bad_input(ParseError::new(text, fault, source_name)))
}

/// Returns the puzzle of a board and its goal. It may be unsolvable.
fn puzzle(board: Board, goal: Option<&Board>) -> Result<Puzzle, PuzzleError> {
    Puzzle::unchecked(board, goal.copied().unwrap_or_else(|| Board::ordered(board.size())))
}

/// Parses a size, columns first.
fn parse_size(text: &str) -> Result<Size, String> {
    let sides =
        text.split_once(['x', 'X']).and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides
        .and_then(|(width, height)| Size::new(height, width))
        .ok_or_else(|| format!("invalid size '{text}'; expected width and height from 2 to 5, such as 3x3 or 4x3"))
}

/// Draws a board.
fn picture(board: &Board) -> String {
    let columns = board.size().columns();
    let wide = if board.size().cells() > 10 { 4 } else { 3 };
    let rule = |left: &str, cross: &str, right: &str| {
        format!("{left}{}{right}\n", vec!["─".repeat(wide); columns].join(cross))
    };
    let row = |tiles: &[u8]| {
        let cell = |&tile: &u8| if tile == 0 { " ".repeat(wide) } else { format!("{tile:>0$} ", wide - 1) };
        format!("│{}│\n", tiles.iter().map(cell).collect::<Vec<_>>().join("│"))
    };
    let rows: Vec<String> = board.cells().chunks(columns).map(row).collect();
    rule("┌", "┬", "┐") + &rows.join(&rule("├", "┼", "┤")) + &rule("└", "┴", "┘")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_as_grids() {
        let board = Board::parse("1 2 3 / 4 _ 5").unwrap();
        assert_eq!(picture(&board), "┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │   │ 5 │\n└───┴───┴───┘\n");
        let large = picture(&Board::parse("123456789abcdef0").unwrap());
        assert!(large.lines().all(|line| line.chars().count() == 21) && large.contains("│ 13 │ 14 │ 15 │    │"));
    }
}
