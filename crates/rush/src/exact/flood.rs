//! Breadth-first walk over everything that can be reached.

use super::Space;
use super::best_first::BATCH;
use super::key::Key;
use super::memory::Memory;
use clearway_search::{Limit, Watch};

/// Visits everything that can be reached from some states, in layers, and keeps each state's depth in the table.
/// Returns the number of states of each layer, and the limit that ended it early.
pub(super) fn flood<S: Space>(
    space: &S,
    sources: Vec<S::Key>,
    memory: &mut Memory<S::Key>,
    watch: &Watch,
) -> (Vec<u64>, Option<Limit>) {
    memory.clear();
    // The sources are held beside the memory until all of them are in it.
    let held = size_of_val(&*sources);
    if let Err(limit) = memory.make_room_beside(sources.len(), held, watch) {
        return (Vec::new(), Some(limit));
    }
    for state in sources {
        memory.add(state, memory.found as u32);
    }
    let (mut layers, mut next, most) = (Vec::new(), 0, space.most_successors());
    while next < memory.found {
        let layer_end = memory.found;
        layers.push((layer_end - next) as u64);
        let depth = (layers.len() as u32).min(<S::Key as Key>::max_depth());
        while next < layer_end {
            let stopped =
                if (next as u64).is_multiple_of(BATCH) { watch.check(next as u64, memory.bytes()) } else { None };
            let room = memory.make_room(most, watch, next as u64);
            if let Some(limit) = stopped.or(room.err()) {
                return (layers, Some(limit));
            }
            space.add_successors(next, depth, memory);
            next += 1;
        }
    }
    (layers, None)
}
