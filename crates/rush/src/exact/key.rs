//! Packed states: the configuration index of every line, side by side, in the narrowest word that holds them.

use std::fmt::Debug;

/// A packed state. The packing leaves the lowest [`DEPTH_BITS`](Key::DEPTH_BITS) bits free: a slot of the hash table stores the
/// smallest known depth of the state there, so that one comparison decides whether a slot is empty, worse or better.
pub(super) trait Key: Copy + Ord + Debug + Send {
    /// Number of bits for the depth, below the state.
    const DEPTH_BITS: u32;
    /// Maximum end of a field. One bit is left unused, so that the field of a line that cannot move, which has no bits, still
    /// starts inside the key.
    const LAST_SHIFT: u32;
    /// The state with all fields 0.
    const ZERO: Self;
    /// An empty slot, which is larger than any state at any depth.
    const EMPTY: Self;

    /// Returns the field at `shift` with the width of `mask`.
    fn field(self, shift: u32, mask: u32) -> usize;
    /// Sets a field that is 0.
    #[must_use]
    fn with_field(self, shift: u32, value: usize) -> Self;
    /// Keeps the bits of `keep` and sets those of `set`.
    #[must_use]
    fn replace(self, keep: Self, set: Self) -> Self;
    /// Returns the mask of all bits except those of one field.
    fn all_but(shift: u32, bits: u32) -> Self;
    /// Adds a depth to a state without one.
    #[must_use]
    fn at_depth(self, depth: u32) -> Self;
    /// Depth in a slot.
    fn depth(self) -> u32;
    /// State in a slot, without its depth.
    #[must_use]
    fn state(self) -> Self;
    /// Lowest bit in which the states of two slots differ; the number of bits of the key if they are equal.
    fn first_difference(self, other: Self) -> usize;
    /// Returns whether this slot is empty or holds the state of `key`, at any depth.
    fn is_slot_for(self, key: Self) -> bool;
    /// Hash of the state; the upper bits are mixed best.
    fn hash(self) -> u64;

    /// Maximum depth that a slot can hold.
    fn max_depth() -> u32 {
        ((1u64 << Self::DEPTH_BITS.min(31)) - 2) as u32
    }
}

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

macro_rules! integer_key {
    ($type:ty, $depth_bits:expr) => {
        impl Key for $type {
            const DEPTH_BITS: u32 = $depth_bits;
            const LAST_SHIFT: u32 = <$type>::BITS - 1;
            const ZERO: Self = 0;
            const EMPTY: Self = <$type>::MAX;

            #[inline(always)]
            fn field(self, shift: u32, mask: u32) -> usize {
                ((self >> shift) as u32 & mask) as usize
            }
            #[inline(always)]
            fn with_field(self, shift: u32, value: usize) -> Self {
                self | (value as $type) << shift
            }
            #[inline(always)]
            fn replace(self, keep: Self, set: Self) -> Self {
                self & keep | set
            }
            fn all_but(shift: u32, bits: u32) -> Self {
                !(((1 << bits) - 1) << shift)
            }
            #[inline(always)]
            fn at_depth(self, depth: u32) -> Self {
                self | depth as $type
            }
            #[inline(always)]
            fn depth(self) -> u32 {
                self as u32 & ((1 << $depth_bits) - 1)
            }
            #[inline(always)]
            fn state(self) -> Self {
                self >> $depth_bits << $depth_bits
            }
            #[inline(always)]
            fn first_difference(self, other: Self) -> usize {
                (self ^ other).state().trailing_zeros() as usize
            }
            #[inline(always)]
            fn is_slot_for(self, key: Self) -> bool {
                // The minimum of a number that is 0 if the slot is empty and one that is 0 if the states are equal: a single,
                // predictable branch.
                self.wrapping_add(1).min((self ^ key) >> $depth_bits) == 0
            }
            #[inline(always)]
            fn hash(self) -> u64 {
                let state = self >> $depth_bits;
                let mut mixed = (state as u64).wrapping_mul(MIX);
                if <$type>::BITS > 64 {
                    mixed = (mixed ^ (mixed >> 32) ^ (state >> (<$type>::BITS / 2)) as u64).wrapping_mul(MIX);
                }
                mixed
            }
        }
    };
}

integer_key!(u64, 10);
integer_key!(u128, 16);

/// The widest key: word 0 is the depth, and 319 bits hold any 16x16 board (32 lines of at most 495 configurations; walls only
/// reduce their number). A field may span two words.
pub(super) type WideKey = [u64; 6];

impl Key for WideKey {
    const DEPTH_BITS: u32 = 64;
    const LAST_SHIFT: u32 = 383;
    const ZERO: Self = [0; 6];
    const EMPTY: Self = [u64::MAX; 6];

    fn field(self, shift: u32, mask: u32) -> usize {
        let (word, bit) = (shift as usize / 64, shift % 64);
        let low = self[word] >> bit;
        let high = if bit > 0 && word + 1 < 6 { self[word + 1] << (64 - bit) } else { 0 };
        ((low | high) as u32 & mask) as usize
    }
    fn with_field(mut self, shift: u32, value: usize) -> Self {
        let (word, bit) = (shift as usize / 64, shift % 64);
        self[word] |= (value as u64) << bit;
        if bit > 0 && word + 1 < 6 {
            self[word + 1] |= value as u64 >> (64 - bit);
        }
        self
    }
    fn replace(self, keep: Self, set: Self) -> Self {
        std::array::from_fn(|i| self[i] & keep[i] | set[i])
    }
    fn all_but(shift: u32, bits: u32) -> Self {
        Self::ZERO.with_field(shift, (1 << bits) - 1).map(|word| !word)
    }
    fn at_depth(mut self, depth: u32) -> Self {
        self[0] = depth.into();
        self
    }
    fn depth(self) -> u32 {
        self[0] as u32
    }
    fn state(mut self) -> Self {
        self[0] = 0;
        self
    }
    fn first_difference(self, other: Self) -> usize {
        let word = (1..6).find(|&i| self[i] != other[i]);
        word.map_or(384, |i| 64 * i + (self[i] ^ other[i]).trailing_zeros() as usize)
    }
    fn is_slot_for(self, key: Self) -> bool {
        self[1..] == key[1..] || self == Self::EMPTY
    }
    fn hash(self) -> u64 {
        self[1..].iter().fold(0, |hash: u64, &word| (hash ^ (hash >> 32) ^ word).wrapping_mul(MIX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_fields_round_trip<K: Key>() {
        let widths = [3, 4, 9, 2, 9, 9, 5, 1, 8];
        let (mut key, mut shift, mut fields) = (K::ZERO, K::DEPTH_BITS, Vec::new());
        for (i, &bits) in widths.iter().cycle().enumerate() {
            if shift + bits > K::LAST_SHIFT {
                break;
            }
            let value = (i * 7919 + 3) & ((1 << bits) - 1);
            key = key.with_field(shift, value);
            fields.push((shift, bits, value));
            shift += bits;
        }
        for &(shift, bits, value) in &fields {
            assert_eq!(key.at_depth(5).field(shift, (1 << bits) - 1), value);
            let changed = key.replace(K::all_but(shift, bits), K::ZERO.with_field(shift, 1));
            assert_eq!(changed.field(shift, (1 << bits) - 1), 1);
            assert!(fields.iter().all(|&(s, b, v)| s == shift || changed.field(s, (1 << b) - 1) == v));
            assert_eq!(changed.at_depth(2).is_slot_for(key.at_depth(3)), value == 1);
            let difference = changed.at_depth(2).first_difference(key) as u32;
            assert!(value == 1 || (shift..shift + bits).contains(&difference));
        }
        assert!(K::EMPTY.is_slot_for(key));
        assert_eq!(key.at_depth(5).depth(), 5);
        assert!(key.at_depth(4) < key.at_depth(5) && key.at_depth(K::max_depth()) < K::EMPTY);
        assert_eq!(key.hash(), key.at_depth(9).hash());
    }

    #[test]
    fn fields_are_independent_in_keys_of_every_width() {
        assert_fields_round_trip::<u64>();
        assert_fields_round_trip::<u128>();
        assert_fields_round_trip::<WideKey>();
    }
}
