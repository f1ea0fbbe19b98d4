//! `blockers-lower-bound` (H1 of GP-Rush): the vehicles that block the target, those that block them, and so on.

use super::lines::{DIRECTIONS, Direction, Lines, entered};
use crate::vehicle_set::VehicleSet;
use crate::{RushDomain, RushState};
use clearway_search::{Heuristic, Node};

/// The cost of an impossible direction, greater than any sum of moves.
const IMPOSSIBLE: u32 = 1 << 20;
/// Maximum number of vehicles followed in one state; further ones count 1 each. No state of the 6x6 suites needs more than 23.
/// Every choice between two directions doubles the work, which without this limit could take hours on a crowded 16x16 board.
const MAX_FOLLOWED: u32 = 2048;

/// Estimated number of vehicles that have to move to let the target out, followed recursively.
///
/// A vehicle that has to leave a cell takes the cheaper of its two directions. Its cost is the vehicle's own move and the cost of
/// moving the vehicles that block this direction and are not yet counted. Not admissible, despite its name in the paper: every
/// vehicle chooses its cheapest direction on its own, even if a more expensive one would save moves of others.
#[derive(Clone, Debug)]
pub struct BlockersLowerBound {
    lines: Lines,
    /// Number of vehicles followed in the current state.
    followed: u32,
}

impl BlockersLowerBound {
    /// Creates the heuristic for a board.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        BlockersLowerBound { lines: Lines::new(domain), followed: 0 }
    }

    /// The estimate for a state; infinite if it is recognised as unsolvable.
    pub(super) fn count<const N: usize>(&mut self, state: &RushState<N>) -> f64 {
        if self.lines.is_solved(state) {
            return 0.0;
        }
        if self.lines.is_exit_unreachable() {
            return f64::INFINITY;
        }
        self.lines.set_state(state);
        self.followed = 0;
        let mut counted = 1;
        let moves = 1 + self.clear(state, 0, i16::from(self.lines.goal()), &mut counted, u32::MAX);
        if moves < IMPOSSIBLE { f64::from(moves) } else { f64::INFINITY }
    }

    /// The cost of moving the crossing vehicles off the cells that a vehicle enters when it moves to `place`. The exact value
    /// only matters below `enough`: the computation stops once the cost reaches it.
    fn clear<const N: usize>(
        &mut self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        counted: &mut VehicleSet,
        enough: u32,
    ) -> u32 {
        let fixed = self.lines.vehicles()[vehicle];
        let taken = state.occupied(fixed.orientation, fixed.line);
        let mut blocked = entered(fixed.length, state.position(vehicle), place) & taken;
        let mut cost = 0;
        while blocked != 0 && cost < enough {
            let cell = blocked.trailing_zeros() as u8;
            blocked &= blocked - 1;
            if let Some(other) = self.lines.crossing(fixed, cell)
                && *counted >> other & 1 == 0
            {
                cost += self.leave(state, other, fixed.line, counted, enough - cost);
            }
        }
        cost
    }

    /// The cost of moving a vehicle off a cell of its line in the cheaper direction.
    fn leave<const N: usize>(
        &mut self,
        state: &RushState<N>,
        vehicle: usize,
        cell: u8,
        counted: &mut VehicleSet,
        enough: u32,
    ) -> u32 {
        *counted |= 1 << vehicle;
        self.followed += 1;
        if enough <= 1 || self.followed > MAX_FOLLOWED {
            return 1;
        }
        let fixed = &self.lines.vehicles()[vehicle];
        let (position, taken) = (state.position(vehicle), state.occupied(fixed.orientation, fixed.line));
        let places = DIRECTIONS.map(|direction| self.lines.place_beyond(vehicle, cell, direction));
        if places.iter().flatten().any(|&place| entered(fixed.length, position, place) & taken == 0) {
            return 1;
        }
        let (mut best, mut counted_by_best) = (IMPOSSIBLE, *counted);
        for (direction, place) in DIRECTIONS.into_iter().zip(places) {
            let Some(place) = place else { continue };
            let mut counted_here = *counted;
            let cost = self.advance(state, vehicle, place, direction, &mut counted_here, best.min(enough));
            if cost < best {
                (best, counted_by_best) = (cost, counted_here);
            }
        }
        *counted = counted_by_best;
        best
    }

    /// The cost of moving a vehicle to `place`, with the vehicles of its line that it has to push ahead.
    fn advance<const N: usize>(
        &mut self,
        state: &RushState<N>,
        vehicle: usize,
        place: i16,
        direction: Direction,
        counted: &mut VehicleSet,
        enough: u32,
    ) -> u32 {
        let mut cost = 1 + self.clear(state, vehicle, place, counted, enough.saturating_sub(1));
        let mut next = self.lines.pushed(state, vehicle, place, direction);
        while let Some((vehicle, place)) = next {
            if *counted >> vehicle & 1 == 1 || cost >= enough {
                break;
            }
            *counted |= 1 << vehicle;
            cost += 1;
            cost += self.clear(state, vehicle, place, counted, enough.saturating_sub(cost));
            next = self.lines.pushed(state, vehicle, place, direction);
        }
        cost
    }
}

impl<const N: usize> Heuristic<RushDomain<N>> for BlockersLowerBound {
    fn estimate(&mut self, _: &RushDomain<N>, node: &Node<'_, RushDomain<N>>) -> f64 {
        self.count(node.state)
    }
}
