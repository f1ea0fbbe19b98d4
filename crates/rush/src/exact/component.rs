//! Facts about all states that can be reached from a board.

use super::Space;
use super::best_first::BATCH;
use super::flood::flood;
use super::key::Key;
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

/// The hardest state of a component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hardest {
    /// The limit that ended the walk early.
    pub limit: Option<Limit>,
    /// Reachable states; 0 if the target was found out of reach of the exit without a walk.
    pub states: u64,
    /// The state that is farthest from its nearest solved state, and its distance; none if no solved state can be
    /// reached, or if the walk ended early. Of several it is the same one whichever state the walk began with: that
    /// whose vehicles stand first, those of rows before those of columns.
    pub farthest: Option<(Board, u32)>,
}

/// What the two walks over a component tell: one from the start to find it, one from its solved states for the distances.
struct Walked {
    limit: Option<Limit>,
    states: u64,
    goals: u64,
    /// The number of states at each distance; empty unless everything was walked and solved states were found.
    layers: Vec<u64>,
}

/// Walks a component. The second walk is left out if it cannot show a distance of at least `least`.
fn walk<S: Space>(space: &S, memory: &mut Memory<S::Key>, watch: &Watch, least: u32, most: usize) -> Walked {
    let (layers, limit) = flood(space, [space.start()], memory, watch, most);
    let found = memory.states[..memory.found].iter().map(|state| state.state());
    let goals: Vec<S::Key> = found.filter(|&state| space.is_solved(state)).collect();
    let mut walked = Walked { limit, states: memory.found as u64, goals: goals.len() as u64, layers: Vec::new() };
    // From a solved start, no state is farther from the nearest solved state than from this one.
    let too_shallow = space.is_solved(space.start()) && layers.len() as u32 <= least;
    let goal_bytes = goals.len() * size_of::<S::Key>();
    walked.limit = limit.or_else(|| watch.check(0, memory.bytes() + goal_bytes));
    if walked.limit.is_none() && !goals.is_empty() && !too_shallow {
        let (layers, limit) = flood(space, goals, memory, watch, most);
        walked.limit = limit;
        if limit.is_none() {
            walked.layers = layers;
        }
    }
    walked
}

/// Of the states in the last layer of a walk, the one whose vehicles stand first, compared in that order.
fn first_of_last<S: Space>(
    space: &S,
    board: &Board,
    order: &[usize],
    memory: &Memory<S::Key>,
    layers: &[u64],
) -> Option<Board> {
    let last_layer = memory.found - layers.last().copied().unwrap_or_default() as usize;
    let vehicles = board.vehicles().len();
    let (mut first, mut other) = (vec![u8::MAX; vehicles], vec![0; vehicles]);
    for &state in &memory.states[last_layer..memory.found] {
        space.positions(state, &mut other);
        if order.iter().map(|&i| other[i]).lt(order.iter().map(|&i| first[i])) {
            std::mem::swap(&mut first, &mut other);
        }
    }
    board.with_positions(&first).ok()
}

/// The hardest state of a board's component, if that is at least `least` moves away from being solved.
pub(super) fn hardest<S: Space>(
    space: &S,
    board: &Board,
    memory: &mut Memory<S::Key>,
    watch: &Watch,
    least: u32,
    most: usize,
) -> Hardest {
    let Walked { limit, states, layers, .. } = walk(space, memory, watch, least, most);
    let depth = layers.len().saturating_sub(1) as u32;
    let mut order: Vec<usize> = (0..board.vehicles().len()).collect();
    order.sort_unstable_by_key(|&i| {
        let vehicle = board.vehicles()[i];
        (vehicle.orientation, vehicle.line(), vehicle.position())
    });
    let is_hard = !layers.is_empty() && depth >= least;
    let farthest = is_hard.then(|| first_of_last(space, board, &order, memory, &layers)).flatten();
    Hardest { limit, states, farthest: farthest.map(|board| (board, depth)) }
}

/// Everything about a board's component.
pub(super) fn analyze<S: Space>(space: &S, board: &Board, memory: &mut Memory<S::Key>, watch: &Watch) -> Analysis {
    let Walked { limit, states, goals, layers } = walk(space, memory, watch, 0, usize::MAX);
    let mut facts = Analysis { limit, states, goals, ..Analysis::default() };
    if layers.is_empty() {
        return facts;
    }
    let order: Vec<usize> = (0..board.vehicles().len()).collect();
    facts.farthest = first_of_last(space, board, &order, memory, &layers);
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
