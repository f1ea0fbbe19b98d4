//! The hardest state that is reachable from a board, or all states at a distance, and nothing else: generators need these
//! thousands of times.

use super::StateSpace;
use super::contracted::ComponentStates;
use super::flood::flood;
use super::key::Key;
use super::memory::SearchMemory;
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

/// Finds the hardest state of a component breadth-first from its solved states.
///
/// `component` is the component of the board, if it was enumerated already; otherwise its states are enumerated first.
pub(super) fn hardest<S: StateSpace>(
    space: &S,
    board: &Board,
    component: Option<&ComponentStates>,
    memory: &mut SearchMemory<S::Key>,
    checker: &LimitChecker,
) -> Option<HardestState> {
    let (states, goals) = solved_states(space, component, memory, checker)?;
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
    component: Option<&ComponentStates>,
    distance: u32,
    memory: &mut SearchMemory<S::Key>,
    checker: &LimitChecker,
) -> Option<Vec<Vec<u8>>> {
    let (_, goals) = solved_states(space, component, memory, checker)?;
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

/// Returns the number of states of a component, and the solved ones. `None` if a limit is reached first.
fn solved_states<S: StateSpace>(
    space: &S,
    component: Option<&ComponentStates>,
    memory: &mut SearchMemory<S::Key>,
    checker: &LimitChecker,
) -> Option<(u64, Vec<S::Key>)> {
    if let Some(component) = component {
        let goals = component.solved.iter().map(|&state| space.pack(|line| component.config(state, line)));
        return Some((component.states, goals.collect::<Option<_>>()?));
    }
    if let (_, Some(_)) = flood(space, vec![space.start()], memory, checker) {
        return None;
    }
    // The enumeration checks its limits only occasionally; whether the node limit is exceeded must not depend on that.
    if checker.check(memory.found as u64 - 1, 0).is_some() {
        return None;
    }
    let states = memory.states[..memory.found].iter().map(|state| state.state());
    Some((memory.found as u64, states.filter(|&state| space.is_solved(state)).collect()))
}

fn positions<S: StateSpace>(space: &S, board: &Board, state: S::Key) -> Vec<u8> {
    let mut positions = vec![0; board.vehicles().len()];
    space.positions(state, &mut positions);
    positions
}
