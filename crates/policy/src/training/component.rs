//! All states that can be reached from a board.

use super::arena::ArenaError;
use clearway_rush::{RushDomain, RushMove, RushState};
use clearway_search::Domain;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The keys of all states, numbered as they are found, breadth first from the start. Each state is visited once, in the
/// order of the numbers, with its moves and the numbers of the states that they lead to.
pub(super) fn flood<const N: usize>(
    domain: &RushDomain<N>,
    most_states: usize,
    mut visit: impl FnMut(&mut RushState<N>, &[(RushMove, u32)]),
) -> Result<Vec<[u64; N]>, ArenaError> {
    let mut keys = vec![domain.key(&domain.start())];
    let mut numbers = HashMap::<[u64; N], u32, BuildHasherDefault<Spread>>::default();
    numbers.insert(keys[0], 0);
    let (mut moves, mut ways, mut next) = (Vec::new(), Vec::new(), 0);
    while let Some(&key) = keys.get(next) {
        next += 1;
        let mut state = domain.state(key);
        moves.clear();
        domain.moves(&state, &mut moves);
        ways.clear();
        for &mv in &moves {
            let key = domain.key_after(&mut state, mv);
            let to = *numbers.entry(key).or_insert(keys.len() as u32);
            if to as usize == keys.len() {
                keys.push(key);
            }
            ways.push((mv, to));
        }
        visit(&mut state, &ways);
        if keys.len() > most_states {
            return Err(ArenaError::TooLarge(most_states));
        }
    }
    Ok(keys)
}

/// Spreads a key of a few words by multiplication: the keys are no one's choice.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value) * 0x9E37_79B9_7F4A_7C15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::{Metric, formats};
    use std::collections::BTreeSet;

    #[test]
    fn every_state_is_visited_once_with_all_its_moves() {
        // A car of two cells alone in a line of four.
        let board = formats::read_one("4x3:....AA......", None).unwrap().board;
        let domain = RushDomain::<1>::new(&board, Metric::Moves).unwrap();
        let mut ways = Vec::new();
        let keys = flood(&domain, 3, |_, moves| {
            ways.push(moves.iter().map(|(_, to)| *to).collect::<BTreeSet<u32>>());
        });
        let keys = keys.unwrap();
        assert_eq!(ways, [[1, 2], [0, 2], [0, 1]].map(BTreeSet::from));
        assert!(keys.len() == 3 && keys[0] != keys[1] && keys[1] != keys[2] && keys[2] != keys[0]);
        assert_eq!(flood(&domain, 2, |_, _| {}), Err(ArenaError::TooLarge(2)));
    }
}
