//! `perfect`: the true distance, from the whole component of the board.

use super::{BuildError, Context};
use crate::RushDomain;
use crate::numbering::Numbering;
use clearway_search::{Domain, Heuristic, Node};

/// The true distance of every state that can be reached, by a search backward from all solved ones.
#[derive(Clone, Debug)]
pub struct Perfect<const N: usize> {
    states: Numbering<N>,
    /// By the number of a state.
    distances: Vec<u16>,
}

/// The distance of states that were found but not yet reached from a solved one.
const FAR: u16 = u16::MAX;

impl<const N: usize> Perfect<N> {
    /// The distances for a board, if its component fits into the limits.
    pub fn new(domain: &RushDomain<N>, context: &Context) -> Result<Self, BuildError> {
        let watch = context.limits.watch();
        let mut states = Numbering::new();
        states.number(domain.key(&domain.start()));
        let (mut solved, mut moves, mut flooded) = (Vec::new(), Vec::new(), 0);
        while let Some(&key) = states.keys().get(flooded) {
            if flooded.is_multiple_of(256) {
                // For the distances there will be two layers of numbers besides.
                let later = states.keys().len() * (size_of::<u16>() + 2 * size_of::<u32>());
                if let Some(limit) = watch.check(flooded as u64, states.bytes_soon() + later) {
                    let what = "all states that can be reached";
                    return Err(BuildError { name: "perfect", what, limit, states: states.keys().len() as u64 });
                }
            }
            let mut state = domain.state(key);
            if domain.is_goal(&state) {
                solved.push(flooded as u32);
            }
            flooded += 1;
            for_each_neighbour(domain, &mut state, &mut moves, |neighbour| {
                states.number(neighbour);
            });
        }
        let mut distances = vec![FAR; states.keys().len()];
        for &number in &solved {
            distances[number as usize] = 0;
        }
        let (mut layer, mut next, mut distance) = (solved, Vec::new(), 0);
        while !layer.is_empty() {
            distance += 1;
            for &number in &layer {
                let mut state = domain.state(states.keys()[number as usize]);
                for_each_neighbour(domain, &mut state, &mut moves, |neighbour| {
                    let reached = states.get(neighbour).map(|other| (other, &mut distances[other as usize]));
                    if let Some((other, known @ &mut FAR)) = reached {
                        *known = distance;
                        next.push(other);
                    }
                });
            }
            layer.clear();
            std::mem::swap(&mut layer, &mut next);
        }
        Ok(Perfect { states, distances })
    }

    /// The distance of a state to the nearest solved one; infinite if there is none, none if it cannot be reached from
    /// the start.
    pub fn distance(&self, key: [u64; N]) -> Option<f64> {
        let distance = self.distances[self.states.get(key)? as usize];
        Some(if distance == FAR { f64::INFINITY } else { f64::from(distance) })
    }

    /// All states that can be reached, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = [u64; N]> + '_ {
        self.states.keys().iter().copied()
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

    fn bytes(&self) -> usize {
        self.states.bytes() + self.distances.capacity() * size_of::<u16>()
    }
}
