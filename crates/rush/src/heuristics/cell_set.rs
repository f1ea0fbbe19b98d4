//! Bit sets of the cells of a board, for computations on all vehicles at once.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A set of cells. The cell in column x and row y is bit y * `SIDE` + x.
///
/// A shift by the number of bits or more gives the empty set.
pub(super) trait CellSet:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Maximum side of a board.
    const SIDE: u32;

    /// Creates a set from its rows, each with one bit per column.
    fn from_rows(rows: &[u16; 16]) -> Self;

    /// Whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether a cell is in the set.
    #[inline(always)]
    fn contains(self, cell: u32) -> bool {
        !(self & Self::one(cell)).is_empty()
    }

    /// The set with a single cell.
    fn one(cell: u32) -> Self;

    /// Removes the first cell and returns it; `None` if the set is empty.
    fn pop_first(&mut self) -> Option<u32>;
}

/// A set of cells of a board up to 8x8.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SmallCellSet(u64);

/// A set of cells of a board up to 11x11.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MediumCellSet(u128);

/// In WebAssembly the same as for larger boards: each type is a copy of everything that depends on it.
#[cfg(target_family = "wasm")]
pub(super) type MediumCellSet = LargeCellSet;

/// A set of cells of a board up to 16x16: the upper eight rows, then the lower eight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LargeCellSet(u128, u128);

/// Implements sets of cells as bits of one integer.
macro_rules! one_word {
    ($name:ident) => {
        impl BitAnd for $name {
            type Output = $name;
            #[inline(always)]
            fn bitand(self, other: $name) -> $name {
                $name(self.0 & other.0)
            }
        }

        impl BitOr for $name {
            type Output = $name;
            #[inline(always)]
            fn bitor(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }
        }

        impl BitXor for $name {
            type Output = $name;
            #[inline(always)]
            fn bitxor(self, other: $name) -> $name {
                $name(self.0 ^ other.0)
            }
        }

        impl BitOrAssign for $name {
            #[inline(always)]
            fn bitor_assign(&mut self, other: $name) {
                self.0 |= other.0;
            }
        }

        impl Not for $name {
            type Output = $name;
            #[inline(always)]
            fn not(self) -> $name {
                $name(!self.0)
            }
        }

        impl Shl<u32> for $name {
            type Output = $name;
            #[inline(always)]
            fn shl(self, by: u32) -> $name {
                $name(self.0.checked_shl(by).unwrap_or(0))
            }
        }

        impl Shr<u32> for $name {
            type Output = $name;
            #[inline(always)]
            fn shr(self, by: u32) -> $name {
                $name(self.0.checked_shr(by).unwrap_or(0))
            }
        }
    };
}

one_word!(SmallCellSet);
#[cfg(not(target_family = "wasm"))]
one_word!(MediumCellSet);

impl CellSet for SmallCellSet {
    const SIDE: u32 = 8;

    #[inline(always)]
    fn from_rows(rows: &[u16; 16]) -> SmallCellSet {
        let mut bytes = [0; 8];
        for (byte, row) in bytes.iter_mut().zip(rows) {
            *byte = *row as u8;
        }
        SmallCellSet(u64::from_le_bytes(bytes))
    }

    #[inline(always)]
    fn one(cell: u32) -> SmallCellSet {
        SmallCellSet(1 << (cell & 63))
    }

    #[inline(always)]
    fn pop_first(&mut self) -> Option<u32> {
        let first = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (first < u64::BITS).then_some(first)
    }
}

#[cfg(not(target_family = "wasm"))]
impl CellSet for MediumCellSet {
    const SIDE: u32 = 11;

    #[inline(always)]
    fn from_rows(rows: &[u16; 16]) -> MediumCellSet {
        let rows = &rows[..Self::SIDE as usize];
        MediumCellSet(rows.iter().rev().fold(0, |set, &row| set << Self::SIDE | u128::from(row)))
    }

    #[inline(always)]
    fn one(cell: u32) -> MediumCellSet {
        MediumCellSet(1 << (cell & 127))
    }

    #[inline(always)]
    fn pop_first(&mut self) -> Option<u32> {
        let first = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (first < u128::BITS).then_some(first)
    }
}

impl CellSet for LargeCellSet {
    const SIDE: u32 = 16;

    #[inline(always)]
    fn from_rows(rows: &[u16; 16]) -> LargeCellSet {
        let half = |rows: &[u16]| rows.iter().rev().fold(0, |set, &row| set << 16 | u128::from(row));
        LargeCellSet(half(&rows[..8]), half(&rows[8..]))
    }

    #[inline(always)]
    fn one(cell: u32) -> LargeCellSet {
        LargeCellSet(1, 0) << cell
    }

    #[inline(always)]
    fn pop_first(&mut self) -> Option<u32> {
        let (word, base) = if self.0 != 0 { (&mut self.0, 0) } else { (&mut self.1, u128::BITS) };
        let first = word.trailing_zeros();
        *word &= word.wrapping_sub(1);
        (first < u128::BITS).then_some(base + first)
    }
}

impl BitAnd for LargeCellSet {
    type Output = LargeCellSet;
    #[inline(always)]
    fn bitand(self, other: LargeCellSet) -> LargeCellSet {
        LargeCellSet(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for LargeCellSet {
    type Output = LargeCellSet;
    #[inline(always)]
    fn bitor(self, other: LargeCellSet) -> LargeCellSet {
        LargeCellSet(self.0 | other.0, self.1 | other.1)
    }
}

impl BitXor for LargeCellSet {
    type Output = LargeCellSet;
    #[inline(always)]
    fn bitxor(self, other: LargeCellSet) -> LargeCellSet {
        LargeCellSet(self.0 ^ other.0, self.1 ^ other.1)
    }
}

impl BitOrAssign for LargeCellSet {
    #[inline(always)]
    fn bitor_assign(&mut self, other: LargeCellSet) {
        *self = *self | other;
    }
}

impl Not for LargeCellSet {
    type Output = LargeCellSet;
    #[inline(always)]
    fn not(self) -> LargeCellSet {
        LargeCellSet(!self.0, !self.1)
    }
}

impl Shl<u32> for LargeCellSet {
    type Output = LargeCellSet;
    #[inline(always)]
    fn shl(self, by: u32) -> LargeCellSet {
        match by {
            0 => self,
            1..128 => LargeCellSet(self.0 << by, self.1 << by | self.0 >> (128 - by)),
            _ => LargeCellSet(0, self.0.checked_shl(by - 128).unwrap_or(0)),
        }
    }
}

impl Shr<u32> for LargeCellSet {
    type Output = LargeCellSet;
    #[inline(always)]
    fn shr(self, by: u32) -> LargeCellSet {
        match by {
            0 => self,
            1..128 => LargeCellSet(self.0 >> by | self.1 << (128 - by), self.1 >> by),
            _ => LargeCellSet(self.1.checked_shr(by - 128).unwrap_or(0), 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a set, in order.
    fn cells<C: CellSet>(set: C) -> Vec<u32> {
        (0..C::SIDE * C::SIDE).filter(|&cell| set.contains(cell)).collect()
    }

    fn check<C: CellSet>() {
        let last = C::SIDE * C::SIDE - 1;
        let mut rows = [0; 16];
        rows[0] = 0b101;
        rows[C::SIDE as usize - 1] = 1 << (C::SIDE - 1);
        let set = C::from_rows(&rows);
        assert_eq!(cells(set), [0, 2, last]);
        for by in [0, 1, C::SIDE, last / 2, last / 2 + 1, last, last + 1, 2 * last] {
            let up: Vec<u32> = [0, 2, last].into_iter().map(|cell| cell + by).filter(|&cell| cell <= last).collect();
            let down: Vec<u32> = [0, 2, last].into_iter().filter_map(|cell| cell.checked_sub(by)).collect();
            assert_eq!((cells(set << by), cells(set >> by)), (up, down), "by {by}");
        }
        assert_eq!((!set & set, !!set), (C::default(), set));
        let mut rest = set;
        assert_eq!([(); 4].map(|()| rest.pop_first()), [Some(0), Some(2), Some(last), None]);
    }

    #[test]
    fn sets_of_cells_shift_and_list_their_cells() {
        check::<SmallCellSet>();
        check::<MediumCellSet>();
        check::<LargeCellSet>();
    }
}
