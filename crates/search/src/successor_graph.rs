//! The graph of the expanded states, for the shortest path within it.

use crate::Domain;
use crate::search_space::SearchSpace;

/// The generated successors of every expanded node, and the goals. A search records them, all successors of a node at once or one
/// by one, so that finding a shorter path at its end regenerates only the states on that path.
#[derive(Default)]
pub(crate) struct SuccessorGraph {
    /// By node: the index of its first successor in `successors`, with their number in the lowest [`COUNT_BITS`] bits. 0 for
    /// a node whose successors were not recorded at once.
    spans: Vec<u64>,
    successors: Vec<u32>,
    /// Nodes and successors that were recorded one by one.
    edges: Vec<(u32, u32)>,
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

    /// Returns whether all successors of a node were recorded at once; false for an expanded node without successors.
    pub fn has_successors(&self, node: u32) -> bool {
        !self.successors_of(node).is_empty()
    }

    /// Adds one successor of any node.
    #[inline]
    pub fn add_edge(&mut self, node: u32, successor: u32) {
        self.edges.push((node, successor));
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
        let edges = EdgeIndex::new(&self.edges, nodes.len());
        let mut is_goal = vec![false; nodes.len()];
        self.goals.iter().for_each(|&goal| is_goal[goal as usize] = true);
        // By node: the node it was reached from.
        let mut parents = vec![UNREACHED; nodes.len()];
        parents[0] = 0;
        let (mut layer, mut next) = (vec![0], Vec::new());
        // A path that is found in the last round has `known - 1` moves.
        for _ in 1..known {
            for &node in &layer {
                for &successor in self.successors_of(node).iter().chain(edges.successors_of(node)) {
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
            + self.edges.capacity() * size_of::<(u32, u32)>()
            + (self.successors.capacity() + self.goals.capacity()) * size_of::<u32>()
    }

    /// Bytes held while [`shortcut`](Self::shortcut) runs on this number of nodes: per node a mark, a parent, an entry of a layer
    /// and one of the index of edges, and the edges in its order.
    pub fn memory_usage_soon(&self, nodes: usize) -> usize {
        let index = if self.edges.is_empty() { 0 } else { nodes + self.edges.len() };
        self.memory_usage() + nodes * (size_of::<bool>() + 2 * size_of::<u32>()) + index * size_of::<u32>()
    }

    fn successors_of(&self, node: u32) -> &[u32] {
        let span = self.spans.get(node as usize).copied().unwrap_or(0);
        let start = (span >> COUNT_BITS) as usize;
        &self.successors[start..start + (span as usize & MAX_COUNT)]
    }
}

/// Edges sorted by node.
struct EdgeIndex {
    /// By node: the index of its first successor; at the end the number of edges. Empty if there are no edges.
    starts: Vec<u32>,
    successors: Vec<u32>,
}

impl EdgeIndex {
    /// Sorts the edges by counting.
    fn new(edges: &[(u32, u32)], nodes: usize) -> Self {
        if edges.is_empty() {
            return EdgeIndex { starts: Vec::new(), successors: Vec::new() };
        }
        let mut starts = vec![0; nodes + 1];
        for &(node, _) in edges {
            starts[node as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut successors = vec![0; edges.len()];
        for &(node, successor) in edges.iter().rev() {
            let start = &mut starts[node as usize];
            *start -= 1;
            successors[*start as usize] = successor;
        }
        EdgeIndex { starts, successors }
    }

    fn successors_of(&self, node: u32) -> &[u32] {
        match self.starts.get(node as usize..node as usize + 2) {
            Some(&[start, end]) => &self.successors[start as usize..end as usize],
            _ => &[],
        }
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
