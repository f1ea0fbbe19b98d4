//! Crowded boards with few enough states for the reference.

use super::reference::component;
use clearway_rush::{Board, Cells, Exit, Metric, Orientation, Side, Vehicle, labels};
use proptest::collection::vec;
use proptest::prelude::*;
use std::ops::RangeInclusive;

/// Boards with sides in a range, mostly so full that the vehicles block each other, with exits on every side, for the target
/// (three in four) or for any vehicle of a line, and with at most `max_states` states. Half of them are in a hardest state.
pub fn crowded(sides: RangeInclusive<u8>, max_states: usize) -> impl Strategy<Value = Board> {
    let cells = usize::from(*sides.end()) * usize::from(*sides.end());
    let exit = (0..4usize, 0..4u8).prop_map(|(side, kind)| (Side::ALL[side], kind == 0));
    let others = vec(any::<(u8, u8, u8, bool)>(), cells / 2..=cells * 2);
    let fullness = (0..8u8, 50..85usize);
    let walls = prop_oneof![3 => Just(Vec::new()), 1 => vec(any::<(u8, u8)>(), 1..4)];
    let numbers = (sides.clone(), sides, exit, any::<(u8, u8, u8)>(), fullness, others, walls);
    (numbers, any::<bool>()).prop_map(move |(numbers, is_hardest)| {
        let board = reduced(build(numbers), max_states);
        let farthest =
            is_hardest.then(|| component(&board, Metric::Moves, max_states)?.facts(&board).farthest).flatten();
        farthest.unwrap_or(board)
    })
}

type Others = Vec<(u8, u8, u8, bool)>;
type Numbers = (u8, u8, (Side, bool), (u8, u8, u8), (u8, usize), Others, Vec<(u8, u8)>);

/// Builds a board from arbitrary numbers: each is reduced to its range, and overlapping vehicles and walls are omitted.
fn build((width, height, (side, for_any), first, (others_in_line, percent), others, walls): Numbers) -> Board {
    let place = |label, orientation, line: u8, position: u8, length: u8| {
        let (room, lines) = if orientation == Orientation::Horizontal { (width, height) } else { (height, width) };
        let length = match length {
            0..8 => 2 + length % (room - 1),
            8..90 => room.min(3),
            _ => 2,
        };
        let (line, position) = (line % lines, position % (room - length + 1));
        let (x, y) = if orientation == Orientation::Horizontal { (position, line) } else { (line, position) };
        Vehicle { label, x, y, length, orientation }
    };
    let (line, behind, length) = first;
    let first = place(labels()[0], side.orientation(), line, 0, length);
    // The farther the target is from the exit, the more vehicles can block it.
    let room = if side.orientation() == Orientation::Horizontal { width } else { height } - first.length;
    let behind = (behind % 3).min(room);
    let first = first.at(if side.is_forward() { behind } else { room - behind });
    let exit = if for_any { Exit::Any(side, first.line()) } else { Exit::Target(side) };
    let mut vehicles = vec![first];
    let mut occupied: Cells = first.cells().collect();
    for (line, position, length, vertical) in others {
        if occupied.len() * 100 >= usize::from(width) * usize::from(height) * percent {
            break;
        }
        let orientation = if vertical { Orientation::Vertical } else { Orientation::Horizontal };
        let vehicle = place(labels()[vehicles.len()], orientation, line, position, length);
        // A vehicle ahead of the target in its own line makes the board unsolvable, so only some boards may have others there.
        let in_exit_line = (vehicle.orientation, vehicle.line()) == (first.orientation, first.line());
        if (others_in_line == 0 || !in_exit_line) && vehicle.cells().all(|(x, y)| !occupied.contains(x, y)) {
            vehicle.cells().for_each(|(x, y)| occupied.insert(x, y));
            vehicles.push(vehicle);
        }
    }
    let walls = walls.into_iter().map(|(x, y)| (x % width, y % height));
    let walls = walls.filter(|&(x, y)| !occupied.contains(x, y)).collect();
    Board::new(width, height, walls, vehicles, exit).expect("a board that obeys the rules by construction")
}

/// Turns free cells into walls until the board has at most `max_states` states; those of the exit's line come last.
fn reduced(mut board: Board, max_states: usize) -> Board {
    let cells = (0..board.height()).flat_map(|y| (0..board.width()).map(move |x| (x, y)));
    let is_free = |&(x, y): &(u8, u8)| !board.walls().contains(x, y) && board.vehicle_at(x, y).is_none();
    let in_exit_line = |(x, y)| match board.exit().side() {
        Side::Left | Side::Right => y == board.exit_line(),
        Side::Top | Side::Bottom => x == board.exit_line(),
    };
    let mut free: Vec<(u8, u8)> = cells.filter(is_free).collect();
    free.sort_by_key(|&(x, y)| (in_exit_line((x, y)), (u32::from(x) * 7 + u32::from(y) * 13) % 17));
    for some in free.chunks(free.len().div_ceil(8).max(1)) {
        if component(&board, Metric::Steps, max_states).is_some() {
            break;
        }
        let walls = board.walls().iter().chain(some.iter().copied()).collect();
        let vehicles = board.vehicles().to_vec();
        board = Board::new(board.width(), board.height(), walls, vehicles, board.exit()).expect("free cells");
    }
    board
}
