//! `two-level`: the vehicles in the target's way, and those that must make room for them.

use super::lines::{Lines, Set, WAYS};
use crate::{Metric, RushDomain};
use clearway_search::{Heuristic, Node};

/// The direct blockers, and the vehicles that at least have to move to let them go. Admissible in both metrics.
///
/// *Proof.* Let D be the target and the vehicles between it and the exit. Each of them moves in every solution: the
/// target to the exit, the others off the target's line. In steps the target makes as many as it is away, and each of the others
/// at least its distance from the nearer of the two places just beyond the target's line.
///
/// A blocker b leaves its cell by one of two ways, and with that passes the place just beyond the cell. All that stands
/// now on the cells b enters until there must have moved by then, for a crossing vehicle has to leave its cell,
/// and a vehicle of the same line, which cannot be passed, is pushed ahead, where the same holds of the cells that it
/// enters. So in every solution all of B(b) or all of F(b) move, the sets met by the two ways: at least
/// m(b) = min(|B(b) \ D|, |F(b) \ D|) vehicles of U(b) = (B(b) ∪ F(b)) \ D. A way that ends at a wall or leaves no room for the
/// vehicles of the line is not one.
///
/// Let U(b1), U(b2), ... be pairwise disjoint: then no vehicle is counted in two of them, nor in D, and |D| + m(b1) + m(b2) + ...
/// different vehicles move. One vehicle makes at least one move, and one step. ∎
#[derive(Clone, Debug)]
pub struct TwoLevel {
    lines: Lines,
}

impl TwoLevel {
    /// The estimate for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        TwoLevel { lines: Lines::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for TwoLevel {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let (lines, state) = (&self.lines, node.state);
        if lines.is_solved(state) {
            return 0.0;
        }
        if lines.is_shut() {
            return f64::INFINITY;
        }
        let by_steps = domain.metric() == Metric::Steps;
        let cell = lines.vehicles()[0].line;
        let mut direct: Set = 1;
        lines.for_each_crossing(state, 0, i16::from(lines.goal()), |other| direct |= 1 << other);
        let mut bound = if by_steps { u32::from(lines.target_distance(state)) } else { 1 };
        let (mut used, mut rest) = (direct, direct & !1);
        while rest != 0 {
            let blocker = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let (mut fewest, mut nearest, mut either) = (u32::MAX, u16::MAX, 0);
            for way in WAYS {
                if let Some(place) = lines.place_beyond(blocker, cell, way) {
                    let met = lines.met(state, blocker, place, way) & !direct;
                    fewest = fewest.min(met.count_ones());
                    nearest = nearest.min(place.abs_diff(state.position(blocker).into()));
                    either |= met;
                }
            }
            if fewest == u32::MAX {
                return f64::INFINITY;
            }
            bound += if by_steps { u32::from(nearest) } else { 1 };
            if either & used == 0 {
                bound += fewest;
                used |= either;
            }
        }
        f64::from(bound)
    }
}
