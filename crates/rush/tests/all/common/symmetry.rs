//! The eight symmetries of a board.

use clearway_rush::{Board, Exit, Orientation, Side, Vehicle};

/// The board with rows and columns exchanged.
pub fn transposed(board: &Board) -> Board {
    let transpose = |orientation| match orientation {
        Orientation::Horizontal => Orientation::Vertical,
        Orientation::Vertical => Orientation::Horizontal,
    };
    let vehicles = board.vehicles().iter();
    let vehicles = vehicles.map(|&v| Vehicle { x: v.y, y: v.x, orientation: transpose(v.orientation), ..v }).collect();
    let other = |side| match side {
        Side::Right => Side::Bottom,
        Side::Bottom => Side::Right,
        Side::Left => Side::Top,
        Side::Top => Side::Left,
    };
    let exit = match board.exit() {
        Exit::Target(side) => Exit::Target(other(side)),
        Exit::Any(side, line) => Exit::Any(other(side), line),
    };
    let walls = board.walls().iter().map(|(x, y)| (y, x)).collect();
    Board::new(board.height(), board.width(), walls, vehicles, exit).expect("a transposed board obeys the rules")
}

/// The board with left and right exchanged.
pub fn mirrored(board: &Board) -> Board {
    let last = board.width() - 1;
    let vehicles = board.vehicles().iter();
    let vehicles =
        vehicles.map(|&v| Vehicle { x: last - v.cells().map(|(x, _)| x).max().unwrap_or(v.x), ..v }).collect();
    let other = |side| match side {
        Side::Right => Side::Left,
        Side::Left => Side::Right,
        side => side,
    };
    let exit = match board.exit() {
        Exit::Target(side) => Exit::Target(other(side)),
        Exit::Any(side @ (Side::Top | Side::Bottom), column) => Exit::Any(side, last - column),
        Exit::Any(side, row) => Exit::Any(other(side), row),
    };
    let walls = board.walls().iter().map(|(x, y)| (last - x, y)).collect();
    Board::new(board.width(), board.height(), walls, vehicles, exit).expect("a mirrored board obeys the rules")
}

/// All eight images of a board under symmetry, starting with itself. Alternately mirroring and transposing rotates it.
pub fn views(board: &Board) -> Vec<Board> {
    let mut views = vec![board.clone()];
    for i in 0..7 {
        views.push(if i % 2 == 0 { mirrored(&views[i]) } else { transposed(&views[i]) });
    }
    views
}
