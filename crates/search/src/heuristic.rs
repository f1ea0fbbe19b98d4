//! Estimates of the distance to a goal.

use crate::Domain;

/// A node of a search as a heuristic sees it: a state, and how the search came there.
pub struct Node<'a, D: Domain> {
    /// The state.
    pub state: &'a D::State,
    /// The length of the path that led here.
    pub g: u32,
    /// The last move of that path; none at the start.
    pub last: Option<D::Move>,
    /// How many successors the parent has, this node among them; 0 at the start.
    pub siblings: u32,
}

/// An estimate of the distance to the nearest goal.
///
/// It may keep tables and scratch space of its own (so `&mut self`), but the same node must always get the same number.
/// Infinity means that no goal can be reached. What is not a number is taken for 0: it says nothing.
pub trait Heuristic<D: Domain> {
    /// The estimate.
    fn estimate(&mut self, domain: &D, node: &Node<'_, D>) -> f64;

    /// The bytes that its tables take.
    fn bytes(&self) -> usize {
        0
    }
}

/// The estimate of a node, as the algorithms use it.
#[inline]
pub(crate) fn estimate<D: Domain, H: Heuristic<D>>(heuristic: &mut H, domain: &D, node: &Node<'_, D>) -> f64 {
    let estimate = heuristic.estimate(domain, node);
    if estimate.is_nan() { 0.0 } else { estimate.max(f64::MIN) }
}

/// The estimate 0, which turns A* into breadth-first search.
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

    fn bytes(&self) -> usize {
        (**self).bytes()
    }
}
