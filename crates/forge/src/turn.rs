//! Rotations and reflections of boards, which do not change the puzzle.

use clearway_rush::{Board, Cells, Exit, Orientation, Side, Vehicle};

/// Mirrors the board so that left and right are exchanged.
///
/// ```
/// use clearway_forge::turn;
/// use clearway_rush::formats;
/// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
/// assert_eq!(formats::line(&turn::mirrored(&board)), "4x3:B...B.AA....@left");
/// ```
pub fn mirrored(board: &Board) -> Board {
    let last = board.width() - 1;
    let vehicle = |v: Vehicle| Vehicle { x: last - (v.x + extent(v, Orientation::Horizontal)), ..v };
    let side = |side| match side {
        Side::Right => Side::Left,
        Side::Left => Side::Right,
        side => side,
    };
    let line = |side: Side, line| if side.orientation() == Orientation::Vertical { last - line } else { line };
    let walls = board.walls().iter().map(|(x, y)| (last - x, y)).collect();
    rebuilt(board, (board.width(), board.height()), walls, vehicle, |from, at| (side(from), line(from, at)))
}

/// Mirrors the board so that top and bottom are exchanged.
pub fn flipped(board: &Board) -> Board {
    transposed(&mirrored(&transposed(board)))
}

/// Exchanges the rows and columns of the board.
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

/// Turns or mirrors the board so that its exit is on `side`. A board whose exit is already there is not changed.
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

/// Returns the number of cells that a vehicle extends beyond its first cell in a direction.
fn extent(vehicle: Vehicle, direction: Orientation) -> u8 {
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
    Board::new(width, height, walls, vehicles, exit).expect("a turned or mirrored board is valid")
}
