//! The graph of the expanded states, for the shortest path within it.

use crate::Domain;
use crate::search_space::SearchSpace;

/// The successors of every expanded node, and the goals. A search records them as it expands nodes, so that finding a shorter
/// path at its end regenerates only the states on that path.
#[derive(Default)]
pub(crate) struct SuccessorGraph {
    /// By node: the index of its first successor in `successors`, with their number in the lowest [`COUNT_BITS`] bits. 0 for
    /// a node that was not expanded.
    spans: Vec<u64>,
    successors: Vec<u32>,
    goals: Vec<u32>,
}

/// Bits of a span that hold the number of successors. Successors beyond [`MAX_COUNT`] are ignored.
const COUNT_BITS: u32 = 16;
const MAX_COUNT: usize = (1 << COUNT_BITS) - 1;
const UNREACHED: u32 = u32::MAX;

impl SuccessorGraph {
    /// Adds a successor of the node that is being expanded.
    #[inline]
    pub fn add(&mut self, successor: u32) {
        self.successors.push(successor);
    }

    /// Returns whether successors of a node were recorded; false for an expanded node without successors.
    pub fn has_successors(&self, node: u32) -> bool {
        !self.successors_of(node).is_empty()
    }

    /// Marks a node as a goal.
    pub fn add_goal(&mut self, node: u32) {
        self.goals.push(node);
    }

    /// Assigns the last `count` successors that were added to a node.
    #[inline]
    pub fn finish_node(&mut self, node: u32, count: usize) {
        let node = node as usize;
        if self.spans.len() <= node {
            self.spans.resize(node + 1, 0);
        }
        let start = self.successors.len() - count;
        self.spans[node] = (start as u64) << COUNT_BITS | count.min(MAX_COUNT) as u64;
    }

    /// Returns a shortest path from the start to a goal through expanded states only, if it is shorter than `known` moves.
    pub fn shortcut<D: Domain>(&self, domain: &D, nodes: &SearchSpace<D>, known: usize) -> Option<Vec<D::Move>> {
        let mut is_goal = vec![false; nodes.len()];
        self.goals.iter().for_each(|&goal| is_goal[goal as usize] = true);
        // By node: the node it was reached from.
        let mut parents = vec![UNREACHED; nodes.len()];
        parents[0] = 0;
        let (mut layer, mut next) = (vec![0], Vec::new());
        // A path that is found in the last round has `known - 1` moves.
        for _ in 1..known {
            for &node in &layer {
                for &successor in self.successors_of(node) {
                    let parent = &mut parents[successor as usize];
                    if *parent != UNREACHED {
                        continue;
                    }
                    *parent = node;
                    if is_goal[successor as usize] {
                        return Some(path_to(domain, nodes, &parents, successor));
                    }
                    next.push(successor);
                }
            }
            if next.is_empty() {
                break;
            }
            std::mem::swap(&mut layer, &mut next);
            next.clear();
        }
        None
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        self.spans.capacity() * size_of::<u64>()
            + (self.successors.capacity() + self.goals.capacity()) * size_of::<u32>()
    }

    /// Bytes held while [`shortcut`](Self::shortcut) runs on this number of nodes: per node a mark, a parent and an entry of
    /// a layer.
    pub fn memory_usage_soon(&self, nodes: usize) -> usize {
        self.memory_usage() + nodes * (size_of::<bool>() + 2 * size_of::<u32>())
    }

    fn successors_of(&self, node: u32) -> &[u32] {
        let span = self.spans.get(node as usize).copied().unwrap_or(0);
        let start = (span >> COUNT_BITS) as usize;
        &self.successors[start..start + (span as usize & MAX_COUNT)]
    }
}

/// Returns the moves from the start to a node along the parents.
fn path_to<D: Domain>(domain: &D, nodes: &SearchSpace<D>, parents: &[u32], mut node: u32) -> Vec<D::Move> {
    let (mut path, mut moves) = (Vec::new(), Vec::new());
    while node != 0 {
        let parent = parents[node as usize];
        let mut state = domain.state(nodes.get(parent).key);
        moves.clear();
        domain.moves(&state, &mut moves);
        let wanted = nodes.get(node).key;
        path.extend(moves.iter().find(|&&mv| domain.key_after(&mut state, mv) == wanted));
        node = parent;
    }
    path.reverse();
    path
}
