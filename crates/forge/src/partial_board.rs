//! A board under construction: vehicles are placed and removed until it is complete.

use crate::{Rng, Shape};
use clearway_rush::{Board, Cells, MAX_SIDE, Orientation, Vehicle, labels};
use rand::RngExt;

/// Length of a car, in cells.
pub const CAR: u8 = 2;
/// Length of a truck, in cells.
pub const TRUCK: u8 = 3;

/// Walls, and vehicles that do not overlap; the target comes first.
#[derive(Clone, Debug)]
pub struct PartialBoard {
    shape: Shape,
    walls: Cells,
    /// Bit `x` of entry `y` is set if that cell is a wall or covered by a vehicle.
    occupied: [u16; MAX_SIDE as usize],
    vehicles: Vec<Vehicle>,
}

impl PartialBoard {
    /// Creates a board without vehicles. The walls of the shape are at random cells outside of the exit's line, where they
    /// could block the target.
    pub fn new(shape: Shape, rng: &mut Rng) -> PartialBoard {
        let mut partial =
            PartialBoard { shape, walls: Cells::default(), occupied: [0; MAX_SIDE as usize], vehicles: Vec::new() };
        while partial.walls.len() < shape.walls().into() {
            let (x, y) = (rng.random_range(0..shape.width()), rng.random_range(0..shape.height()));
            let line = if shape.side().orientation() == Orientation::Horizontal { y } else { x };
            if line != shape.line() {
                partial.walls.insert(x, y);
                partial.occupied[y as usize] |= 1 << x;
            }
        }
        partial
    }

    /// Creates a partial board with the walls and vehicles of `board`, which must have the given shape.
    pub fn from_board(board: &Board, shape: Shape) -> PartialBoard {
        let vehicles = Vec::with_capacity(board.vehicles().len() + 1);
        let mut partial = PartialBoard { shape, walls: *board.walls(), occupied: [0; MAX_SIDE as usize], vehicles };
        for (x, y) in board.walls().iter() {
            partial.occupied[y as usize] |= 1 << x;
        }
        for &vehicle in board.vehicles() {
            partial.toggle(vehicle);
            partial.vehicles.push(vehicle);
        }
        partial
    }

    /// Returns the vehicles placed so far.
    pub fn vehicles(&self) -> &[Vehicle] {
        &self.vehicles
    }

    /// Returns the number of cells that are neither walls nor covered.
    pub fn free_cells(&self) -> u32 {
        let occupied: u32 = self.occupied.iter().map(|row| row.count_ones()).sum();
        u32::from(self.shape.width()) * u32::from(self.shape.height()) - occupied
    }

    /// Places the target in its line, `cells_away` cells from the exit. Returns false if those cells are not free.
    pub fn place_target(&mut self, cells_away: u8) -> bool {
        let orientation = self.shape.side().orientation();
        let last = self.shape.line_cells() - CAR;
        let position = if self.shape.side().is_forward() { last - cells_away } else { cells_away };
        self.place(vehicle(orientation, self.shape.line(), position, CAR))
    }

    /// Tries to place a vehicle of that length at a random position. Returns false if the cells are not free, or if the
    /// vehicle would lie in the exit's line ahead of the target, where it would block the target for good.
    pub fn place_anywhere(&mut self, length: u8, rng: &mut Rng) -> bool {
        let drawn = self.draw(length, rng);
        let ahead = |target: &Vehicle| {
            target.orientation == drawn.orientation
                && target.line() == drawn.line()
                && (drawn.position() > target.position()) == self.shape.side().is_forward()
        };
        !self.vehicles.first().is_some_and(ahead) && self.place(drawn)
    }

    /// Tries to place a vehicle of that length at a random position. Returns false if the cells are not free, or if the
    /// vehicle would lie in the exit's line.
    pub fn place_outside_line(&mut self, length: u8, rng: &mut Rng) -> bool {
        let drawn = self.draw(length, rng);
        let is_in_line = drawn.orientation == self.shape.side().orientation() && drawn.line() == self.shape.line();
        !is_in_line && self.place(drawn)
    }

    /// Draws a vehicle anywhere on the board, whether or not the cells are free.
    fn draw(&self, length: u8, rng: &mut Rng) -> Vehicle {
        let (width, height) = (self.shape.width(), self.shape.height());
        let orientation = if rng.random() { Orientation::Horizontal } else { Orientation::Vertical };
        let (lines, cells) = if orientation == Orientation::Horizontal { (height, width) } else { (width, height) };
        let (line, position) = (rng.random_range(0..lines), rng.random_range(0..=cells - length));
        vehicle(orientation, line, position, length)
    }

    /// Removes the vehicle at `index`; the last vehicle takes that index.
    pub fn remove(&mut self, index: usize) {
        let vehicle = self.vehicles.swap_remove(index);
        self.toggle(vehicle);
    }

    /// Returns the board with its vehicles labelled in reading order, or None while there is no target.
    pub fn board(&self) -> Option<Board> {
        let mut vehicles = self.vehicles.clone();
        vehicles.get_mut(1..)?.sort_unstable_by_key(|v| (v.y, v.x));
        for (vehicle, &label) in vehicles.iter_mut().zip(labels()) {
            vehicle.label = label;
        }
        Board::new(self.shape.width(), self.shape.height(), self.walls, vehicles, self.shape.exit()).ok()
    }

    fn place(&mut self, vehicle: Vehicle) -> bool {
        let is_free = vehicle.cells().all(|(x, y)| self.occupied[y as usize] >> x & 1 == 0);
        if is_free {
            self.toggle(vehicle);
            self.vehicles.push(vehicle);
        }
        is_free
    }

    /// Toggles the cells of a vehicle between free and covered.
    fn toggle(&mut self, vehicle: Vehicle) {
        for (x, y) in vehicle.cells() {
            self.occupied[y as usize] ^= 1 << x;
        }
    }
}

/// Creates a vehicle with a placeholder label, which is replaced when the board is complete.
fn vehicle(orientation: Orientation, line: u8, position: u8, length: u8) -> Vehicle {
    let (x, y) = if orientation == Orientation::Horizontal { (position, line) } else { (line, position) };
    Vehicle { label: 'A', x, y, length, orientation }
}
