//! Facts about all states that are reachable from a board.

use super::StateSpace;
use super::best_first::BATCH;
use super::flood::flood;
use super::memory::SearchMemory;
use crate::Board;
use clearway_search::{Limit, LimitChecker};
use std::collections::BTreeMap;

/// Facts about all states that are reachable from a board: its component of the state graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Limit that stopped the analysis. Unknown values are then `None`, and the histogram is empty.
    pub limit: Option<Limit>,
    /// Whether the limit was reached before all states were found; `states` and `goals` are then lower bounds.
    pub is_partial: bool,
    /// Number of reachable states.
    pub states: u64,
    /// Number of reachable solved states.
    pub goals: u64,
    /// Distance from the start to the nearest solved state, if one is reachable.
    pub distance: Option<u32>,
    /// Largest distance of any state to its nearest solved state, if one is reachable.
    pub depth: Option<u32>,
    /// A state at that distance: of several, the one with the lexicographically smallest positions, in the order of the board's
    /// vehicles.
    pub farthest: Option<Board>,
    /// Number of different optimal solutions from the start, saturated at `u128::MAX`: see
    /// [`is_saturated`](Self::is_saturated).
    pub optimal_solutions: Option<u128>,
    /// Number of states at each distance from their nearest solved state.
    pub histogram: Vec<u64>,
}

impl Analysis {
    /// Returns whether the number of optimal solutions is only a lower bound because it may exceed 128 bits.
    pub fn is_saturated(&self) -> bool {
        self.optimal_solutions == Some(u128::MAX)
    }
}

/// Enumerates the component of a board twice: from the start to find it, and from its solved states for the distances.
pub(super) fn analyze<S: StateSpace>(
    space: &S,
    board: &Board,
    memory: &mut SearchMemory<S::Key>,
    checker: &LimitChecker,
) -> Analysis {
    use super::key::Key;
    let (_, limit) = flood(space, vec![space.start()], memory, checker);
    let found = memory.states[..memory.found].iter().map(|state| state.state());
    let goals: Vec<S::Key> = found.filter(|&state| space.is_solved(state)).collect();
    let (states, solved) = (memory.found as u64, goals.len() as u64);
    let mut facts = Analysis { limit, is_partial: limit.is_some(), states, goals: solved, ..Analysis::default() };
    let goal_bytes = goals.len() * size_of::<S::Key>();
    facts.limit = limit.or_else(|| checker.check(0, memory.memory_usage() + goal_bytes));
    if facts.limit.is_none() && goals.is_empty() {
        facts.optimal_solutions = Some(0);
    }
    if facts.limit.is_some() || goals.is_empty() {
        return facts;
    }
    let (layers, limit) = flood(space, goals, memory, checker);
    facts.limit = limit;
    if limit.is_some() {
        return facts;
    }
    let last_layer = memory.found - layers.last().copied().unwrap_or_default() as usize;
    let mut positions = vec![0; board.vehicles().len()];
    let farthest = memory.states[last_layer..memory.found].iter().map(|&state| {
        space.positions(state, &mut positions);
        positions.clone()
    });
    facts.farthest = farthest.min().and_then(|positions| board.with_positions(&positions).ok());
    facts.distance = memory.table.depth(space.start());
    facts.depth = Some(layers.len() as u32 - 1);
    match count_shortest_paths(space, memory, checker) {
        Ok(count) => facts.optimal_solutions = Some(count),
        Err(limit) => facts.limit = Some(limit),
    }
    facts.histogram = layers;
    facts
}

/// Counts the shortest paths from the start to solved states, given a table with the distance of every state.
fn count_shortest_paths<S: StateSpace>(
    space: &S,
    memory: &SearchMemory<S::Key>,
    checker: &LimitChecker,
) -> Result<u128, Limit> {
    let mut layer = BTreeMap::from([(space.start(), 1u128)]);
    let (mut successors, mut visited) = (Vec::new(), 0);
    for distance in (0..memory.table.depth(space.start()).unwrap_or_default()).rev() {
        let mut nearer: BTreeMap<S::Key, u128> = BTreeMap::new();
        for (state, paths) in layer {
            visited += 1;
            if visited % BATCH == 0 {
                // The nodes of a map are at least half full.
                let bytes = 2 * nearer.len() * size_of::<(S::Key, u128)>();
                checker.check(0, memory.memory_usage() + 2 * bytes).map_or(Ok(()), Err)?;
            }
            successors.clear();
            space.successors(state, &mut successors);
            for &next in successors.iter().filter(|&&next| memory.table.depth(next) == Some(distance)) {
                let count = nearer.entry(next).or_default();
                *count = count.saturating_add(paths);
            }
        }
        layer = nearer;
    }
    Ok(layer.into_values().fold(0, u128::saturating_add))
}

#[cfg(test)]
mod tests {
    use super::super::key::Key;
    use super::*;
    use clearway_search::Limits;

    /// Layers of eight states, each of which leads to every state of the adjacent layers. The last layer is solved, so every
    /// step from the first layer to the last has eight choices.
    struct Lattice {
        layers: u64,
    }

    const WIDTH: u64 = 8;

    impl StateSpace for Lattice {
        type Key = u64;

        fn start(&self) -> u64 {
            Lattice::key(0, 0)
        }
        fn is_solved(&self, key: u64) -> bool {
            Lattice::coordinates(key).0 + 1 == self.layers
        }
        fn successors(&self, key: u64, found: &mut Vec<u64>) {
            let (layer, _) = Lattice::coordinates(key);
            let adjacent = [layer.checked_sub(1), Some(layer + 1).filter(|&next| next < self.layers)];
            found.extend(
                adjacent
                    .into_iter()
                    .flatten()
                    .flat_map(|next| (0..WIDTH).map(move |i| (next, i)))
                    .map(|(layer, i)| Lattice::key(layer, i)),
            );
        }
        fn add_successors(&self, from: usize, depth: u32, memory: &mut SearchMemory<u64>) {
            let mut found = Vec::new();
            self.successors(memory.states[from].state(), &mut found);
            for state in found {
                memory.add(state.at_depth(depth), from as u32);
            }
        }
        fn max_successors(&self) -> usize {
            2 * WIDTH as usize
        }
        fn pack(&self, _: impl Fn(usize) -> usize) -> Option<u64> {
            None
        }
        fn positions(&self, _: u64, positions: &mut [u8]) {
            positions.fill(0);
        }
    }

    impl Lattice {
        fn key(layer: u64, i: u64) -> u64 {
            u64::ZERO.with_field(u64::DEPTH_BITS, (layer * WIDTH + i) as usize)
        }
        fn coordinates(key: u64) -> (u64, u64) {
            let number = key.field(u64::DEPTH_BITS, 0xffff) as u64;
            (number / WIDTH, number % WIDTH)
        }
    }

    fn analyzed(layers: u64) -> Analysis {
        let board = crate::formats::read_one("4x3:...BAA.B....", None).unwrap().board;
        let limits = Limits::default();
        analyze(&Lattice { layers }, &board, &mut SearchMemory::default(), &limits.checker())
    }

    #[test]
    fn a_saturated_number_of_solutions_is_marked() {
        let many = analyzed(43);
        assert_eq!((many.optimal_solutions, many.is_saturated()), (Some(1 << 126), false));
        let more = analyzed(44);
        assert_eq!((more.optimal_solutions, more.is_saturated()), (Some(u128::MAX), true));
        assert_eq!((more.distance, more.depth, more.states), (Some(43), Some(43), 44 * WIDTH));
    }
}
