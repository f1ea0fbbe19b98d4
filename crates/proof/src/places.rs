//! Where vehicles can ever stand: the second derivation of the ranges, by walking from each vehicle's cell outwards.

use clearway_rush::{Board, Orientation, Vehicle};

/// A vehicle with the positions that it can ever have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub vehicle: Vehicle,
    pub first: u8,
    pub last: u8,
}

impl Place {
    /// Whether the vehicle can ever leave its position.
    pub fn can_move(&self) -> bool {
        self.first < self.last
    }

    /// Coordinate of a cell along the line of the vehicle, if the cell is in that line.
    pub fn along(&self, (x, y): (u8, u8)) -> Option<u8> {
        let (line, along) = if self.vehicle.orientation == Orientation::Horizontal { (y, x) } else { (x, y) };
        (line == self.vehicle.line()).then_some(along)
    }

    /// Whether the vehicle can ever cover a cell.
    pub fn can_cover(&self, cell: (u8, u8)) -> bool {
        self.along(cell).is_some_and(|along| self.first <= along && along < self.last + self.vehicle.length)
    }

    /// Whether the vehicle covers a cell wherever it stands.
    fn always_covers(&self, cell: (u8, u8)) -> bool {
        self.along(cell).is_some_and(|along| self.last <= along && along < self.first + self.vehicle.length)
    }

    /// Whether another vehicle has the same line.
    pub fn shares_line(&self, other: &Place) -> bool {
        self.vehicle.orientation == other.vehicle.orientation && self.vehicle.line() == other.vehicle.line()
    }

    /// The cell of its line with a coordinate.
    fn cell(&self, along: u8) -> (u8, u8) {
        match self.vehicle.orientation {
            Orientation::Horizontal => (along, self.vehicle.line()),
            Orientation::Vertical => (self.vehicle.line(), along),
        }
    }
}

/// Returns the places of all vehicles, in the order of the board. Starts from whole lines and narrows the ranges until nothing
/// changes.
pub(crate) fn places(board: &Board) -> Vec<Place> {
    let whole_line = |&vehicle: &Vehicle| {
        let last = board.side_along(vehicle.orientation) - vehicle.length;
        Place { vehicle, first: 0, last }
    };
    let mut places: Vec<Place> = board.vehicles().iter().map(whole_line).collect();
    loop {
        let mut changed = false;
        for index in 0..places.len() {
            let (first, last) = narrowed(board, &places, index);
            changed |= (first, last) != (places[index].first, places[index].last);
            (places[index].first, places[index].last) = (first, last);
        }
        if !changed {
            return places;
        }
    }
}

/// Walks from the given position of a vehicle to both sides, as long as the cells can be free.
fn narrowed(board: &Board, places: &[Place], index: usize) -> (u8, u8) {
    let place = &places[index];
    let (start, length) = (place.vehicle.position(), place.vehicle.length);
    let others = || places.iter().enumerate().filter(|&(other, _)| other != index).map(|(_, other)| other);
    let is_closed = |along: u8| {
        let cell = place.cell(along);
        let crossing = others().any(|other| !place.shares_line(other) && other.always_covers(cell));
        crossing || board.walls().contains(cell.0, cell.1)
    };
    // Vehicles of the line do not pass each other: at their outermost, those before and behind leave this room.
    let in_line = || others().filter(|other| other.shares_line(place));
    let before = in_line().filter(|other| other.vehicle.position() < start);
    let from = before.map(|other| other.first + other.vehicle.length).max().unwrap_or(0);
    let behind = in_line().filter(|other| other.vehicle.position() > start);
    let end = behind.map(|other| other.last).min().unwrap_or_else(|| board.side_along(place.vehicle.orientation));
    let (mut first, mut last) = (start, start);
    while first > from && !is_closed(first - 1) {
        first -= 1;
    }
    while last + length < end && !is_closed(last + length) {
        last += 1;
    }
    (first, last)
}
