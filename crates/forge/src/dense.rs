//! Random dense boards of any size: vehicles are placed at random until a given share of the cells is covered.

use crate::partial_board::PartialBoard;
use crate::{Rng, Shape};
use clearway_rush::{Board, Side};
use rand::RngExt;
use std::fmt;

/// Number of vehicles tried in a row without success before a board is started again.
const MAX_TRIES: u32 = 10_000;

/// A size and a density.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Density {
    /// Number of rows and of columns, from [`MIN_SIDE`](Self::MIN_SIDE) to 16.
    pub side: u8,
    /// Minimum percentage of covered cells, at most [`MAX_PERCENT`](Self::MAX_PERCENT).
    pub percent: u8,
}

impl Density {
    /// Minimum number of rows and of columns.
    pub const MIN_SIDE: u8 = 6;
    /// Maximum percentage of covered cells. Placing vehicles at random rarely covers more.
    pub const MAX_PERCENT: u8 = 85;

    /// Generates a board, which may be unsolvable. The target is in a row of the middle third and within the left third. Other
    /// vehicles follow at random places until the density is reached; none of them lies in the target's row, though vertical
    /// ones may cross it.
    ///
    /// ```
    /// use clearway_forge::dense::Density;
    /// use clearway_forge::rng::stream;
    /// let board = Density { side: 10, percent: 75 }.board(&mut stream(1, 0));
    /// let covered: u32 = board.vehicles().iter().map(|vehicle| u32::from(vehicle.length)).sum();
    /// assert!((75..79).contains(&covered));
    /// ```
    ///
    /// # Panics
    /// If the size or the density is out of range.
    pub fn board(self, rng: &mut Rng) -> Board {
        let Density { side, percent } = self;
        assert!(side >= Self::MIN_SIDE && percent <= Self::MAX_PERCENT, "no boards of {self}");
        let third = side / 3;
        // In hundredths of a cell.
        let free = (100 - u32::from(percent)) * u32::from(side) * u32::from(side);
        loop {
            let (x, row) = (rng.random_range(0..third - 1), rng.random_range(third..side - third));
            let shape = Shape::new(side, side, Side::Right, Some(row), 0).expect("a row of the board");
            let mut partial = PartialBoard::new(shape, rng);
            partial.place_target(shape.line_cells() - 2 - x);
            let mut tries = 0;
            while partial.free_cells() * 100 > free && tries < MAX_TRIES {
                tries = if partial.place_outside_line(length(rng), rng) { 0 } else { tries + 1 };
            }
            if tries < MAX_TRIES {
                return partial.board().expect("it has a target");
            }
        }
    }
}

impl fmt::Display for Density {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{side}x{side}-{percent}", side = self.side, percent = self.percent)
    }
}

/// Draws the length of a vehicle. Long ones fit less often, so that their share on the board is smaller than here.
fn length(rng: &mut Rng) -> u8 {
    match rng.random_range(0..100) {
        0..60 => 2,
        60..95 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::{Orientation, Vehicle};
    use clearway_util::rng::stream;

    #[test]
    fn boards_obey_the_recipe() {
        for density in [(6, 60), (7, 70), (9, 85), (10, 75), (12, 78), (14, 70), (16, 50)] {
            let density = Density { side: density.0, percent: density.1 };
            for number in 0..5 {
                let board = density.board(&mut stream(1, number));
                let Density { side, percent } = density;
                assert_eq!((board.width(), board.height(), board.walls().len()), (side, side, 0), "{density}");
                let covered: u32 = board.vehicles().iter().map(|v| u32::from(v.length)).sum();
                let least = (f64::from(side) * f64::from(side) * f64::from(percent) / 100.0).ceil() as u32;
                assert!((least..least + 4).contains(&covered), "{density}: {covered} cells, {least} needed");
                let target = board.target();
                assert!((side / 3..side - side / 3).contains(&target.y) && target.x + 2 <= side / 3, "{density}");
                let in_row = |v: &&Vehicle| v.orientation == Orientation::Horizontal && v.y == target.y;
                assert_eq!(board.vehicles().iter().filter(in_row).count(), 1, "{density}");
            }
        }
    }
}
