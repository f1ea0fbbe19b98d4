//! Drafts of boards: vehicles are added, deleted, replaced, resized, shifted and swapped, and walls are moved.

use crate::Shape;
use clearway_rush::{Board, BoardError, Cells, Orientation, Vehicle, labels};
use clearway_util::rng::Rng;
use rand::RngExt;
use rand::seq::IndexedRandom;

/// Lengths of vehicles, in cells.
const LENGTHS: [u8; 2] = [2, 3];
/// Maximum number of vehicles deleted after a crossover.
const MAX_DELETED: u32 = 3;

/// Board that can be changed: walls and vehicles, the target first. Labels are placeholders.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    shape: Shape,
    walls: Cells,
    vehicles: Vec<Vehicle>,
}

impl Draft {
    /// Creates a draft with the walls and vehicles of a board, which must have the given shape.
    pub fn from_board(shape: Shape, board: &Board) -> Draft {
        Draft { shape, walls: *board.walls(), vehicles: board.vehicles().to_vec() }
    }

    /// Creates a solved board crowded with random vehicles.
    pub fn crowded(shape: Shape, rng: &mut Rng) -> Draft {
        let exit = shape.side();
        let side = if exit.orientation() == Orientation::Horizontal { shape.width() } else { shape.height() };
        let position = if exit.is_forward() { side - 2 } else { 0 };
        let target =
            Vehicle { label: 'A', x: shape.line(), y: shape.line(), length: 2, orientation: exit.orientation() };
        let mut draft = Draft { shape, walls: Cells::default(), vehicles: vec![target.at(position)] };
        while draft.walls.len() < usize::from(shape.walls()) {
            let free: Vec<(u8, u8)> = draft.free_cells().collect();
            let Some(&(x, y)) = free.choose(rng) else { break };
            draft.walls.insert(x, y);
        }
        draft.crowd(rng);
        draft
    }

    /// Adds vehicles until no further one fits, and then deletes a few. The fuller a board, the fewer its states, and the
    /// faster its evaluation.
    pub fn crowd(&mut self, rng: &mut Rng) {
        while self.add(rng) {}
        for _ in 0..rng.random_range(0..=self.vehicles.len() / 4) {
            self.delete(rng);
        }
    }

    /// Creates a draft of walls and vehicles, the target first.
    pub fn new(shape: Shape, walls: Cells, vehicles: Vec<Vehicle>) -> Draft {
        Draft { shape, walls, vehicles }
    }

    /// Returns the board, with labels in the order of the vehicles.
    pub fn board(&self) -> Result<Board, BoardError> {
        let vehicles = self.vehicles.iter().zip(labels()).map(|(vehicle, &label)| Vehicle { label, ..*vehicle });
        Board::new(self.shape.width(), self.shape.height(), self.walls, vehicles.collect(), self.shape.exit())
    }

    /// Applies one random change. Returns false if it was not possible; the draft may then be partly changed.
    pub fn change(&mut self, rng: &mut Rng) -> bool {
        match rng.random_range(0..100) {
            0..25 => self.add(rng),
            25..40 => self.delete(rng),
            40..65 => self.delete(rng) && self.add(rng),
            65..80 => self.resize(rng),
            80..95 => self.shift(rng),
            95..98 => self.swap(rng),
            _ => self.move_wall(rng) || self.add(rng),
        }
    }

    /// Creates a board that has the vehicles of this draft on one side of a random cut and those of the other draft on the other
    /// side. Vehicles across the cut are kept where they fit, the first draft's before the second's; vehicles are added until no
    /// further one fits, and a few are deleted. The target and the walls are those of this draft.
    pub fn cross(&self, other: &Draft, rng: &mut Rng) -> Draft {
        let is_across_rows = rng.random();
        let side = if is_across_rows { self.shape.height() } else { self.shape.width() };
        let (cut, is_first) = (rng.random_range(1..side), rng.random::<bool>());
        // Whether all cells of a vehicle are on the side of the cut that this draft keeps, or on the other side.
        let is_on = |vehicle: &Vehicle, own: bool| {
            vehicle.cells().all(|(x, y)| ((if is_across_rows { y } else { x }) < cut) == (is_first == own))
        };
        let mut child = Draft { shape: self.shape, walls: self.walls, vehicles: vec![self.vehicles[0]] };
        let (own, others) = (&self.vehicles[1..], &other.vehicles[1..]);
        let sides = own.iter().filter(|v| is_on(v, true)).chain(others.iter().filter(|v| is_on(v, false)));
        let across = |vehicle: &&Vehicle| !is_on(vehicle, true) && !is_on(vehicle, false);
        for &vehicle in sides.chain(own.iter().filter(across)).chain(others.iter().filter(across)) {
            child.put(vehicle);
        }
        while child.add(rng) {}
        for _ in 0..rng.random_range(0..=MAX_DELETED) {
            child.delete(rng);
        }
        child
    }

    fn occupied(&self) -> Cells {
        self.walls.iter().chain(self.vehicles.iter().flat_map(Vehicle::cells)).collect()
    }

    fn free_cells(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let (width, height, occupied) = (self.shape.width(), self.shape.height(), self.occupied());
        let cells = (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)));
        cells.filter(move |&(x, y)| !occupied.contains(x, y))
    }

    /// Returns whether a vehicle lies in the target's line between the target and the exit, where it would block the target
    /// for good.
    fn blocks_exit(&self, vehicle: Vehicle) -> bool {
        let target = &self.vehicles[0];
        (vehicle.orientation, vehicle.line()) == (target.orientation, target.line())
            && (vehicle.position() > target.position()) == self.shape.side().is_forward()
    }

    fn fits(&self, vehicle: Vehicle, occupied: &Cells) -> bool {
        let (width, height) = (self.shape.width(), self.shape.height());
        let inside = vehicle.cells().all(|(x, y)| x < width && y < height && !occupied.contains(x, y));
        inside && !self.blocks_exit(vehicle)
    }

    /// Removes a random vehicle and returns it, or returns None if the target was drawn.
    fn take(&mut self, rng: &mut Rng) -> Option<Vehicle> {
        let index = rng.random_range(0..self.vehicles.len());
        (index > 0).then(|| self.vehicles.swap_remove(index))
    }

    fn add(&mut self, rng: &mut Rng) -> bool {
        if self.vehicles.len() >= labels().len() {
            return false;
        }
        let occupied = self.occupied();
        let mut places = Vec::new();
        for (x, y) in self.free_cells() {
            for orientation in [Orientation::Horizontal, Orientation::Vertical] {
                let vehicles = LENGTHS.map(|length| Vehicle { label: 'B', x, y, length, orientation });
                places.extend(vehicles.into_iter().filter(|&vehicle| self.fits(vehicle, &occupied)));
            }
        }
        places.choose(rng).inspect(|&&vehicle| self.vehicles.push(vehicle)).is_some()
    }

    fn delete(&mut self, rng: &mut Rng) -> bool {
        self.take(rng).is_some()
    }

    /// Makes a random vehicle longer or shorter, at either end.
    fn resize(&mut self, rng: &mut Rng) -> bool {
        let Some(old) = self.take(rng) else { return false };
        let length = if old.length == LENGTHS[0] { LENGTHS[1] } else { LENGTHS[0] };
        let mut new = Vehicle { length, ..old };
        if rng.random() {
            let Some(position) = (old.position() + old.length).checked_sub(length) else { return false };
            new = new.at(position);
        }
        self.put(new)
    }

    /// Moves a random vehicle to a neighbouring line, or turns it about its first cell.
    fn shift(&mut self, rng: &mut Rng) -> bool {
        let Some(mut vehicle) = self.take(rng) else { return false };
        let turned = match vehicle.orientation {
            Orientation::Horizontal => Orientation::Vertical,
            Orientation::Vertical => Orientation::Horizontal,
        };
        let across = if turned == Orientation::Vertical { &mut vehicle.y } else { &mut vehicle.x };
        match rng.random_range(0..3) {
            0 if *across == 0 => return false,
            0 => *across -= 1,
            1 => *across += 1,
            _ => vehicle.orientation = turned,
        }
        self.put(vehicle)
    }

    /// Exchanges two random vehicles: the first cell of each becomes that of the other.
    fn swap(&mut self, rng: &mut Rng) -> bool {
        let (Some(a), Some(b)) = (self.take(rng), self.take(rng)) else { return false };
        self.put(Vehicle { x: b.x, y: b.y, ..a }) && self.put(Vehicle { x: a.x, y: a.y, ..b })
    }

    fn put(&mut self, vehicle: Vehicle) -> bool {
        let fits = self.fits(vehicle, &self.occupied());
        if fits {
            self.vehicles.push(vehicle);
        }
        fits
    }

    fn move_wall(&mut self, rng: &mut Rng) -> bool {
        let walls: Vec<(u8, u8)> = self.walls.iter().collect();
        let free: Vec<(u8, u8)> = self.free_cells().collect();
        let (Some(&from), Some(&to)) = (walls.choose(rng), free.choose(rng)) else { return false };
        self.walls = walls.into_iter().filter(|&wall| wall != from).chain([to]).collect();
        true
    }
}
