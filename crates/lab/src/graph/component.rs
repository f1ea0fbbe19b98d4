//! The walk over all states of a board, and their distances.

use clearway_rush::{RushDomain, flood};
use clearway_search::{Domain, Limits};
use std::ops::ControlFlow;

/// How many states are visited between two looks at the limits.
const BATCH: usize = 256;

/// About how many bytes a state takes beside its key and its ways: its distance, its place in a layer, and what the walk
/// and the sample remember of it.
const BYTES: usize = 32;

/// The states of a board, numbered as they were found from the start, which is 0.
#[derive(Debug)]
pub(super) struct Component {
    /// By state: where its ways begin; one more at the end.
    first: Vec<usize>,
    ways: Vec<u32>,
    /// Whether these are all states.
    pub complete: bool,
    /// Whether distances are from the nearest solved state, and not from the start.
    pub from_goals: bool,
    /// By state: its distance.
    pub distances: Vec<u32>,
    /// By distance: the states.
    pub layers: Vec<Vec<u32>>,
    goals: Vec<u32>,
}

/// Takes out the ways to states from a number on.
fn leave_out(first: &mut [usize], ways: &mut Vec<u32>, from: u32) {
    let (mut kept, mut begin) = (0, 0);
    for last in &mut first[1..] {
        let end = *last;
        for at in begin..end {
            if ways[at] < from {
                ways[kept] = ways[at];
                kept += 1;
            }
        }
        (*last, begin) = (kept, end);
    }
    ways.truncate(kept);
}

impl Component {
    /// Walks within the limits. Also returns the keys of the states.
    pub fn walk<const N: usize>(domain: &RushDomain<N>, limits: &Limits) -> (Component, Vec<[u64; N]>) {
        let watch = limits.watch();
        let (mut first, mut ways, mut goals) = (vec![0], Vec::new(), Vec::new());
        let mut next_look = 0;
        let (mut keys, _) = flood(domain, |visit| {
            if domain.is_goal(visit.state) {
                goals.push(first.len() as u32 - 1);
            }
            ways.extend(visit.ways.iter().map(|&(_, to)| to));
            first.push(ways.len());
            let visited = first.len() - 1;
            if visited < next_look {
                return ControlFlow::Continue(());
            }
            next_look = visited + watch.nodes_until_check(visited as u64, BATCH as u64) as usize;
            let bytes = visit.bytes + visit.found * BYTES + ways.capacity() * size_of::<u32>();
            watch.check(visited as u64, bytes).map_or(ControlFlow::Continue(()), ControlFlow::Break)
        });
        // What was found but not visited has no ways of its own, so it is no part of the graph.
        let visited = first.len() - 1;
        let complete = keys.len() == visited;
        keys.truncate(visited);
        if !complete {
            leave_out(&mut first, &mut ways, visited as u32);
        }
        let from_goals = complete && !goals.is_empty();
        let mut component =
            Component { first, ways, complete, from_goals, distances: Vec::new(), layers: Vec::new(), goals };
        component.measure();
        (component, keys)
    }

    /// Finds all distances layer by layer, from the goals backwards or from the start: every move can be taken back.
    fn measure(&mut self) {
        let mut distances = vec![u32::MAX; self.len()];
        let mut layer = if self.from_goals { self.goals.clone() } else { vec![0] };
        for &state in &layer {
            distances[state as usize] = 0;
        }
        while !layer.is_empty() {
            let distance = self.layers.len() as u32 + 1;
            let mut next = Vec::new();
            for to in layer.iter().flat_map(|&state| self.ways(state)) {
                let known = &mut distances[*to as usize];
                if *known == u32::MAX {
                    *known = distance;
                    next.push(*to);
                }
            }
            self.layers.push(std::mem::replace(&mut layer, next));
        }
        self.distances = distances;
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// The states that one move leads to.
    pub fn ways(&self, state: u32) -> &[u32] {
        let (from, to) = (self.first[state as usize], self.first[state as usize + 1]);
        &self.ways[from..to]
    }

    /// Those of them that are one nearer.
    pub fn nearer(&self, state: u32) -> impl Iterator<Item = u32> {
        let distance = self.distances[state as usize];
        self.ways(state).iter().copied().filter(move |&to| self.distances[to as usize] + 1 == distance)
    }

    /// The states of a shortest solution, if any was found.
    pub fn path(&self) -> Vec<u32> {
        let far_end = if self.from_goals {
            Some(0)
        } else {
            self.goals.iter().copied().min_by_key(|&goal| self.distances[goal as usize])
        };
        let mut path: Vec<u32> = std::iter::successors(far_end, |&state| self.nearer(state).next()).collect();
        if !self.from_goals {
            path.reverse();
        }
        path
    }
}
