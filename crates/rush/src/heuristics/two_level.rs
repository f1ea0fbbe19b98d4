//! `two-level`: the vehicles between the target and the exit, and those that must make room for them.

use super::lines::{DIRECTIONS, Lines};
use crate::vehicle_set::VehicleSet;
use crate::{Metric, RushDomain};
use clearway_search::{Heuristic, Node};

/// Number of direct blockers, plus a lower bound on the vehicles that must move to let them leave. Admissible in both metrics.
///
/// *Proof.* Let D be the set of the target and the vehicles between it and the exit. Each of them moves in every solution: the
/// target to the exit, the others off the target's line. In steps, the target needs its distance from the exit, and each of the
/// others at least its distance from the nearer of the two positions just beyond the target's line.
///
/// A blocker b leaves its cell back or forward, and thereby passes the position just beyond the cell in that direction. Every
/// vehicle that is now on a cell that b enters on the way to this position must have moved by then: a crossing vehicle has to
/// leave its cell, and a vehicle of the same line, which cannot be passed, is pushed ahead, and the same holds for the cells
/// that it enters. Let B(b) and F(b) be the sets of vehicles that must move for b to leave back and forward. In every solution
/// all of B(b) or all of F(b) move: at least m(b) = min(|B(b) \ D|, |F(b) \ D|) vehicles of U(b) = (B(b) ∪ F(b)) \ D. A
/// direction in which a wall or the other vehicles of the line leave no room is impossible and does not count.
///
/// If U(b1), U(b2), ... are pairwise disjoint, no vehicle is counted in two of them, nor in D, so that |D| + m(b1) + m(b2) + ...
/// different vehicles move. Each of them makes at least one move, and at least one step. ∎
#[derive(Clone, Debug)]
pub struct TwoLevel {
    lines: Lines,
}

impl TwoLevel {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        TwoLevel { lines: Lines::new(domain) }
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for TwoLevel {
    fn estimate(&mut self, domain: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        let (lines, state) = (&mut self.lines, node.state);
        if lines.is_solved(state) {
            return 0.0;
        }
        if lines.is_exit_unreachable() {
            return f64::INFINITY;
        }
        lines.set_state(state);
        let by_steps = domain.metric() == Metric::Steps;
        let cell = lines.vehicles()[0].line;
        let mut direct: VehicleSet = 1;
        lines.for_each_crossing(state, 0, i16::from(lines.goal()), |other| direct |= 1 << other);
        let mut bound = if by_steps { u32::from(lines.target_distance(state)) } else { 1 };
        let (mut used, mut rest) = (direct, direct & !1);
        while rest != 0 {
            let blocker = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let (mut fewest, mut nearest, mut union) = (u32::MAX, u16::MAX, 0);
            for direction in DIRECTIONS {
                if let Some(place) = lines.place_beyond(blocker, cell, direction) {
                    let moving = lines.must_move(state, blocker, place, direction) & !direct;
                    fewest = fewest.min(moving.count_ones());
                    nearest = nearest.min(place.abs_diff(state.position(blocker).into()));
                    union |= moving;
                }
            }
            if fewest == u32::MAX {
                return f64::INFINITY;
            }
            bound += if by_steps { u32::from(nearest) } else { 1 };
            if union & used == 0 {
                bound += fewest;
                used |= union;
            }
        }
        f64::from(bound)
    }
}
