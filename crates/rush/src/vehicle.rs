//! Vehicles, the ways they lie and the labels they go by.

use std::sync::LazyLock;

/// Which way a vehicle lies, and so along which line it slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Orientation {
    /// In a row; plus is right.
    Horizontal,
    /// In a column; plus is down.
    Vertical,
}

/// A vehicle: its label, its topmost or leftmost cell, its length and the way it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vehicle {
    /// The letter that names it. `A` is the target.
    pub label: char,
    /// The column of its first cell, from 0 at the left.
    pub x: u8,
    /// The row of its first cell, from 0 at the top.
    pub y: u8,
    /// How many cells it covers.
    pub length: u8,
    /// The way it lies.
    pub orientation: Orientation,
}

impl Vehicle {
    /// The coordinate that changes when it moves.
    pub fn position(&self) -> u8 {
        match self.orientation {
            Orientation::Horizontal => self.x,
            Orientation::Vertical => self.y,
        }
    }

    /// The row or column it lies in.
    pub fn line(&self) -> u8 {
        match self.orientation {
            Orientation::Horizontal => self.y,
            Orientation::Vertical => self.x,
        }
    }

    /// The same vehicle at another position in its line.
    #[must_use]
    pub fn at(mut self, position: u8) -> Vehicle {
        match self.orientation {
            Orientation::Horizontal => self.x = position,
            Orientation::Vertical => self.y = position,
        }
        self
    }

    /// The cells it covers, from the first.
    pub fn cells(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let v = *self;
        (0..v.length).map(move |i| match v.orientation {
            Orientation::Horizontal => (v.x + i, v.y),
            Orientation::Vertical => (v.x, v.y + i),
        })
    }
}

/// The characters that vehicles are labelled with, in order of use: `A` to `Z`, `a` to `z` without `o` and `x` (which
/// mean empty and wall), 1 to 9, then Greek and Cyrillic letters: enough for the 128 vehicles that 16x16 can hold.
pub fn labels() -> &'static [char] {
    static LABELS: LazyLock<Vec<char>> = LazyLock::new(|| {
        let latin = ('A'..='Z').chain(('a'..='z').filter(|&c| c != 'o' && c != 'x')).chain('1'..='9');
        latin.chain(('Α'..='Ω').filter(|c| c.is_alphabetic())).chain('α'..='ω').chain('А'..='Я').collect()
    });
    &LABELS
}

/// Whether a character may label a vehicle.
pub fn is_label(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, 'o' | 'x' | '0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_labels_for_the_fullest_board() {
        let all = labels();
        assert!(all.len() >= 128, "{}", all.len());
        assert!(all.iter().all(|&c| is_label(c)));
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(all[0], 'A');
    }
}
