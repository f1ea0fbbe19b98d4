//! Vehicles, their orientation and their labels.

use std::sync::LazyLock;

/// Orientation of a vehicle, which determines the line it slides along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Orientation {
    /// In a row; positive moves go right.
    Horizontal,
    /// In a column; positive moves go down.
    Vertical,
}

impl Orientation {
    /// The other orientation, that of the vehicles that cross a line.
    #[must_use]
    pub fn across(self) -> Orientation {
        match self {
            Orientation::Horizontal => Orientation::Vertical,
            Orientation::Vertical => Orientation::Horizontal,
        }
    }
}

/// A vehicle: its label, its topmost or leftmost cell, its length and its orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vehicle {
    /// Label, unique on the board. `A` is the target.
    pub label: char,
    /// Column of its first cell, from 0 at the left.
    pub x: u8,
    /// Row of its first cell, from 0 at the top.
    pub y: u8,
    /// Number of cells that it covers.
    pub length: u8,
    /// Direction in which it lies and slides.
    pub orientation: Orientation,
}

impl Vehicle {
    /// Coordinate of its first cell along its line: the one that moves change.
    pub fn position(&self) -> u8 {
        match self.orientation {
            Orientation::Horizontal => self.x,
            Orientation::Vertical => self.y,
        }
    }

    /// Index of its row or column, which no move changes.
    pub fn line(&self) -> u8 {
        match self.orientation {
            Orientation::Horizontal => self.y,
            Orientation::Vertical => self.x,
        }
    }

    /// Returns the same vehicle at another position in its line.
    #[must_use]
    pub fn at(mut self, position: u8) -> Vehicle {
        match self.orientation {
            Orientation::Horizontal => self.x = position,
            Orientation::Vertical => self.y = position,
        }
        self
    }

    /// Cells that it covers as (x, y), from the first.
    pub fn cells(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let v = *self;
        (0..v.length).map(move |i| match v.orientation {
            Orientation::Horizontal => (v.x + i, v.y),
            Orientation::Vertical => (v.x, v.y + i),
        })
    }
}

/// Labels for vehicles in order of use: `A` to `Z`, `a` to `z` without `o` and `x` (which mean empty and wall), 1 to 9,
/// then Greek and Cyrillic letters. They suffice for the 128 vehicles that a 16x16 board can hold.
pub fn labels() -> &'static [char] {
    static LABELS: LazyLock<Vec<char>> = LazyLock::new(|| {
        let latin = ('A'..='Z').chain(('a'..='z').filter(|&c| c != 'o' && c != 'x')).chain('1'..='9');
        latin.chain(('Α'..='Ω').filter(|c| c.is_alphabetic())).chain('α'..='ω').chain('А'..='Я').collect()
    });
    &LABELS
}

/// Returns whether a character can be the label of a vehicle.
pub fn is_label(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, 'o' | 'x' | '0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_suffice_for_the_fullest_board() {
        let all = labels();
        assert!(all.len() >= 128, "{}", all.len());
        assert!(all.iter().all(|&c| is_label(c)));
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(all[0], 'A');
    }
}
