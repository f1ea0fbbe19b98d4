//! Where vehicles can ever stand.
//!
//! A cell that a vehicle covers at every position of its range is always occupied, and no crossing vehicle ever enters it. This
//! shortens the ranges of the crossing vehicles, which may make more cells always occupied, and so on until nothing changes.

use crate::{Board, MAX_SIDE, Orientation};

/// Returns the first and last position that each vehicle can ever have, in the order of the vehicles. Every reachable state
/// lies within these ranges; not every position in them is reachable.
///
/// ```
/// use clearway_rush::{formats, vehicle_ranges};
/// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
/// assert_eq!(vehicle_ranges(&board), [(0, 1), (0, 1)], "B always covers the last cell of the middle row");
/// ```
pub fn vehicle_ranges(board: &Board) -> Vec<(u8, u8)> {
    let vehicles = board.vehicles();
    let mut order: Vec<usize> = (0..vehicles.len()).collect();
    order.sort_unstable_by_key(|&i| (vehicles[i].orientation, vehicles[i].line(), vehicles[i].position()));
    // By orientation of the vehicles that they block, then by line and by position along the line.
    let mut blocked = [[[false; MAX_SIDE as usize]; MAX_SIDE as usize]; 2];
    for (x, y) in board.walls().iter() {
        blocked[0][y as usize][x as usize] = true;
        blocked[1][x as usize][y as usize] = true;
    }
    let axis = |orientation: Orientation| usize::from(orientation == Orientation::Vertical);
    loop {
        let mut ranges = vec![(0, 0); vehicles.len()];
        // From the start of a line to its end, a vehicle goes back to the last obstacle or to the vehicle before it.
        let mut limit = 0;
        for (place, &i) in order.iter().enumerate() {
            let vehicle = &vehicles[i];
            let cells = &blocked[axis(vehicle.orientation)][vehicle.line() as usize];
            let is_first = place == 0 || {
                let previous = &vehicles[order[place - 1]];
                (previous.orientation, previous.line()) != (vehicle.orientation, vehicle.line())
            };
            let obstacle = (0..vehicle.position()).rev().find(|&cell| cells[cell as usize]).map_or(0, |cell| cell + 1);
            ranges[i].0 = if is_first { obstacle } else { obstacle.max(limit) };
            limit = ranges[i].0 + vehicle.length;
        }
        for (place, &i) in order.iter().enumerate().rev() {
            let vehicle = &vehicles[i];
            let cells = &blocked[axis(vehicle.orientation)][vehicle.line() as usize];
            let side = board.side_along(vehicle.orientation);
            let next = order.get(place + 1).map(|&next| &vehicles[next]);
            let is_last =
                next.is_none_or(|next| (next.orientation, next.line()) != (vehicle.orientation, vehicle.line()));
            let obstacle = (vehicle.position()..side).find(|&cell| cells[cell as usize]).unwrap_or(side);
            let end = if is_last { obstacle } else { obstacle.min(limit) };
            ranges[i].1 = end - vehicle.length;
            limit = ranges[i].1;
        }
        let mut changed = false;
        for (vehicle, &(first, last)) in vehicles.iter().zip(&ranges) {
            for cell in last..first + vehicle.length {
                let entry = &mut blocked[1 - axis(vehicle.orientation)][cell as usize][vehicle.line() as usize];
                changed |= !std::mem::replace(entry, true);
            }
        }
        if !changed {
            return ranges;
        }
    }
}
