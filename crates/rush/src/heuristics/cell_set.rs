//! Sets of cells of a whole board as bits, for what is computed for all vehicles at once.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Shl, Shr};

/// A set of cells: the cell in column x and row y is bit y * `SIDE` + x.
///
/// A shift by as many bits as there are, or more, gives the empty set.
pub(super) trait CellSet:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The longest side of the boards it is for.
    const SIDE: u32;

    /// The set of rows, one bit for each column.
    fn from_rows(rows: &[u16; 16]) -> Self;

    /// How many cells it has.
    fn count(self) -> u32;

    /// Whether it has no cell.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether a cell is in it.
    #[inline(always)]
    fn has(self, cell: u32) -> bool {
        !(self & Self::one(cell)).is_empty()
    }

    /// The set of one cell.
    fn one(cell: u32) -> Self;
}

/// The cells of boards up to 8x8.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Small(u64);

/// The cells of boards up to 16x16: the upper half, then the lower.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Large(u128, u128);

impl CellSet for Small {
    const SIDE: u32 = 8;

    #[inline(always)]
    fn from_rows(rows: &[u16; 16]) -> Small {
        let mut bytes = [0; 8];
        for (byte, row) in bytes.iter_mut().zip(rows) {
            *byte = *row as u8;
        }
        Small(u64::from_le_bytes(bytes))
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.count_ones()
    }

    #[inline(always)]
    fn one(cell: u32) -> Small {
        Small(1 << (cell & 63))
    }
}

impl BitAnd for Small {
    type Output = Small;
    #[inline(always)]
    fn bitand(self, other: Small) -> Small {
        Small(self.0 & other.0)
    }
}

impl BitOr for Small {
    type Output = Small;
    #[inline(always)]
    fn bitor(self, other: Small) -> Small {
        Small(self.0 | other.0)
    }
}

impl BitOrAssign for Small {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Small) {
        self.0 |= other.0;
    }
}

impl Not for Small {
    type Output = Small;
    #[inline(always)]
    fn not(self) -> Small {
        Small(!self.0)
    }
}

impl Shl<u32> for Small {
    type Output = Small;
    #[inline(always)]
    fn shl(self, by: u32) -> Small {
        Small(self.0.checked_shl(by).unwrap_or(0))
    }
}

impl Shr<u32> for Small {
    type Output = Small;
    #[inline(always)]
    fn shr(self, by: u32) -> Small {
        Small(self.0.checked_shr(by).unwrap_or(0))
    }
}

impl CellSet for Large {
    const SIDE: u32 = 16;

    fn from_rows(rows: &[u16; 16]) -> Large {
        let half = |rows: &[u16]| rows.iter().rev().fold(0, |set, &row| set << 16 | u128::from(row));
        Large(half(&rows[..8]), half(&rows[8..]))
    }

    fn count(self) -> u32 {
        self.0.count_ones() + self.1.count_ones()
    }

    fn one(cell: u32) -> Large {
        Large(1, 0) << cell
    }
}

impl BitAnd for Large {
    type Output = Large;
    fn bitand(self, other: Large) -> Large {
        Large(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for Large {
    type Output = Large;
    fn bitor(self, other: Large) -> Large {
        Large(self.0 | other.0, self.1 | other.1)
    }
}

impl BitOrAssign for Large {
    fn bitor_assign(&mut self, other: Large) {
        *self = *self | other;
    }
}

impl Not for Large {
    type Output = Large;
    fn not(self) -> Large {
        Large(!self.0, !self.1)
    }
}

impl Shl<u32> for Large {
    type Output = Large;
    fn shl(self, by: u32) -> Large {
        match by {
            0 => self,
            1..128 => Large(self.0 << by, self.1 << by | self.0 >> (128 - by)),
            _ => Large(0, self.0.checked_shl(by - 128).unwrap_or(0)),
        }
    }
}

impl Shr<u32> for Large {
    type Output = Large;
    fn shr(self, by: u32) -> Large {
        match by {
            0 => self,
            1..128 => Large(self.0 >> by | self.1 << (128 - by), self.1 >> by),
            _ => Large(self.1.checked_shr(by - 128).unwrap_or(0), 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a set, in order.
    fn cells<C: CellSet>(set: C) -> Vec<u32> {
        (0..C::SIDE * C::SIDE).filter(|&cell| set.has(cell)).collect()
    }

    fn check<C: CellSet>() {
        let last = C::SIDE * C::SIDE - 1;
        let mut rows = [0; 16];
        rows[0] = 0b101;
        rows[C::SIDE as usize - 1] = 1 << (C::SIDE - 1);
        let set = C::from_rows(&rows);
        assert_eq!((cells(set), set.count()), (vec![0, 2, last], 3));
        for by in [0, 1, C::SIDE, last / 2, last / 2 + 1, last, last + 1, 2 * last] {
            let up: Vec<u32> = [0, 2, last].into_iter().map(|cell| cell + by).filter(|&cell| cell <= last).collect();
            let down: Vec<u32> = [0, 2, last].into_iter().filter_map(|cell| cell.checked_sub(by)).collect();
            assert_eq!((cells(set << by), cells(set >> by)), (up, down), "by {by}");
        }
        assert_eq!((!set & set, !!set), (C::default(), set));
    }

    #[test]
    fn sets_of_cells_shift_and_count() {
        check::<Small>();
        check::<Large>();
    }
}
