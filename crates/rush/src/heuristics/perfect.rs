//! `perfect`: the true distance, computed for the whole component of the board.

use super::{BuildError, HeuristicContext};
use crate::RushDomain;
use crate::numbering::Numbering;
use clearway_search::{Domain, Heuristic, Node};

/// The true distance of every reachable state, computed by a backward search from all solved states.
#[derive(Clone, Debug)]
pub struct Perfect<const N: usize> {
    states: Numbering<N>,
    /// The distance of each state, indexed by its number.
    distances: Vec<u16>,
}

/// The distance of states from which no solved state has been reached.
const UNKNOWN: u16 = u16::MAX;

impl<const N: usize> Perfect<N> {
    /// Computes the distances for a board. Fails if its component exceeds the limits of the context.
    pub fn new(domain: &RushDomain<N>, context: &HeuristicContext) -> Result<Self, BuildError> {
        let checker = context.limits.checker();
        let mut states = Numbering::new();
        states.number(domain.key(&domain.start()));
        let (mut solved, mut moves, mut flooded) = (Vec::new(), Vec::new(), 0);
        while let Some(&key) = states.keys().get(flooded) {
            if flooded.is_multiple_of(256) {
                // The backward search will need the distances and two layers of state numbers.
                let later = states.keys().len() * (size_of::<u16>() + 2 * size_of::<u32>());
                if let Some(limit) = checker.check(flooded as u64, states.memory_usage_soon() + later) {
                    let table = "all reachable states";
                    return Err(BuildError { name: "perfect", table, limit, states: states.keys().len() as u64 });
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
        let mut distances = vec![UNKNOWN; states.keys().len()];
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
                    if let Some((other, known @ &mut UNKNOWN)) = reached {
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

    /// The distance of a state to the nearest solved one: infinite if there is none, `None` if the state is not reachable from
    /// the start.
    pub fn distance(&self, key: [u64; N]) -> Option<f64> {
        let distance = self.distances[self.states.get(key)? as usize];
        Some(if distance == UNKNOWN { f64::INFINITY } else { f64::from(distance) })
    }

    /// The keys of all reachable states, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = [u64; N]> + '_ {
        self.states.keys().iter().copied()
    }
}

/// Visits the keys of all successors of a state; `moves` is a buffer.
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
    /// The distance; 0 for states that are not reachable from the start, whose distance is unknown.
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        self.distance(domain.key(node.state)).unwrap_or_default()
    }

    fn memory_usage(&self) -> usize {
        self.states.memory_usage() + self.distances.capacity() * size_of::<u16>()
    }
}
