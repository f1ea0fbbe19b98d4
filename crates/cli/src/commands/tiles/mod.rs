//! `clearway tiles`: the sliding-tile puzzle.

mod evolve;
mod input;
mod program;
mod random;
mod solve;
mod test;

use crate::failure::{Failure, Outcome};
use crate::output::Context;
use clap::{Args, Subcommand};
use clearway_rush::formats::ParseError;
use clearway_tiles::{Board, Fault, Puzzle, PuzzleError, Size};

/// Solve, test and make boards of sliding tiles, and breed programs that solve them
#[derive(Debug, Args)]
pub struct TilesArgs {
    /// What to do
    #[command(subcommand)]
    pub command: TilesCommand,
}

/// What is done with tiles.
#[derive(Debug, Subcommand)]
pub enum TilesCommand {
    Solve(solve::SolveArgs),
    Test(test::TestArgs),
    Random(random::RandomArgs),
    Evolve(evolve::EvolveArgs),
}

/// Does it.
pub fn run(args: &TilesArgs, context: &Context) -> Outcome {
    match &args.command {
        TilesCommand::Solve(args) => solve::run(args, context),
        TilesCommand::Test(args) => test::run(args, context),
        TilesCommand::Random(args) => random::run(args, context),
        TilesCommand::Evolve(args) => evolve::run(args, context),
    }
}

/// Where a board is to be brought to.
#[derive(Clone, Debug, Args)]
struct GoalArgs {
    /// The board to reach, instead of the tiles in order with the blank last
    #[arg(long, value_name = "BOARD")]
    goal: Option<String>,
}

impl GoalArgs {
    /// The goal that was asked for.
    fn read(&self) -> Result<Option<Board>, Failure> {
        self.goal.as_deref().map(|text| board(text, "the goal")).transpose()
    }
}

/// A board in a text.
fn board(text: &str, source_name: &str) -> Result<Board, Failure> {
    Board::parse(text).map_err(|fault| Failure::bad_input(located(text, fault, source_name)))
}

/// A fault with its place in the text.
fn located(text: &str, fault: Fault, source_name: &str) -> ParseError {
    ParseError::in_text(text, fault.span, fault.message, fault.help, source_name)
}

/// A board and its goal, whether or not one leads to the other.
fn puzzle(board: Board, goal: Option<&Board>) -> Result<Puzzle, PuzzleError> {
    Puzzle::unchecked(board, goal.copied().unwrap_or_else(|| Board::ordered(board.size())))
}

/// A size as it is typed: columns first.
fn parse_size(text: &str) -> Result<Size, String> {
    let sides =
        text.split_once(['x', 'X']).and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides
        .and_then(|(width, height)| Size::new(height, width))
        .ok_or_else(|| format!("'{text}' is not a size: width and height from 2 to 5 are expected, such as 3x3 or 4x3"))
}

/// A picture of a board.
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
    fn a_board_has_a_picture() {
        let board = Board::parse("1 2 3 / 4 _ 5").unwrap();
        assert_eq!(picture(&board), "┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │   │ 5 │\n└───┴───┴───┘\n");
        let large = picture(&Board::parse("123456789abcdef0").unwrap());
        assert!(large.lines().all(|line| line.chars().count() == 21) && large.contains("│ 13 │ 14 │ 15 │    │"));
    }
}
