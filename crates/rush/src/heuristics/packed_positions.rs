//! Positions of vehicles packed into words, 4 bits per vehicle, for computations on 16 vehicles at once.

use crate::RushState;

/// Positions of all vehicles of a board that a state is compared with.
#[derive(Clone, Debug)]
pub(super) struct PackedPositions(Vec<u64>);

/// The lower half of each byte.
const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
/// The lowest and the highest bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

impl PackedPositions {
    /// Packs positions, given by vehicle.
    pub fn new(positions: &[u8]) -> Self {
        let word = |vehicles: &[u8]| vehicles.iter().rev().fold(0, |word, &position| word << 4 | u64::from(position));
        PackedPositions(positions.chunks(16).map(word).collect())
    }

    /// Total distance of the vehicles of a state from these positions, in cells.
    #[inline]
    pub fn distance<const N: usize>(&self, state: &RushState<N>) -> u32 {
        // Each byte holds at most 2 * 15 for each of at most eight words.
        let mut sums = 0;
        for (&here, &there) in state.packed_positions().iter().zip(&self.0) {
            sums += distances(here & LOW, there & LOW) + distances(here >> 4 & LOW, there >> 4 & LOW);
        }
        let pairs = (sums & 0x00ff_00ff_00ff_00ff) + (sums >> 8 & 0x00ff_00ff_00ff_00ff);
        (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
    }

    /// Visits the vehicles of a state that are not at these positions.
    #[inline]
    pub fn for_each_displaced<const N: usize>(&self, state: &RushState<N>, mut visit: impl FnMut(usize)) {
        for (word, (&here, &there)) in state.packed_positions().iter().zip(&self.0).enumerate() {
            for_each_difference(here, there, |vehicle| visit(word * 16 + vehicle));
        }
    }
}

/// Visits the indices of the 4-bit fields in which two words differ.
#[inline]
pub(super) fn for_each_difference(one: u64, other: u64, mut visit: impl FnMut(usize)) {
    let mut rest = one ^ other;
    while rest != 0 {
        let field = rest.trailing_zeros() / 4;
        rest &= !(15 << (4 * field));
        visit(field as usize);
    }
}

/// The absolute difference of each byte of two words whose bytes are less than 128.
#[inline]
fn distances(one: u64, other: u64) -> u64 {
    let difference = (one | TOPS) - other;
    // 1 in each byte whose difference is negative, where the top bit is lost.
    let negative = !difference >> 7 & ONES;
    ((difference & !TOPS) ^ (negative * 0x7f)) + negative
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, RushDomain, suites::Suite};
    use clearway_search::Domain;

    #[test]
    fn bytes_are_subtracted_independently() {
        let of = |bytes: [u8; 8]| u64::from_le_bytes(bytes);
        let found = distances(of([0, 15, 3, 0, 9, 9, 1, 15]), of([15, 0, 3, 1, 8, 10, 0, 14]));
        assert_eq!(found.to_le_bytes(), [15, 15, 0, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn distances_are_the_sums_over_all_vehicles() {
        for puzzle in Suite::find("large").unwrap().puzzles().into_iter().step_by(9) {
            let domain = RushDomain::<8>::new(&puzzle.board, Metric::Moves).unwrap();
            let (mut state, mut moves) = (domain.start(), Vec::new());
            let start: Vec<u8> = (0..domain.bodies().len()).map(|vehicle| state.position(vehicle)).collect();
            let packed = PackedPositions::new(&start);
            for step in 0..60 {
                let distance = |vehicle: usize| u32::from(state.position(vehicle).abs_diff(start[vehicle]));
                assert_eq!(packed.distance(&state), (0..start.len()).map(distance).sum::<u32>());
                let mut displaced = Vec::new();
                packed.for_each_displaced(&state, |vehicle| displaced.push(vehicle));
                assert_eq!(displaced, (0..start.len()).filter(|&vehicle| distance(vehicle) > 0).collect::<Vec<_>>());
                moves.clear();
                domain.moves(&state, &mut moves);
                domain.apply(&mut state, moves[step * 31 % moves.len()]);
            }
        }
    }
}
