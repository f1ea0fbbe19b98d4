//! Who stands in whose way.

use clearway_rush::{Board, Orientation, Vehicle};

/// How many vehicles stand between the target and the exit, when the vehicles stand at these positions.
pub(super) fn in_the_way(board: &Board, positions: &[u8]) -> u32 {
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

/// The length of the longest chain of vehicles each of which blocks the one before, from the target on, by the shortest
/// way to each. 0 if nobody is in the target's way.
///
/// A vehicle that has to leave a cell can do so by two ways, as far as walls and the vehicles of its own line leave
/// room for it. If one of them is free nobody blocks it; else all those do that it would meet by either way.
pub(super) fn depth(board: &Board) -> u32 {
    let mut known = vec![false; board.vehicles().len()];
    known[0] = true;
    let first = way(board, 0, i16::from(board.goal_position())).unwrap_or_default();
    let mut level: Vec<(usize, u8)> = Vec::new();
    let mut depth = 0;
    let take = |met: Vec<(usize, u8)>, known: &mut Vec<bool>, level: &mut Vec<(usize, u8)>| {
        for (vehicle, cell) in met {
            if !std::mem::replace(&mut known[vehicle], true) {
                level.push((vehicle, cell));
            }
        }
    };
    take(first, &mut known, &mut level);
    while !level.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for &(vehicle, cell) in &level {
            let length = i16::from(board.vehicles()[vehicle].length);
            let places = [i16::from(cell) - length, i16::from(cell) + 1];
            let ways = places.map(|place| way(board, vehicle, place));
            if !ways.iter().flatten().any(Vec::is_empty) {
                ways.into_iter().flatten().for_each(|met| take(met, &mut known, &mut next));
            }
        }
        level = next;
    }
    depth
}

/// Who is met, and the cell that each of them has to leave in its own line, if a vehicle slides to a place and pushes
/// those of its line ahead. None if walls or the board's side do not let it.
fn way(board: &Board, vehicle: usize, place: i16) -> Option<Vec<(usize, u8)>> {
    let body = board.vehicles()[vehicle];
    let forward = place > i16::from(body.position());
    let last = if forward { i16::from(board.side_along(body.orientation)) - 1 } else { 0 };
    let mut met = Vec::new();
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
                // It is pushed ahead, and with that the way grows by its length, of which it covers as much itself.
                end += step * i16::from(hit.length);
                front += step * (i16::from(hit.length) - 1);
                met.push((other, hit.position()));
            } else {
                met.push((other, body.line()));
            }
        }
        front += step;
    }
    Some(met)
}

/// The cell of a vehicle's line at a place along it.
fn cell_of(body: Vehicle, along: u8) -> (u8, u8) {
    match body.orientation {
        Orientation::Horizontal => (along, body.line()),
        Orientation::Vertical => (body.line(), along),
    }
}
