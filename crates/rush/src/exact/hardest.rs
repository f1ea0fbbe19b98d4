//! The hardest state that is reachable from a board, or all states at a distance, and nothing else: generators need these
//! thousands of times.

use super::StateSpace;
use super::flood::flood;
use super::memory::Memory;
use crate::Board;
use clearway_search::LimitChecker;

/// The hardest state of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardestState {
    /// Number of reachable states.
    pub states: u64,
    /// Largest distance of any state to its nearest solved state.
    pub depth: u32,
    /// A shortest path from a state at that distance to a solved one: for each state, the positions of the board's vehicles in
    /// their order. Of several hardest states, the one with the lexicographically smallest positions is chosen.
    pub way: Vec<Vec<u8>>,
}

/// Enumerates the component of a board twice: from the start to find it, and from its solved states to find the farthest.
pub(super) fn hardest<S: StateSpace>(
    space: &S,
    board: &Board,
    memory: &mut Memory<S::Key>,
    checker: &LimitChecker,
) -> Option<HardestState> {
    let (states, goals) = space.component(board, memory, checker).ok()?;
    if goals.is_empty() {
        return None;
    }
    let (layers, limit) = flood(space, goals, memory, checker);
    if limit.is_some() {
        return None;
    }
    let positions = |state| positions(space, board, state);
    let last_layer = memory.found - *layers.last()? as usize;
    let farthest = (last_layer..memory.found).min_by_key(|&index| positions(memory.states[index]))?;
    let mut path: Vec<Vec<u8>> = memory.path_to(farthest as u32).into_iter().map(positions).collect();
    path.reverse();
    debug_assert_eq!(memory.found as u64, states);
    Some(HardestState { states, depth: layers.len() as u32 - 1, way: path })
}

/// Returns all states of a component with the given distance to their nearest solved state, as positions of the vehicles.
pub(super) fn at_distance<S: StateSpace>(
    space: &S,
    board: &Board,
    distance: u32,
    memory: &mut Memory<S::Key>,
    checker: &LimitChecker,
) -> Option<Vec<Vec<u8>>> {
    let (_, goals) = space.component(board, memory, checker).ok()?;
    let (layers, limit) = flood(space, goals, memory, checker);
    if limit.is_some() {
        return None;
    }
    let distance = distance as usize;
    let Some(&states) = layers.get(distance) else { return Some(Vec::new()) };
    let first = layers[..distance].iter().sum::<u64>() as usize;
    let states = &memory.states[first..first + states as usize];
    Some(states.iter().map(|&state| positions(space, board, state)).collect())
}

fn positions<S: StateSpace>(space: &S, board: &Board, state: S::Key) -> Vec<u8> {
    let mut positions = vec![0; board.vehicles().len()];
    space.positions(state, &mut positions);
    positions
}
