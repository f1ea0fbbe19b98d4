//! Random boards, built from arbitrary numbers. Tests of other crates include this file.

use clearway_rush::{Board, Cells, Exit, Orientation, Side, Vehicle, labels};
use proptest::collection::vec;
use proptest::prelude::*;

/// Boards with sides from 2 to `max_side`, from empty to crowded, with and without walls, with exits on every side, for the
/// target (three in four) or for any vehicle of a line, with labels in order (half of them) or not.
pub fn boards(max_side: u8) -> impl Strategy<Value = Board> {
    boards_between(2, max_side)
}

/// The same with sides from `min_side`.
pub fn boards_between(min_side: u8, max_side: u8) -> impl Strategy<Value = Board> {
    let side = min_side..=max_side;
    let crowd = usize::from(max_side) * usize::from(max_side) / 2;
    let exit = (0..4usize, 0..4u8).prop_map(|(side, kind)| (Side::ALL[side], kind == 0));
    let first = any::<(u8, u8, u8)>();
    let others = vec(any::<(u8, u8, u8, bool)>(), 0..=crowd);
    let walls = prop_oneof![Just(Vec::new()), vec(any::<(u8, u8)>(), 0..6)];
    let label_shift = prop_oneof![Just(0), 0..labels().len()];
    (side.clone(), side, exit, first, others, walls, label_shift).prop_map(build)
}

type Numbers = (u8, u8, (Side, bool), (u8, u8, u8), Vec<(u8, u8, u8, bool)>, Vec<(u8, u8)>, usize);

/// Builds a board from arbitrary numbers: each is reduced to its range, and overlapping vehicles and walls are omitted.
fn build((width, height, (side, for_any), first, others, walls, label_shift): Numbers) -> Board {
    let along = |orientation| if orientation == Orientation::Horizontal { (width, height) } else { (height, width) };
    let place = |label, orientation, line: u8, position: u8, length: u8| {
        let (room, lines) = along(orientation);
        // Mostly cars and lorries, and occasionally a vehicle of any length that fits.
        let max = if length.is_multiple_of(8) { room } else { room.min(3) };
        let length = 2 + length / 8 % (max - 1);
        let (line, position) = (line % lines, position % (room - length + 1));
        let (x, y) = if orientation == Orientation::Horizontal { (position, line) } else { (line, position) };
        Vehicle { label, x, y, length, orientation }
    };
    let mut free: Vec<char> = labels().to_vec();
    let target_label = free.remove(0);
    let count = free.len();
    free.rotate_left(label_shift % count);
    let (line, position, length) = first;
    let first = place(target_label, side.orientation(), line, position, length);
    let exit = if for_any { Exit::Any(side, first.line()) } else { Exit::Target(side) };
    let mut vehicles = vec![first];
    let mut occupied: Cells = first.cells().collect();
    for (line, position, length, vertical) in others {
        let orientation = if vertical { Orientation::Vertical } else { Orientation::Horizontal };
        let vehicle = place(free[vehicles.len() - 1], orientation, line, position, length);
        if vehicle.cells().all(|(x, y)| !occupied.contains(x, y)) {
            vehicle.cells().for_each(|(x, y)| occupied.insert(x, y));
            vehicles.push(vehicle);
        }
    }
    let walls =
        walls.into_iter().map(|(x, y)| (x % width, y % height)).filter(|&(x, y)| !occupied.contains(x, y)).collect();
    Board::new(width, height, walls, vehicles, exit).expect("a board that obeys the rules by construction")
}
