//! Boards turned and mirrored: the same puzzle seen another way.

use clearway_rush::{Board, Cells, Exit, Orientation, Side, Vehicle};

/// The board mirrored so that left and right change places.
///
/// ```
/// use clearway_forge::turn;
/// use clearway_rush::formats;
/// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
/// assert_eq!(formats::line(&turn::mirrored(&board)), "4x3:B...B.AA....@left");
/// ```
pub fn mirrored(board: &Board) -> Board {
    let last = board.width() - 1;
    let vehicle = |v: Vehicle| Vehicle { x: last - (v.x + along(v, Orientation::Horizontal)), ..v };
    let side = |side| match side {
        Side::Right => Side::Left,
        Side::Left => Side::Right,
        side => side,
    };
    let line = |side: Side, line| if side.orientation() == Orientation::Vertical { last - line } else { line };
    let walls = board.walls().iter().map(|(x, y)| (last - x, y)).collect();
    rebuilt(board, (board.width(), board.height()), walls, vehicle, |from, at| (side(from), line(from, at)))
}

/// The board mirrored so that top and bottom change places.
pub fn flipped(board: &Board) -> Board {
    transposed(&mirrored(&transposed(board)))
}

/// The board with rows and columns exchanged.
pub fn transposed(board: &Board) -> Board {
    let vehicle = |v: Vehicle| {
        let orientation = match v.orientation {
            Orientation::Horizontal => Orientation::Vertical,
            Orientation::Vertical => Orientation::Horizontal,
        };
        Vehicle { x: v.y, y: v.x, orientation, ..v }
    };
    let side = |side| match side {
        Side::Right => Side::Bottom,
        Side::Bottom => Side::Right,
        Side::Left => Side::Top,
        Side::Top => Side::Left,
    };
    let walls = board.walls().iter().map(|(x, y)| (y, x)).collect();
    rebuilt(board, (board.height(), board.width()), walls, vehicle, |from, at| (side(from), at))
}

/// The board turned or mirrored so that its exit is on a side. A board that has it there stays as it is.
pub fn facing(board: &Board, side: Side) -> Board {
    let mut board = board.clone();
    if board.exit().side().orientation() != side.orientation() {
        board = transposed(&board);
    }
    match (board.exit().side() == side, side.orientation()) {
        (true, _) => board,
        (false, Orientation::Horizontal) => mirrored(&board),
        (false, Orientation::Vertical) => flipped(&board),
    }
}

/// How many cells a vehicle reaches beyond its first in a direction.
fn along(vehicle: Vehicle, direction: Orientation) -> u8 {
    if vehicle.orientation == direction { vehicle.length - 1 } else { 0 }
}

fn rebuilt(
    board: &Board,
    (width, height): (u8, u8),
    walls: Cells,
    vehicle: impl Fn(Vehicle) -> Vehicle,
    exit: impl Fn(Side, u8) -> (Side, u8),
) -> Board {
    let vehicles = board.vehicles().iter().map(|&v| vehicle(v)).collect();
    let (side, line) = exit(board.exit().side(), board.exit_line());
    let exit = match board.exit() {
        Exit::Target(_) => Exit::Target(side),
        Exit::Any(..) => Exit::Any(side, line),
    };
    Board::new(width, height, walls, vehicles, exit).expect("a board seen another way keeps the rules")
}
