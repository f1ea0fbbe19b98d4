//! Boards, moves and programs of the sliding-tile puzzle.

use crate::shared::text;
use clearway_tiles::{Board, Program, Puzzle, SyntaxError, moves};

/// Board on which programs are run; it takes 22 moves.
const BOARD: &str = "8 1 3 / 4 _ 2 / 7 6 5";
/// Maximum number of moves of a program.
const MAX_MOVES: usize = 200;

/// Checks a board and moves. The first line is the board, the rest are the moves. Both round-trip through text, and the
/// independent replay agrees with the moves made on the board itself.
pub fn boards(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let list = moves::parse(rest);
    match &list {
        Ok(list) => assert_eq!(moves::parse(&moves::text(list)).as_ref(), Ok(list)),
        Err(fault) => check_fault(fault, rest),
    }
    let start = match Board::parse(first) {
        Ok(start) => start,
        Err(fault) => return check_fault(&fault, first),
    };
    assert_eq!(Board::parse(&start.to_string()).as_ref(), Ok(&start), "{start}");
    assert_eq!(Board::new(start.size(), start.cells()), Some(start));
    let list = list.unwrap_or_default();
    let mut board = start;
    let made = list.iter().position(|&mv| !board.make(mv)).map_or(Ok(board), Err);
    assert_eq!(moves::replay(&start, &list), made, "{start}: {}", moves::text(&list));
}

/// Checks that programs round-trip through text, that a run ends within the limit on moves, and that the moves of the run lead to
/// the board that it returns.
pub fn programs(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let program = match Program::parse(text) {
        Ok(program) => program,
        Err(fault) => return check_fault(&fault, text),
    };
    let printed = program.to_string();
    let again = Program::parse(&printed).unwrap_or_else(|fault| panic!("{fault}\n{printed}"));
    assert_eq!(again, program, "{printed}");
    let board = Board::parse(BOARD).expect("the board is valid");
    let puzzle = Puzzle::new(board).expect("the board is solvable");
    let run = program.run(&puzzle, MAX_MOVES);
    assert_eq!(moves::replay(&board, &run.moves), Ok(run.board), "{printed}");
    assert_eq!(moves::replay(&board, &run.direct()), Ok(run.board), "{printed}");
    assert_eq!(run.solved, run.board == *puzzle.goal());
}

fn check_fault(fault: &SyntaxError, text: &str) {
    assert!(text.get(fault.span.clone()).is_some(), "{fault:?} is not in {text:?}");
}
