//! Boards for tests.

use clearway_forge::random::{Fleet, board};
use clearway_forge::{Shape, rng};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Exit, Side};

/// Returns every `step`-th of the forty cards.
pub fn cards(step: usize) -> Vec<Board> {
    Suite::find("cards").unwrap().puzzles().into_iter().step_by(step).map(|puzzle| puzzle.board).collect()
}

/// Returns random boards of many shapes, solvable or not: small boards, boards with walls, with exits on all sides, and boards
/// where any vehicle of a line may leave.
pub fn random_boards(count: u64) -> Vec<Board> {
    let one = |number: u64| {
        let side = Side::ALL[number as usize % 4];
        let (width, height) = (4 + (number / 4 % 3) as u8, 4 + (number / 12 % 3) as u8);
        let shape = Shape::new(width, height, side, None, (number % 3) as u8).unwrap();
        let room = width * height;
        let fleet = Fleet { cars: 1 + room / 8 + (number % 3) as u8, trucks: room / 12 };
        let board = board(shape, fleet, &mut rng::stream(7, number)).ok()?;
        if !number.is_multiple_of(5) {
            return Some(board);
        }
        let exit = Exit::Any(side, board.exit_line());
        Board::new(width, height, *board.walls(), board.vehicles().to_vec(), exit).ok()
    };
    let boards: Vec<Board> = (0..count).filter_map(one).collect();
    assert!(boards.len() as u64 > count / 2);
    boards
}
