//! A board in the making: vehicles are placed and taken back until it is whole.

use crate::{Rng, Shape};
use clearway_rush::{Board, Cells, MAX_SIDE, Orientation, Vehicle, labels};
use rand::RngExt;

/// The cells that a car and a truck take.
pub const CAR: u8 = 2;
/// See [`CAR`].
pub const TRUCK: u8 = 3;

/// Walls, and vehicles that do not overlap; the target is the first.
#[derive(Clone, Debug)]
pub struct Layout {
    shape: Shape,
    walls: Cells,
    /// Bit `x` of row `y`: the cell is a wall or covered.
    taken: [u16; MAX_SIDE as usize],
    vehicles: Vec<Vehicle>,
}

impl Layout {
    /// No vehicle yet, and the shape's walls at random cells outside of the exit's line, where they would leave no way out.
    pub fn new(shape: Shape, rng: &mut Rng) -> Layout {
        let mut layout = Layout { shape, walls: Cells::default(), taken: [0; MAX_SIDE as usize], vehicles: Vec::new() };
        while layout.walls.len() < shape.walls().into() {
            let (x, y) = (rng.random_range(0..shape.width()), rng.random_range(0..shape.height()));
            let line = if shape.side().orientation() == Orientation::Horizontal { y } else { x };
            if line != shape.line() {
                layout.walls.insert(x, y);
                layout.taken[y as usize] |= 1 << x;
            }
        }
        layout
    }

    /// The walls and vehicles of a board of that shape.
    pub fn of(board: &Board, shape: Shape) -> Layout {
        let vehicles = Vec::with_capacity(board.vehicles().len() + 1);
        let mut layout = Layout { shape, walls: *board.walls(), taken: [0; MAX_SIDE as usize], vehicles };
        for (x, y) in board.walls().iter() {
            layout.taken[y as usize] |= 1 << x;
        }
        for &vehicle in board.vehicles() {
            layout.flip(vehicle);
            layout.vehicles.push(vehicle);
        }
        layout
    }

    /// The vehicles placed so far.
    pub fn vehicles(&self) -> &[Vehicle] {
        &self.vehicles
    }

    /// The number of cells that nothing covers.
    pub fn free_cells(&self) -> u32 {
        let taken: u32 = self.taken.iter().map(|row| row.count_ones()).sum();
        u32::from(self.shape.width()) * u32::from(self.shape.height()) - taken
    }

    /// Places the target in its line, so many cells away from the exit, if that is free.
    pub fn place_target(&mut self, cells_away: u8) -> bool {
        let orientation = self.shape.side().orientation();
        let last = self.shape.line_cells() - CAR;
        let position = if self.shape.side().is_forward() { last - cells_away } else { cells_away };
        self.place(vehicle(orientation, self.shape.line(), position, CAR))
    }

    /// Places a vehicle of that length somewhere, if that is free and leaves the target a way out: what lies along
    /// the exit's line, ahead of the target, would stay there.
    pub fn place_anywhere(&mut self, length: u8, rng: &mut Rng) -> bool {
        let (width, height) = (self.shape.width(), self.shape.height());
        let orientation = if rng.random() { Orientation::Horizontal } else { Orientation::Vertical };
        let (lines, cells) = if orientation == Orientation::Horizontal { (height, width) } else { (width, height) };
        let (line, position) = (rng.random_range(0..lines), rng.random_range(0..=cells - length));
        let ahead = |target: &Vehicle| {
            target.orientation == orientation
                && target.line() == line
                && (position > target.position()) == self.shape.side().is_forward()
        };
        !self.vehicles.first().is_some_and(ahead) && self.place(vehicle(orientation, line, position, length))
    }

    /// Takes away the vehicle at an index; the last takes its index.
    pub fn remove(&mut self, index: usize) {
        let vehicle = self.vehicles.swap_remove(index);
        self.flip(vehicle);
    }

    /// The board, labelled in reading order. There is none without a target.
    pub fn board(&self) -> Option<Board> {
        let mut vehicles = self.vehicles.clone();
        vehicles.get_mut(1..)?.sort_unstable_by_key(|v| (v.y, v.x));
        for (vehicle, &label) in vehicles.iter_mut().zip(labels()) {
            vehicle.label = label;
        }
        Board::new(self.shape.width(), self.shape.height(), self.walls, vehicles, self.shape.exit()).ok()
    }

    fn place(&mut self, vehicle: Vehicle) -> bool {
        let is_free = vehicle.cells().all(|(x, y)| self.taken[y as usize] >> x & 1 == 0);
        if is_free {
            self.flip(vehicle);
            self.vehicles.push(vehicle);
        }
        is_free
    }

    /// Covers free cells, or frees covered ones.
    fn flip(&mut self, vehicle: Vehicle) {
        for (x, y) in vehicle.cells() {
            self.taken[y as usize] ^= 1 << x;
        }
    }
}

/// A vehicle that gets its label when the board is whole.
fn vehicle(orientation: Orientation, line: u8, position: u8, length: u8) -> Vehicle {
    let (x, y) = if orientation == Orientation::Horizontal { (position, line) } else { (line, position) };
    Vehicle { label: 'A', x, y, length, orientation }
}
