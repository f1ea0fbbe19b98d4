//! Vehicles that block each other.

use clearway_rush::{Board, Orientation, Vehicle};

/// Returns the number of vehicles between the target and the exit when the vehicles are at these positions.
pub(super) fn target_blockers(board: &Board, positions: &[u8]) -> u32 {
    let vehicles = board.vehicles().iter().zip(positions).map(|(vehicle, &position)| vehicle.at(position));
    let target = board.target().at(positions[0]);
    let front = target.position() + target.length;
    let forward = board.exit().side().is_forward();
    let is_ahead = |cell: u8| if forward { cell >= front } else { cell < target.position() };
    let blocks = |vehicle: &Vehicle| {
        if vehicle.orientation == target.orientation {
            vehicle.line() == target.line() && is_ahead(vehicle.position())
        } else {
            let covered = vehicle.position()..vehicle.position() + vehicle.length;
            covered.contains(&target.line()) && is_ahead(vehicle.line())
        }
    };
    vehicles.skip(1).filter(blocks).count() as u32
}

/// Returns the depth of the graph of blockers: the number of levels of a breadth-first search from the target, in which the
/// successors of a vehicle are the vehicles that block it. It is 0 if nothing is between the target and the exit.
///
/// A vehicle that has to leave a cell can move in two directions, as far as walls and the vehicles of its own line leave room
/// for it. If one of them is free, nothing blocks it; otherwise it is blocked by all vehicles that it would hit in either
/// direction.
pub(super) fn depth(board: &Board) -> u32 {
    let mut visited = vec![false; board.vehicles().len()];
    visited[0] = true;
    let first = path_blockers(board, 0, i16::from(board.goal_position())).unwrap_or_default();
    let mut level: Vec<(usize, u8)> = Vec::new();
    let mut depth = 0;
    let add_new = |blockers: Vec<(usize, u8)>, visited: &mut Vec<bool>, level: &mut Vec<(usize, u8)>| {
        for (vehicle, cell) in blockers {
            if !std::mem::replace(&mut visited[vehicle], true) {
                level.push((vehicle, cell));
            }
        }
    };
    add_new(first, &mut visited, &mut level);
    while !level.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for &(vehicle, cell) in &level {
            let length = i16::from(board.vehicles()[vehicle].length);
            let places = [i16::from(cell) - length, i16::from(cell) + 1];
            let directions = places.map(|place| path_blockers(board, vehicle, place));
            if !directions.iter().flatten().any(Vec::is_empty) {
                directions.into_iter().flatten().for_each(|blockers| add_new(blockers, &mut visited, &mut next));
            }
        }
        level = next;
    }
    depth
}

/// Returns the vehicles that a vehicle hits if it slides to `place` and pushes those of its own line ahead, each with the cell
/// of its own line that it has to leave. Returns None if a wall or the border of the board stops it.
fn path_blockers(board: &Board, vehicle: usize, place: i16) -> Option<Vec<(usize, u8)>> {
    let body = board.vehicles()[vehicle];
    let forward = place > i16::from(body.position());
    let last = if forward { i16::from(board.side_along(body.orientation)) - 1 } else { 0 };
    let mut blockers = Vec::new();
    let (mut front, mut end, step) = if forward {
        (i16::from(body.position() + body.length), place + i16::from(body.length) - 1, 1)
    } else {
        (i16::from(body.position()) - 1, place, -1)
    };
    while (forward && front <= end) || (!forward && front >= end) {
        if (forward && front > last) || (!forward && front < last) {
            return None;
        }
        let (x, y) = cell_of(body, front as u8);
        if board.walls().contains(x, y) {
            return None;
        }
        if let Some(other) = board.vehicle_at(x, y) {
            let hit = board.vehicles()[other];
            if hit.orientation == body.orientation {
                // It is pushed ahead, so the path is extended by its length; the cells that it covers now are skipped.
                end += step * i16::from(hit.length);
                front += step * (i16::from(hit.length) - 1);
                blockers.push((other, hit.position()));
            } else {
                blockers.push((other, body.line()));
            }
        }
        front += step;
    }
    Some(blockers)
}

/// Returns the coordinates of a cell in the line of a vehicle.
fn cell_of(body: Vehicle, along: u8) -> (u8, u8) {
    match body.orientation {
        Orientation::Horizontal => (along, body.line()),
        Orientation::Vertical => (body.line(), along),
    }
}
