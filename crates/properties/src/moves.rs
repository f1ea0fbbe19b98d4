//! Lists of moves, and plans of PDDL planners.

use crate::shared::{board, check_error, choice, text};
use clearway_answers::TypedMoves;
use clearway_rush::formats::pddl;
use clearway_rush::{Board, Move, Orientation, Solution, Vehicle, replay};

/// Boards on which the moves are replayed: an ordinary one, one with walls, one without a target.
const BOARDS: [&str; 3] =
    ["BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", "5x4:B.CC.B.x..AA..DEEx.D", "4x5:B..CB..CAADD..E...E.@top:0"];

/// Checks a list of moves. The first byte selects a board, the rest is the list.
///
/// Lists round-trip through text; the parser that keeps the positions of moves agrees with the one that does not; and the
/// independent replay agrees with `Board::apply` on every move, on the reason for a refusal, and on the final state.
pub fn moves(bytes: &[u8]) {
    let Some((number, rest)) = choice(bytes) else { return };
    let Some(text) = text(rest) else { return };
    let start = board(BOARDS[usize::from(number) % BOARDS.len()]);
    let typed = TypedMoves::parse(text);
    let solution = match text.parse::<Solution>() {
        Ok(solution) => solution,
        Err(error) => {
            assert!(error.to_string().len() < 1000, "{error}");
            check_error(&typed.expect_err("both parsers reject the same lists"));
            return;
        }
    };
    let typed = typed.expect("both parsers accept the same lists");
    assert_eq!(typed.moves, solution.0);
    assert_eq!(solution.to_string().parse().as_ref(), Ok(&solution));
    if let Err(error) = typed.replay(&start) {
        check_error(&error);
    }
    check_replay(start, &solution);
}

fn check_replay(start: Board, solution: &Solution) {
    let replayed = replay(&start, &solution.0);
    let mut board = start;
    for (index, &mv) in solution.0.iter().enumerate() {
        let before = board.clone();
        if let Err(reason) = board.apply(mv) {
            let error = replayed.expect_err("a move that cannot be applied cannot be replayed");
            assert_eq!((error.index, error.reason), (index, reason));
            return;
        }
        assert!(before.legal_moves().contains(&mv), "{mv} can be applied, but is not listed");
        let mut back = board.clone();
        back.undo(mv).expect("every move can be undone");
        assert_eq!(back, before);
    }
    let replayed = replayed.expect("moves that can be applied can be replayed");
    assert_eq!(replayed.solved, board.is_solved());
    assert_eq!((replayed.moves, replayed.steps), (solution.moves(), solution.steps()));
}

/// Checks a plan of a PDDL planner. The first byte selects a board, the rest is the plan.
///
/// Every line with an action is one step of a vehicle of the board, written back as actions the plan gives the same moves, and
/// the independent replay agrees with `Board::apply` on them. The line of an error exists.
pub fn plans(bytes: &[u8]) {
    let Some((number, rest)) = choice(bytes) else { return };
    let Some(text) = text(rest) else { return };
    let start = board(BOARDS[usize::from(number) % BOARDS.len()]);
    let is_action = |line: &&str| !line.split(';').next().unwrap_or_default().trim().is_empty();
    match pddl::read_plan(&start, text) {
        Ok(plan) => {
            assert_eq!(plan.steps() as usize, text.lines().filter(is_action).count());
            let written: String = plan.0.iter().map(|&mv| actions(&start, mv)).collect();
            assert_eq!(pddl::read_plan(&start, &written).as_ref(), Ok(&plan));
            check_replay(start, &plan);
        }
        Err(error) => {
            assert!((1..=text.lines().count()).contains(&error.line), "{error}");
            assert!(error.text.chars().count() <= 80, "{error}");
        }
    }
}

/// Writes a move as the actions of a planner, one step per line.
fn actions(board: &Board, mv: Move) -> String {
    let of_label = |vehicle: &Vehicle| vehicle.label == mv.label;
    let index = board.vehicles().iter().position(of_label).expect("plans move vehicles of the board");
    let name = match (board.vehicles()[index].orientation, mv.cells > 0) {
        (Orientation::Horizontal, true) => "right",
        (Orientation::Horizontal, false) => "left",
        (Orientation::Vertical, true) => "down",
        (Orientation::Vertical, false) => "up",
    };
    format!("({name} v{index})\n").repeat(usize::from(mv.cells.unsigned_abs()))
}
