//! Heuristics: estimates of the distance to a goal.

use crate::Domain;

/// A search node as heuristics see it: a state, and information about the path to it.
pub struct Node<'a, D: Domain> {
    /// State of the node.
    pub state: &'a D::State,
    /// Length of the path from the start.
    pub g: u32,
    /// Last move of that path; `None` at the start.
    pub last: Option<D::Move>,
    /// Number of successors of the parent, including this node; 0 at the start.
    pub siblings: u32,
}

/// An estimate of the distance to the nearest goal.
///
/// It may own tables and scratch space (hence `&mut self`), but must always return the same value for the same node.
/// Infinity marks a dead end, from which no goal is reachable. NaN is treated as 0.
pub trait Heuristic<D: Domain> {
    /// Returns the estimate for a node.
    fn estimate(&mut self, domain: &D, node: &Node<'_, D>) -> f64;

    /// Marks the preferred moves of a state: those that the heuristic recommends, such as the moves of a relaxed plan. `moves`
    /// are all moves of the state; `marks` has one mark for each. By default no move is preferred.
    fn mark_preferred(&mut self, _domain: &D, _state: &D::State, _moves: &[D::Move], _marks: &mut [bool]) {}

    /// Size of its tables, in bytes.
    fn memory_usage(&self) -> usize {
        0
    }
}

/// Evaluates a node and maps NaN and negative infinity to finite values, as the algorithms require.
#[inline]
pub(crate) fn estimate<D: Domain, H: Heuristic<D>>(heuristic: &mut H, domain: &D, node: &Node<'_, D>) -> f64 {
    let estimate = heuristic.estimate(domain, node);
    if estimate.is_nan() { 0.0 } else { estimate.max(f64::MIN) }
}

/// The heuristic that is 0 everywhere, with which A* becomes breadth-first search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<D: Domain> Heuristic<D> for Zero {
    fn estimate(&mut self, _: &D, _: &Node<'_, D>) -> f64 {
        0.0
    }
}

impl<D: Domain, H: Heuristic<D> + ?Sized> Heuristic<D> for Box<H> {
    fn estimate(&mut self, domain: &D, node: &Node<'_, D>) -> f64 {
        (**self).estimate(domain, node)
    }

    fn mark_preferred(&mut self, domain: &D, state: &D::State, moves: &[D::Move], marks: &mut [bool]) {
        (**self).mark_preferred(domain, state, moves, marks);
    }

    fn memory_usage(&self) -> usize {
        (**self).memory_usage()
    }
}
