//! Breadth-first search, for boards whose search ends soon, and for spaces without an estimate.

use super::Space;
use super::key::Key;
use super::memory::{Memory, NONE};
use super::reach::Bits;
use super::small::Small;
use clearway_search::{Counters, Limit, Verdict, Watch};

/// How many states are expanded between two looks at the clock.
pub(super) const BATCH: u64 = 1 << 10;

/// What a search of packed states ends with.
#[derive(Debug)]
pub(super) struct Found<K> {
    pub verdict: Verdict,
    /// The states from the start to the solved one.
    pub path: Vec<K>,
    pub counters: Counters,
    /// No solution is shorter.
    pub lower_bound: u32,
    /// A depth was reached that the key has no room for: a wider key is needed.
    pub too_deep: bool,
}

impl<K> Found<K> {
    pub fn new(verdict: Verdict, path: Vec<K>, counters: Counters, lower_bound: u32) -> Self {
        Found { verdict, path, counters, lower_bound, too_deep: false }
    }

    pub fn limit(limit: Limit, counters: Counters, lower_bound: u32) -> Self {
        Found::new(Verdict::Limit(limit), Vec::new(), counters, lower_bound)
    }
}

/// Searches a small space in layers. A solved state is recognised when its parent is expanded, so that the last layer
/// is never made.
pub(super) fn search<K: Key, const W: usize>(space: &Small<K, W>, memory: &mut Memory<K>, watch: &Watch) -> Found<K> {
    memory.clear();
    let mut counters = Counters::default();
    if let Err(limit) = memory.make_room(space.most_successors(), watch, 0) {
        return Found::limit(limit, counters, 0);
    }
    memory.add(space.start(), NONE);
    if space.is_solved(space.start()) {
        return Found::new(Verdict::Solved, vec![space.start()], counters, 0);
    }
    let (mut next, mut layer_end, mut depth) = (0, 1, 0);
    let mut check_at = 0;
    while next < memory.found {
        if next == layer_end {
            (layer_end, depth) = (memory.found, depth + 1);
        }
        if counters.expanded >= check_at {
            if let Some(limit) = watch.check(counters.expanded, memory.bytes()) {
                return Found::limit(limit, counters, depth + 1);
            }
            check_at = counters.expanded + watch.nodes_until_check(counters.expanded, BATCH);
        }
        if let Err(limit) = memory.make_room(space.most_successors(), watch, counters.expanded) {
            return Found::limit(limit, counters, depth + 1);
        }
        let state = memory.states[next];
        let (words, solved) = space.expand_plain(state);
        counters.expanded += 1;
        counters.generated += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        if let Some(bit) = solved {
            let mut path = memory.path_to(next as u32);
            path.push(space.successor(state, bit));
            return Found::new(Verdict::Solved, path, counters, depth + 1);
        }
        for (w, &word) in words.iter().enumerate() {
            for bit in Bits(word) {
                memory.add(space.successor(state, w * 64 + bit), next as u32);
            }
        }
        next += 1;
    }
    Found::new(Verdict::Unsolvable, Vec::new(), counters, 0)
}

/// Visits everything that can be reached from some states, in layers, and keeps each state's depth in the table.
/// Returns the number of states of each layer, and the limit that ended it early.
pub(super) fn flood<S: Space>(
    space: &S,
    sources: impl IntoIterator<Item = S::Key>,
    memory: &mut Memory<S::Key>,
    watch: &Watch,
) -> (Vec<u64>, Option<Limit>) {
    memory.clear();
    for state in sources {
        if let Err(limit) = memory.make_room(1, watch, 0) {
            return (Vec::new(), Some(limit));
        }
        memory.add(state, NONE);
    }
    let (mut layers, mut next, mut found) = (Vec::new(), 0, Vec::new());
    while next < memory.found {
        let layer_end = memory.found;
        layers.push((layer_end - next) as u64);
        let depth = (layers.len() as u32).min(<S::Key as Key>::max_depth());
        while next < layer_end {
            found.clear();
            space.successors(memory.states[next].state(), &mut found);
            let stopped =
                if (next as u64).is_multiple_of(BATCH) { watch.check(next as u64, memory.bytes()) } else { None };
            let room = memory.make_room(found.len(), watch, next as u64);
            if let Some(limit) = stopped.or(room.err()) {
                return (layers, Some(limit));
            }
            for &state in &found {
                memory.add(state.at_depth(depth), next as u32);
            }
            next += 1;
        }
    }
    (layers, None)
}
