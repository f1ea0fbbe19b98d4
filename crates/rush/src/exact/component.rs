//! Facts about all states that can be reached from a board.

use super::Space;
use super::best_first::BATCH;
use super::flood::flood;
use super::memory::Memory;
use crate::Board;
use clearway_search::{Limit, Watch};
use std::collections::BTreeMap;

/// Facts about all states that can be reached from a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The limit that ended the walk early; what was not found out by then is 0 or none.
    pub limit: Option<Limit>,
    /// Reachable states.
    pub states: u64,
    /// Reachable solved states.
    pub goals: u64,
    /// The start's distance to the nearest solved state, if any can be reached.
    pub distance: Option<u32>,
    /// The largest distance of any state to its nearest solved state.
    pub depth: u32,
    /// A state at that distance: of several, the one whose vehicles stand first (in the order of the board's vehicles).
    pub farthest: Option<Board>,
    /// The number of different shortest solutions from the start.
    pub optimal_solutions: u128,
    /// How many states there are at each distance from their nearest solved state.
    pub histogram: Vec<u64>,
}

/// Walks the component of a board: once from the start to find it, once from its solved states for the distances.
pub(super) fn analyze<S: Space>(space: &S, board: &Board, memory: &mut Memory<S::Key>, watch: &Watch) -> Analysis {
    use super::key::Key;
    let (_, limit) = flood(space, vec![space.start()], memory, watch);
    let found = memory.states[..memory.found].iter().map(|state| state.state());
    let goals: Vec<S::Key> = found.filter(|&state| space.is_solved(state)).collect();
    let (states, solved) = (memory.found as u64, goals.len() as u64);
    let mut facts = Analysis { limit, states, goals: solved, ..Analysis::default() };
    let goal_bytes = goals.len() * size_of::<S::Key>();
    facts.limit = limit.or_else(|| watch.check(0, memory.bytes() + goal_bytes));
    if facts.limit.is_some() || goals.is_empty() {
        return facts;
    }
    let (layers, limit) = flood(space, goals, memory, watch);
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
    facts.depth = layers.len() as u32 - 1;
    match shortest_paths(space, memory, watch) {
        Ok(count) => facts.optimal_solutions = count,
        Err(limit) => facts.limit = Some(limit),
    }
    facts.histogram = layers;
    facts
}

/// The number of shortest paths from the start to solved states, from a table that holds every state's distance.
fn shortest_paths<S: Space>(space: &S, memory: &Memory<S::Key>, watch: &Watch) -> Result<u128, Limit> {
    let mut layer = BTreeMap::from([(space.start(), 1u128)]);
    let (mut successors, mut visited) = (Vec::new(), 0);
    for distance in (0..memory.table.depth(space.start()).unwrap_or_default()).rev() {
        let mut nearer: BTreeMap<S::Key, u128> = BTreeMap::new();
        for (state, paths) in layer {
            visited += 1;
            if visited % BATCH == 0 {
                // A map's nodes are half full at worst.
                let bytes = 2 * nearer.len() * size_of::<(S::Key, u128)>();
                watch.check(0, memory.bytes() + 2 * bytes).map_or(Ok(()), Err)?;
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
