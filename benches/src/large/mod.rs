//! Large boards: the boards, the measurement of the engines on them, and the table of the results.

pub mod held_out;
pub mod measure;
mod policy;
pub mod recipe;
pub mod record;
pub mod suite;
pub mod table;
pub mod walled;

use clearway_rush::{Board, Cells, Exit, MAX_SIDE, Orientation, Side, Vehicle, labels};
use clearway_util::rng::Rng;
use rand::RngExt;

/// A square board under construction, with its exit on the right.
#[derive(Clone, Debug)]
struct Draft {
    side: u8,
    walls: Cells,
    vehicles: Vec<Vehicle>,
    /// Bit `x` of entry `y` is set if that cell is a wall or covered.
    taken: [u16; MAX_SIDE as usize],
}

impl Draft {
    fn new(side: u8) -> Draft {
        Draft { side, walls: Cells::default(), vehicles: Vec::new(), taken: [0; MAX_SIDE as usize] }
    }

    fn add_wall(&mut self, x: u8, y: u8) {
        self.walls.insert(x, y);
        self.taken[y as usize] |= 1 << x;
    }

    /// Places a vehicle. Returns false if its cells are not free.
    fn place(&mut self, vehicle: Vehicle) -> bool {
        let is_free = vehicle.cells().all(|(x, y)| self.taken[y as usize] >> x & 1 == 0);
        if is_free {
            for (x, y) in vehicle.cells() {
                self.taken[y as usize] |= 1 << x;
            }
            self.vehicles.push(vehicle);
        }
        is_free
    }

    /// Draws a vehicle with a placeholder label anywhere on the board.
    fn draw(&self, length: u8, rng: &mut Rng) -> Vehicle {
        let orientation = if rng.random() { Orientation::Horizontal } else { Orientation::Vertical };
        let (line, position) = (rng.random_range(0..self.side), rng.random_range(0..=self.side - length));
        let (x, y) = if orientation == Orientation::Horizontal { (position, line) } else { (line, position) };
        Vehicle { label: 'A', x, y, length, orientation }
    }

    /// Returns the board. The first vehicle is the target; the others are labelled in reading order.
    fn into_board(mut self) -> Board {
        self.vehicles[1..].sort_unstable_by_key(|v| (v.y, v.x));
        for (vehicle, &label) in self.vehicles.iter_mut().zip(labels()) {
            vehicle.label = label;
        }
        Board::new(self.side, self.side, self.walls, self.vehicles, Exit::Target(Side::Right))
            .expect("vehicles are only placed on free cells")
    }
}

#[cfg(test)]
mod tests {
    use clearway_rush::formats::{Format, Puzzle, write};
    use clearway_util::hash::StableHash;

    /// A hash of a list of boards with their names.
    pub(super) fn hash(puzzles: &[Puzzle]) -> u64 {
        let mut hash = StableHash::new();
        for puzzle in puzzles {
            hash.text(&write(puzzle, Format::Tsv).unwrap());
        }
        hash.finish()
    }
}
