//! The shortest way inside what a search has seen.

use crate::Domain;
use crate::nodes::Nodes;

/// Who was made from whom, and the goals among them: noted while a search goes on, so that looking for a shorter way at its
/// end makes no state again but those on that way.
#[derive(Default)]
pub(crate) struct Links {
    /// By node: where its successors begin in the common list, and in the lowest bits how many they are. 0 for a node
    /// that was not expanded.
    spans: Vec<u64>,
    successors: Vec<u32>,
    goals: Vec<u32>,
}

/// The bits of a span that hold the number of successors. If there are more, the rest is not noted.
const COUNT: u32 = 16;
const MOST: usize = (1 << COUNT) - 1;
const NOWHERE: u32 = u32::MAX;

impl Links {
    /// A successor of the node that is being expanded.
    #[inline]
    pub fn add(&mut self, successor: u32) {
        self.successors.push(successor);
    }

    /// Whether the successors of a node were added. It may say no if there are none.
    pub fn are_known(&self, node: u32) -> bool {
        !self.of(node).is_empty()
    }

    /// A node is a goal.
    pub fn goal(&mut self, node: u32) {
        self.goals.push(node);
    }

    /// All successors of a node, so many, were added.
    #[inline]
    pub fn close(&mut self, node: u32, count: usize) {
        let node = node as usize;
        if self.spans.len() <= node {
            self.spans.resize(node + 1, 0);
        }
        let start = self.successors.len() - count;
        self.spans[node] = (start as u64) << COUNT | count.min(MOST) as u64;
    }

    /// The moves of a shortest way from the start to a goal that leads through expanded states alone, if that is shorter
    /// than what is known.
    pub fn shortcut<D: Domain>(&self, domain: &D, nodes: &Nodes<D>, known: usize) -> Option<Vec<D::Move>> {
        let mut is_goal = vec![false; nodes.len()];
        self.goals.iter().for_each(|&goal| is_goal[goal as usize] = true);
        // By node: where it was reached from.
        let mut parents = vec![NOWHERE; nodes.len()];
        parents[0] = 0;
        let (mut layer, mut next) = (vec![0], Vec::new());
        // A way that is found in the last round has `known - 1` moves.
        for _ in 1..known {
            for &node in &layer {
                for &successor in self.of(node) {
                    let parent = &mut parents[successor as usize];
                    if *parent != NOWHERE {
                        continue;
                    }
                    *parent = node;
                    if is_goal[successor as usize] {
                        return Some(way(domain, nodes, &parents, successor));
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

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.spans.capacity() * size_of::<u64>()
            + (self.successors.capacity() + self.goals.capacity()) * size_of::<u32>()
    }

    /// The bytes that it takes with what [`shortcut`](Self::shortcut) needs for so many nodes: by node a mark, a parent
    /// and a place in a layer.
    pub fn bytes_soon(&self, nodes: usize) -> usize {
        self.bytes() + nodes * (size_of::<bool>() + 2 * size_of::<u32>())
    }

    fn of(&self, node: u32) -> &[u32] {
        let span = self.spans.get(node as usize).copied().unwrap_or(0);
        let start = (span >> COUNT) as usize;
        &self.successors[start..start + (span as usize & MOST)]
    }
}

/// The moves along the parents from the start to a node.
fn way<D: Domain>(domain: &D, nodes: &Nodes<D>, parents: &[u32], mut node: u32) -> Vec<D::Move> {
    let (mut way, mut moves) = (Vec::new(), Vec::new());
    while node != 0 {
        let parent = parents[node as usize];
        let mut state = domain.state(nodes.get(parent).key);
        moves.clear();
        domain.moves(&state, &mut moves);
        let wanted = nodes.get(node).key;
        way.extend(moves.iter().find(|&&mv| domain.key_after(&mut state, mv) == wanted));
        node = parent;
    }
    way.reverse();
    way
}
