//! The hardest state that can be reached from a board, or all at a distance, and nothing else: what a generator asks for
//! thousands of times.

use super::Space;
use super::flood::flood;
use super::memory::Memory;
use crate::Board;
use clearway_search::Watch;

/// The hardest state of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hardest {
    /// Reachable states.
    pub states: u64,
    /// The largest distance of any state to its nearest solved state.
    pub depth: u32,
    /// A shortest way from a state at that distance to a solved one: the positions of the board's vehicles, in their
    /// order, at each of its stations. Of several hardest states, the one whose vehicles stand first.
    pub way: Vec<Vec<u8>>,
}

/// Walks the component of a board: once from the start to find it, once from its solved states to find the farthest.
pub(super) fn hardest<S: Space>(
    space: &S,
    board: &Board,
    memory: &mut Memory<S::Key>,
    watch: &Watch,
) -> Option<Hardest> {
    let (states, goals) = space.component(board, memory, watch).ok()?;
    if goals.is_empty() {
        return None;
    }
    let (layers, limit) = flood(space, goals, memory, watch);
    if limit.is_some() {
        return None;
    }
    let positions = |state| positions(space, board, state);
    let last_layer = memory.found - *layers.last()? as usize;
    let farthest = (last_layer..memory.found).min_by_key(|&index| positions(memory.states[index]))?;
    let mut way: Vec<Vec<u8>> = memory.path_to(farthest as u32).into_iter().map(positions).collect();
    way.reverse();
    debug_assert_eq!(memory.found as u64, states);
    Some(Hardest { states, depth: layers.len() as u32 - 1, way })
}

/// All states of the component of a board that are at a distance from their nearest solved state.
pub(super) fn at_distance<S: Space>(
    space: &S,
    board: &Board,
    distance: u32,
    memory: &mut Memory<S::Key>,
    watch: &Watch,
) -> Option<Vec<Vec<u8>>> {
    let (_, goals) = space.component(board, memory, watch).ok()?;
    let (layers, limit) = flood(space, goals, memory, watch);
    if limit.is_some() {
        return None;
    }
    let distance = distance as usize;
    let Some(&states) = layers.get(distance) else { return Some(Vec::new()) };
    let first = layers[..distance].iter().sum::<u64>() as usize;
    let states = &memory.states[first..first + states as usize];
    Some(states.iter().map(|&state| positions(space, board, state)).collect())
}

fn positions<S: Space>(space: &S, board: &Board, state: S::Key) -> Vec<u8> {
    let mut positions = vec![0; board.vehicles().len()];
    space.positions(state, &mut positions);
    positions
}
