//! Breadth-first enumeration of all reachable states.

use super::StateSpace;
use super::best_first::BATCH;
use super::key::Key;
use super::memory::SearchMemory;
use clearway_search::{Limit, LimitChecker};

/// Enumerates all states that are reachable from the sources, in layers, and stores the depth of each state in the table.
/// Returns the number of states of each layer, and the limit that stopped the enumeration, if any.
pub(super) fn flood<S: StateSpace>(
    space: &S,
    sources: Vec<S::Key>,
    memory: &mut SearchMemory<S::Key>,
    checker: &LimitChecker,
) -> (Vec<u64>, Option<Limit>) {
    memory.clear();
    // The sources are held in addition to the memory until all of them are inserted.
    let held = size_of_val(&*sources);
    if let Err(limit) = memory.make_room_beside(sources.len(), held, checker) {
        return (Vec::new(), Some(limit));
    }
    for state in sources {
        memory.add(state, memory.found as u32);
    }
    let (mut layers, mut next, max_successors) = (Vec::new(), 0, space.max_successors());
    while next < memory.found {
        let layer_end = memory.found;
        layers.push((layer_end - next) as u64);
        let depth = (layers.len() as u32).min(<S::Key as Key>::max_depth());
        while next < layer_end {
            let stopped = if (next as u64).is_multiple_of(BATCH) {
                checker.check(next as u64, memory.memory_usage())
            } else {
                None
            };
            let room = memory.fit_to_population(max_successors, checker, next as u64);
            if let Some(limit) = stopped.or(room.err()) {
                return (layers, Some(limit));
            }
            space.add_successors(next, depth, memory);
            next += 1;
        }
    }
    (layers, None)
}
