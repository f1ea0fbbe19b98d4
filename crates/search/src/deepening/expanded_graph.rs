//! The expanded states and their successors, recorded for the shortcut.

use crate::Domain;
use crate::search_space::SearchSpace;
use crate::successor_graph::SuccessorGraph;

/// The expanded states and their successors.
pub(super) struct ExpandedGraph<D: Domain> {
    space: SearchSpace<D>,
    graph: SuccessorGraph,
}

impl<D: Domain> ExpandedGraph<D> {
    /// Creates a graph that holds the start only.
    pub fn new(domain: &D) -> Self {
        ExpandedGraph { space: SearchSpace::new(domain.key(&domain.start())), graph: SuccessorGraph::default() }
    }

    /// Returns whether the numbers of states may run out within the next expansion.
    pub fn is_full(&self) -> bool {
        self.space.is_full()
    }

    /// Number of a state, which is added if it is new.
    fn number(&mut self, key: D::Key) -> u32 {
        self.space.insert(key, 0, 0, None).0
    }

    /// Records the successors of a state, unless they are known.
    pub fn record(&mut self, domain: &D, state: &mut D::State, moves: &[D::Move]) {
        let node = self.number(domain.key(state));
        if self.graph.has_successors(node) {
            return;
        }
        for &mv in moves {
            let successor = self.number(domain.key_after(state, mv));
            self.graph.add(successor);
        }
        self.graph.finish_node(node, moves.len());
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        self.space.memory_usage() + self.graph.memory_usage()
    }

    /// Bytes held after the next few thousand states, and while [`shortcut`](Self::shortcut) runs.
    pub fn memory_usage_soon(&self) -> usize {
        self.space.memory_usage_soon() + self.graph.memory_usage_soon(self.space.len())
    }

    /// Returns a shortest path to a state through expanded states, if it is shorter than `known` moves.
    pub fn shortcut(&mut self, domain: &D, key: D::Key, known: usize) -> Option<Vec<D::Move>> {
        let node = self.number(key);
        self.graph.add_goal(node);
        self.graph.shortcut(domain, &self.space, known)
    }
}
