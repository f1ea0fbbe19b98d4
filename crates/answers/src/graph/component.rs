//! All states reachable from a board, and their distances.

use clearway_rush::{RushDomain, flood};
use clearway_search::{Domain, Limits};
use std::ops::ControlFlow;

/// Number of states visited between two checks of the limits.
const BATCH: usize = 256;

/// Approximate memory of a state in bytes, without its key and its edges: its distance, its entry in a layer, and the data of
/// the exploration and the sample.
const STATE_BYTES: usize = 32;

/// The states reachable from a board, numbered in the order of discovery; the start is 0.
#[derive(Debug)]
pub(super) struct Component {
    /// Per state: index of its first successor in `successors`; one more entry at the end.
    offsets: Vec<usize>,
    successors: Vec<u32>,
    /// Whether these are all states.
    pub complete: bool,
    /// Whether distances are measured from the nearest solved state instead of the start.
    pub from_goals: bool,
    /// Distance of each state.
    pub distances: Vec<u32>,
    /// States by distance.
    pub layers: Vec<Vec<u32>>,
    goals: Vec<u32>,
}

/// Removes the edges to states whose number is `end` or higher.
fn remove_edges_beyond(offsets: &mut [usize], successors: &mut Vec<u32>, end: u32) {
    let (mut kept, mut from) = (0, 0);
    for offset in &mut offsets[1..] {
        let to = *offset;
        for at in from..to {
            if successors[at] < end {
                successors[kept] = successors[at];
                kept += 1;
            }
        }
        (*offset, from) = (kept, to);
    }
    successors.truncate(kept);
}

impl Component {
    /// Explores the states within the limits. Also returns the keys of the states.
    pub fn explore<const N: usize>(domain: &RushDomain<N>, limits: &Limits) -> (Component, Vec<[u64; N]>) {
        let checker = limits.checker();
        let (mut offsets, mut successors, mut goals) = (vec![0], Vec::new(), Vec::new());
        let mut next_check = 0;
        let (mut keys, _) = flood(domain, |visit| {
            if domain.is_goal(visit.state) {
                goals.push(offsets.len() as u32 - 1);
            }
            successors.extend(visit.ways.iter().map(|&(_, to)| to));
            offsets.push(successors.len());
            let visited = offsets.len() - 1;
            if visited < next_check {
                return ControlFlow::Continue(());
            }
            next_check = visited + checker.nodes_until_check(visited as u64, BATCH as u64) as usize;
            let bytes = visit.bytes + visit.found * STATE_BYTES + successors.capacity() * size_of::<u32>();
            checker.check(visited as u64, bytes).map_or(ControlFlow::Continue(()), ControlFlow::Break)
        });
        // States that were discovered but not visited have no successors, so they are not part of the graph.
        let visited = offsets.len() - 1;
        let complete = keys.len() == visited;
        keys.truncate(visited);
        if !complete {
            remove_edges_beyond(&mut offsets, &mut successors, visited as u32);
        }
        let from_goals = complete && !goals.is_empty();
        let mut component =
            Component { offsets, successors, complete, from_goals, distances: Vec::new(), layers: Vec::new(), goals };
        component.measure_distances();
        (component, keys)
    }

    /// Computes all distances layer by layer, from the goals or from the start. Moves are reversible, so successors are also
    /// predecessors.
    fn measure_distances(&mut self) {
        let mut distances = vec![u32::MAX; self.len()];
        let mut layer = if self.from_goals { self.goals.clone() } else { vec![0] };
        for &state in &layer {
            distances[state as usize] = 0;
        }
        while !layer.is_empty() {
            let distance = self.layers.len() as u32 + 1;
            let mut next = Vec::new();
            for to in layer.iter().flat_map(|&state| self.successors(state)) {
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

    /// Number of states.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// States that are one move away.
    pub fn successors(&self, state: u32) -> &[u32] {
        let (from, to) = (self.offsets[state as usize], self.offsets[state as usize + 1]);
        &self.successors[from..to]
    }

    /// Successors whose distance is smaller by one.
    pub fn nearer(&self, state: u32) -> impl Iterator<Item = u32> {
        let distance = self.distances[state as usize];
        self.successors(state).iter().copied().filter(move |&to| self.distances[to as usize] + 1 == distance)
    }

    /// States of a shortest solution from the start to a goal; empty if none was found.
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
