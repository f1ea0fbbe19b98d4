//! `perfect`: the true distance, from the whole component of the board.

use super::{BuildError, Context};
use crate::RushDomain;
use clearway_search::{Domain, Heuristic, Node};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// The true distance of every state that can be reached, by a search backward from all solved ones.
#[derive(Clone, Debug)]
pub struct Perfect<const N: usize> {
    distances: HashMap<[u64; N], u16, BuildHasherDefault<KeyHasher>>,
}

/// The distance of states that were found but not yet reached from a solved one.
const FAR: u16 = u16::MAX;

impl<const N: usize> Perfect<N> {
    /// The distances for a board, if its component fits into the limits.
    pub fn new(domain: &RushDomain<N>, context: &Context) -> Result<Self, BuildError> {
        let watch = context.limits.watch();
        let mut distances: HashMap<[u64; N], u16, _> = HashMap::default();
        let mut layer = vec![domain.key(&domain.start())];
        distances.insert(layer[0], FAR);
        let (mut solved, mut next, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        let mut flooded = 0u64;
        while let Some(key) = layer.pop() {
            if flooded.is_multiple_of(256) {
                let entry = size_of::<([u64; N], u16)>() + 1;
                let bytes = distances.capacity() * entry * 8 / 7 + layer.capacity() * size_of::<[u64; N]>();
                if let Some(limit) = watch.check(flooded, bytes) {
                    let what = "all states that can be reached";
                    return Err(BuildError { name: "perfect", what, limit, states: distances.len() as u64 });
                }
            }
            flooded += 1;
            let mut state = domain.state(key);
            if domain.is_goal(&state) {
                solved.push(key);
            }
            for_each_neighbour(domain, &mut state, &mut moves, |neighbour| {
                if let Entry::Vacant(entry) = distances.entry(neighbour) {
                    entry.insert(FAR);
                    layer.push(neighbour);
                }
            });
        }
        let mut distance = 0;
        for &key in &solved {
            distances.insert(key, 0);
        }
        layer = solved;
        while !layer.is_empty() {
            distance += 1;
            for &key in &layer {
                for_each_neighbour(domain, &mut domain.state(key), &mut moves, |neighbour| {
                    if let Some(known @ &mut FAR) = distances.get_mut(&neighbour) {
                        *known = distance;
                        next.push(neighbour);
                    }
                });
            }
            layer.clear();
            std::mem::swap(&mut layer, &mut next);
        }
        Ok(Perfect { distances })
    }

    /// The distance of a state to the nearest solved one; infinite if there is none, none if it cannot be reached from
    /// the start.
    pub fn distance(&self, key: [u64; N]) -> Option<f64> {
        self.distances.get(&key).map(|&distance| if distance == FAR { f64::INFINITY } else { f64::from(distance) })
    }

    /// All states that can be reached, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = [u64; N]> + '_ {
        self.distances.keys().copied()
    }
}

fn for_each_neighbour<const N: usize>(
    domain: &RushDomain<N>,
    state: &mut <RushDomain<N> as Domain>::State,
    moves: &mut Vec<<RushDomain<N> as Domain>::Move>,
    mut visit: impl FnMut([u64; N]),
) {
    moves.clear();
    domain.moves(state, moves);
    for &mv in &*moves {
        domain.apply(state, mv);
        visit(domain.key(state));
        domain.undo(state, mv);
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for Perfect<N> {
    /// The distance; 0 for a state that cannot be reached from the start, of which nothing is known.
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        self.distance(domain.key(node.state)).unwrap_or_default()
    }
}

/// A hash for packed states: they come from boards, not from somebody who wants collisions.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_ne_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_usize(&mut self, _: usize) {} // the length of the array, which is always the same

    fn finish(&self) -> u64 {
        self.0
    }
}
